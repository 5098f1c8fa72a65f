import type { VoucherSnapshot } from '@scrip/contracts/campaigns';
import type { Metadata } from '@scrip/contracts/snapshot';
import type { RedeemableResult, StackingSettings } from '@scrip/order-calculation';
import { type OrderResponse, renderOrder } from '@scrip/wire/customers';
import type { Session } from '../session/session';
import type { EvaluatedRedeemable } from '../evaluation/evaluate';
import type { ShowOrder } from '../rendering/rendered-redeemable';
import { type ExpandedCategory, expandedCategories } from '../rendering/stacking-rules';
import { renderWhyNot, type SingleErrorResponse } from './single-refusal';

type Applicable = Extract<EvaluatedRedeemable['calculated'], { status: 'APPLICABLE' }>;

/** A voucher that applies. Source: reference 03 §5.3. */
export interface ValidVoucherResponse extends Pick<Applicable, 'applicable_to' | 'inapplicable_to'> {
  valid: true;
  code: string;
  discount?: RedeemableResult['discount'];
  /** The gift card as it is. */
  gift?: VoucherSnapshot['gift'];
  /** The order with the voucher; absent where the request has none. */
  order?: OrderResponse;
  campaign: string | null;
  campaign_id: string | null;
  /** Of the voucher. */
  metadata: Metadata;
  start_date?: string;
  expiration_date?: string;
  /** What the call established or renewed. */
  session?: Session;
  /** Where `options.expand` asks for them. */
  categories?: ExpandedCategory[];
  /** Recognises the customer in later calls; browsers are not told. */
  tracking_id?: string;
}

/** A voucher that does not apply. */
export interface InvalidVoucherResponse {
  valid: false;
  /** As it was sent where no voucher has it. */
  code: string;
  /** The generic message. */
  reason: string;
  error: SingleErrorResponse;
  metadata: Metadata;
  tracking_id?: string;
}

/** Answer of the validation of one voucher. */
export type VoucherValidationResponse = ValidVoucherResponse | InvalidVoucherResponse;

/** How a validation is shown. `trackingId` null: it is not. */
export interface ShownValidation {
  requestId: string;
  trackingId: string | null;
  show: ShowOrder;
  /** The stacking rules that categories are shown under; null: they are not shown. */
  categoriesUnder: StackingSettings | null;
}

/** The same of a voucher, with the session that the call establishes. */
export type ShownVoucherValidation = ShownValidation & { session: Session | null };

const validVoucher = (
  voucher: VoucherSnapshot,
  { result, order, applicable_to, inapplicable_to }: Applicable,
  { show }: Pick<ShownValidation, 'show'>,
) => {
  const { start_date, expiration_date } = voucher;
  return {
    valid: true as const,
    code: voucher.code,
    ...(result.discount ? { discount: result.discount } : {}),
    ...(result.gift ? { gift: voucher.gift } : {}),
    ...(order ? { order: renderOrder(show(order)) } : {}),
    applicable_to,
    inapplicable_to,
    campaign: voucher.campaign,
    campaign_id: voucher.campaign_id,
    metadata: voucher.metadata,
    ...(start_date === null ? {} : { start_date }),
    ...(expiration_date === null ? {} : { expiration_date }),
  };
};

/** What a voucher that was validated by itself came to. Source: reference 03 §5.3. */
export const renderVoucherValidation = (
  evaluated: EvaluatedRedeemable,
  shown: ShownVoucherValidation,
): VoucherValidationResponse => {
  const { id, calculated, described } = evaluated;
  const tracked = shown.trackingId === null ? {} : { tracking_id: shown.trackingId };
  const voucher = described?.voucher;
  if (calculated.status !== 'APPLICABLE') {
    const whyNot = renderWhyNot(evaluated, calculated, shown.requestId);
    return {
      ...{ valid: false, code: voucher?.code ?? id },
      ...whyNot,
      ...{ metadata: voucher?.metadata ?? {}, ...tracked },
    };
  }
  return {
    // What applies was found, and a call for a voucher finds nothing else.
    ...validVoucher(voucher!, calculated, shown),
    ...(shown.session ? { session: shown.session } : {}),
    ...(shown.categoriesUnder
      ? { categories: expandedCategories(described!.categories, shown.categoriesUnder) }
      : {}),
    ...tracked,
  };
};
