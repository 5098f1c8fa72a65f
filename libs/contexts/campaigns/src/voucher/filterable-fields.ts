import { isDeepStrictEqual } from 'node:util';
import type { VoucherSnapshot } from '@scrip/contracts/campaigns';
import type { VoucherState } from './voucher.decider';

const fields = [
  'category',
  'category_id',
  'holder_id',
  'is_referral_code',
  'active',
  'start_date',
  'expiration_date',
  'validity_timeframe',
  'validity_day_of_week',
  'metadata',
] as const satisfies (keyof VoucherSnapshot)[];

type Filterable = Pick<VoucherSnapshot, (typeof fields)[number]> & {
  redemption: { quantity: number | null };
};

const filterableOf = (voucher: Omit<VoucherSnapshot, 'id' | 'code' | 'created_at'>): Filterable => ({
  ...(Object.fromEntries(fields.map((field) => [field, voucher[field]])) as Pick<
    VoucherSnapshot,
    (typeof fields)[number]
  >),
  redemption: { quantity: voucher.redemption.quantity },
});

/** An SQL expression of what lists filter by in a document of a voucher or a definition. */
export const filterableSql = (document: string): string =>
  `jsonb_build_object(${fields.map((field) => `'${field}', ${document}->'${field}'`).join(', ')},
    'redemption', jsonb_build_object('quantity', ${document}->'redemption'->'quantity'))`;

/** What lists filter a voucher by, all of it, laid out as in its definition; null where the newest revision of its definition
 *  says the same. Redemptions change none of it. Source: ADR 63, ADR 68. */
export const ownFilterableFields = ({ voucher, definition }: VoucherState): Filterable | null => {
  const own = filterableOf(voucher);
  const isShared =
    definition && !definition.parted && isDeepStrictEqual(own, filterableOf(definition.template));
  return isShared ? null : own;
};
