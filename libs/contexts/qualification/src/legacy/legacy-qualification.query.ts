import { IsFlag, IsInteger, IsOneOf, orderOf } from '@scrip/edge';
import { IsOptional } from 'class-validator';
import { qualifiedMax } from '../qualifying/qualification-request';

const orderedBy = <Field extends string>(fields: readonly Field[]): (Field | `-${Field}`)[] =>
  fields.flatMap((field) => [field, `-${field}` as const]);

class LegacyQualificationQuery {
  /** Only rules on the customer are evaluated. */
  @IsOptional() @IsFlag() audienceRulesOnly = false;
  @IsOptional() @IsInteger({ min: 1, max: qualifiedMax }) limit = qualifiedMax;
}

const campaignOrders = ['created_at', 'updated_at', 'type', 'code', 'category', 'campaign'] as const;
const voucherOrders = ['created_at', 'updated_at', 'code'] as const;

type CampaignOrder = (typeof campaignOrders)[number];
type VoucherOrder = (typeof voucherOrders)[number];

/** Query of POST /v1/campaigns/qualification. Source: reference 02 §9. */
export class CampaignsQualificationQuery extends LegacyQualificationQuery {
  @IsOptional()
  @IsOneOf(orderedBy(campaignOrders))
  order: CampaignOrder | `-${CampaignOrder}` = '-created_at';
}

/** Query of POST /v1/vouchers/qualification. Source: reference 02 §9. */
export class VouchersQualificationQuery extends LegacyQualificationQuery {
  @IsOptional()
  @IsOneOf(orderedBy(voucherOrders))
  order: VoucherOrder | `-${VoucherOrder}` = '-created_at';
}

/** What is sorted by; null: it has no such value. */
export type SortedBy<Field extends string, One> = Readonly<Record<Field, (one: One) => string | null>>;

/** Sorts by a field; what lacks it comes last, and of equal ones the order stays. */
export const sortedBy = <Field extends string, One>(
  all: readonly One[],
  order: NoInfer<Field> | `-${NoInfer<Field>}`,
  by: SortedBy<Field, One>,
): One[] => {
  const { field, descending } = orderOf<Field>(order);
  const sign = descending ? -1 : 1;
  return all
    .map((one) => ({ one, value: by[field](one) }))
    .sort((left, right) => {
      if (left.value === right.value) return 0;
      if (left.value === null) return 1;
      if (right.value === null) return -1;
      return left.value < right.value ? -sign : sign;
    })
    .map(({ one }) => one);
};
