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

/** A document that says what lists filter by. */
type Document = Omit<VoucherSnapshot, 'id' | 'code' | 'created_at'>;

const filterableOf = (voucher: Document): Filterable => {
  const own: Record<string, unknown> = {};
  for (const field of fields) own[field] = voucher[field];
  own['redemption'] = { quantity: voucher.redemption.quantity };
  return own as Filterable;
};

const sayTheSame = (one: Document, other: Document): boolean =>
  one.redemption.quantity === other.redemption.quantity &&
  fields.every((field) => isDeepStrictEqual(one[field], other[field]));

/** An SQL expression of what lists filter by in a document of a voucher or a definition. */
export const filterableSql = (document: string): string =>
  `jsonb_build_object(${fields.map((field) => `'${field}', ${document}->'${field}'`).join(', ')},
    'redemption', jsonb_build_object('quantity', ${document}->'redemption'->'quantity'))`;

// Three columns of a row are made of it, for each of the vouchers of a set.
const knownOf = new WeakMap<VoucherState, Filterable | null>();

/** What lists filter a voucher by, all of it, laid out as in its definition; null where the newest revision of its definition
 *  says the same. Redemptions change none of it. Source: ADR 63, ADR 68. */
export const ownFilterableFields = (state: VoucherState): Filterable | null => {
  const known = knownOf.get(state);
  if (known !== undefined) return known;
  const { voucher, definition } = state;
  const isShared = definition && !definition.parted && sayTheSame(voucher, definition.template);
  const own = isShared ? null : filterableOf(voucher);
  knownOf.set(state, own);
  return own;
};
