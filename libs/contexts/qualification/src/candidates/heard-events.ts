import type { CampaignSnapshot, VoucherSnapshot } from '@scrip/contracts/campaigns';
import type { PromotionStackSnapshot, PromotionTierSnapshot } from '@scrip/contracts/promotions';
import type { RuleAssignmentSnapshot, ValidationRuleSnapshot } from '@scrip/contracts/qualification';
import type { Instant } from '@scrip/contracts/snapshot';
import type { StoredEvent } from '@scrip/event-store';
import {
  type CandidateRow,
  candidateOfCampaign,
  candidateOfStack,
  candidateOfTier,
  candidateOfVoucher,
} from './candidate';

/** What events of all owners may carry. */
interface Data {
  campaign?: CampaignSnapshot | null;
  voucher?: VoucherSnapshot | null;
  promotion_tier?: PromotionTierSnapshot;
  promotion_stack?: PromotionStackSnapshot;
  fields?: Partial<VoucherSnapshot>;
  redeemed_quantity?: number;
  start_date?: Instant | null;
  expiration_date?: Instant | null;
  rule?: ValidationRuleSnapshot;
  assignment?: RuleAssignmentSnapshot;
}

/** What an event says of the index. `next`: makes the row of an object from the one that stands, null: there is none; `ruled`: what
 *  rules hold for the object, or for what belongs to this campaign, changed; `rule`: this rule changed. */
export type Heard =
  | { id: string; next: (standing: CandidateRow | null) => CandidateRow | null; endsCampaign?: true }
  | { ruled: string }
  | { rule: string }
  | null;

const gone = (): null => null;

const isGeneric = (voucher: VoucherSnapshot, campaign: CampaignSnapshot | null): boolean =>
  voucher.campaign_id === null || campaign?.type === 'STANDALONE';

const indexed = [
  'active',
  'category_id',
  'start_date',
  'expiration_date',
  'discount',
  'gift',
  'redemption',
] as const satisfies (keyof VoucherSnapshot)[];

/** The fields of a voucher that events carry singly. */
const withFields = (row: CandidateRow, fields: Partial<VoucherSnapshot>): CandidateRow => ({
  ...row,
  ...(fields.active === undefined ? {} : { active: fields.active }),
  ...(fields.category_id === undefined ? {} : { category_id: fields.category_id }),
  ...(fields.start_date === undefined ? {} : { starts_at: fields.start_date }),
  ...(fields.expiration_date === undefined ? {} : { ends_at: fields.expiration_date }),
  ...(fields.discount ? { incentive: { discount: fields.discount } } : {}),
  ...(fields.gift
    ? { incentive: { gift: { balance: fields.gift.balance, effect: fields.gift.effect } } }
    : {}),
  ...(fields.redemption ? { quantity: fields.redemption.quantity } : {}),
});

const ofVoucher = ({ projectId: project_id, streamId: id, type, data }: StoredEvent): Heard => {
  const { voucher, campaign = null, fields, redeemed_quantity, start_date, expiration_date } = data as Data;
  const changed = (change: (row: CandidateRow) => CandidateRow): Heard => ({
    id,
    next: (standing) => standing && change(standing),
  });
  switch (type) {
    case 'VoucherCreated':
      return voucher && isGeneric(voucher, campaign)
        ? {
            id,
            next: () =>
              candidateOfVoucher({ project_id, campaign_type: campaign?.campaign_type ?? null }, voucher),
          }
        : null;
    case 'VoucherQuantityConsumed':
    case 'VoucherQuantityRestored':
      return changed((row) => ({ ...row, redeemed_quantity: redeemed_quantity ?? row.redeemed_quantity }));
    case 'VoucherPublished':
      return changed((row) =>
        withFields(row, {
          ...(start_date === undefined ? {} : { start_date }),
          ...(expiration_date === undefined ? {} : { expiration_date }),
        }),
      );
    case 'VoucherFollowedCampaign':
    case 'VoucherFieldsChanged':
      return fields && indexed.some((field) => fields[field] !== undefined)
        ? changed((row) => withFields(row, fields))
        : null;
    case 'VoucherDeleted':
      return { id, next: gone };
    default:
      return voucher ? changed((row) => candidateOfVoucher(row, voucher)) : null;
  }
};

const ofCampaign = ({ projectId: project_id, streamId: id, type, data }: StoredEvent): Heard => {
  const { campaign } = data as Data;
  if (type === 'CampaignDeleted') return { id, next: gone, endsCampaign: true };
  return campaign ? { id, next: () => candidateOfCampaign({ project_id }, campaign) } : null;
};

const ofRule = ({ streamId, type, data }: StoredEvent): Heard => {
  const { assignment } = data as Data;
  if (type === 'ValidationRuleUpdated') return { rule: streamId };
  return assignment ? { ruled: assignment.related_object_id } : null;
};

/** What an event of campaigns, vouchers, promotions and rules says of the index; null: nothing. Pure. Source: reference 02 §10. */
export const heard = (event: StoredEvent): Heard => {
  const { projectId: project_id, streamId: id, aggregate, type, data } = event;
  const { promotion_tier: tier, promotion_stack: stack } = data as Data;
  if (tier)
    return {
      id,
      next: () => (type === 'PromotionTierDeleted' ? null : candidateOfTier({ project_id }, tier)),
    };
  if (stack)
    return {
      id,
      next: () => (type === 'PromotionStackDeleted' ? null : candidateOfStack({ project_id }, stack)),
    };
  switch (aggregate) {
    case 'campaign':
      return ofCampaign(event);
    case 'voucher':
      return ofVoucher(event);
    default:
      return type.startsWith('ValidationRule') ? ofRule(event) : null;
  }
};
