import type {
  RedemptionFact,
  RedemptionFailed,
  RedemptionRollbackFailed,
  RedemptionRolledBack,
  RedemptionSnapshot,
  RedemptionSucceeded,
} from '@scrip/contracts/qualification';
import { simpleCampaign, simpleVoucher } from '@scrip/wire/campaigns';
import { simpleCustomer, simpleOrder } from '@scrip/wire/customers';
import { type Relations, rendererOf } from '../renderer';
import { simplePromotionStack, simplePromotionTier } from '@scrip/wire/promotions';
import { shownTrackingId, simpleRedemption } from '@scrip/wire/qualification';

const customersOf = ({ redemption }: Pick<RedemptionRolledBack['data'], 'redemption'>): (string | null)[] => [
  redemption.customer_id,
  redemption.voucher?.holder_id ?? null,
];

const short = <T>(value: T | null | undefined, render: (value: T) => object): object | null =>
  value ? render(value) : null;

const relationsOf = (redemption: RedemptionSnapshot, relations: Relations) => {
  const customer = relations.customer(redemption.customer_id);
  return {
    customer: short(customer, simpleCustomer),
    order: short(redemption.order, simpleOrder),
    voucher: short(redemption.voucher, simpleVoucher),
    promotion_tier: short(redemption.promotion_tier, simplePromotionTier),
    tracking_id: shownTrackingId(redemption, customer, relations.trackingId),
  };
};

/** Returns the data common to all redemption kinds about `subject`, a redemption or rollback. A parent has neither voucher nor tier. */
const related = (
  subject: RedemptionSnapshot,
  { campaign }: Pick<RedemptionFact, 'campaign'>,
  relations: Relations,
) => {
  const { customer, order, voucher, promotion_tier } = relationsOf(subject, relations);
  return {
    customer,
    order,
    campaign: short(campaign, simpleCampaign),
    voucher,
    holder: short(relations.customer(subject.voucher?.holder_id ?? null), simpleCustomer),
    promotion_tier,
    promotion_stack: short(subject.promotion_stack, simplePromotionStack),
  };
};

const renderedRedemption = (fact: RedemptionFact, relations: Relations) => {
  const { redemption } = fact;
  return {
    entityId: redemption.id,
    data: {
      ...related(redemption, fact, relations),
      redemption: simpleRedemption(redemption, relationsOf(redemption, relations)),
      created_at: redemption.date,
    },
  };
};

/** A rollback, or a refused one. The order of an undone redemption stands in its rollback. */
type RollbackFact = Omit<RedemptionFact, 'redemption'> &
  Pick<RedemptionRolledBack['data'], 'redemption' | 'rollback'>;

const rolledBack = (fact: RollbackFact, relations: Relations) => {
  const { rollback } = fact;
  const redemption: RedemptionSnapshot = { order: rollback.order, ...fact.redemption };
  return {
    entityId: rollback.id,
    data: {
      ...related(rollback, fact, relations),
      redemption: simpleRedemption(redemption, relationsOf(redemption, relations)),
      redemption_rollback: simpleRedemption(rollback, relationsOf(rollback, relations)),
    },
  };
};

/** Version 1 has no such field: each of its refused rollbacks is announced. */
const isAnnounced = ({ announced }: Partial<RedemptionRollbackFailed['data']>): boolean => announced ?? true;

/** Kinds about redemptions and rollbacks: one per child and one for the parent of a stack. Source: reference 06 §3. */
export const redemptionRenderers = [
  rendererOf<RedemptionSucceeded>({
    kind: 'redemption.succeeded',
    of: 'RedemptionSucceeded',
    customers: customersOf,
    render: renderedRedemption,
  }),
  rendererOf<RedemptionFailed>({
    kind: 'redemption.failed',
    of: 'RedemptionFailed',
    customers: customersOf,
    render: renderedRedemption,
  }),
  rendererOf<RedemptionRolledBack>({
    kind: 'redemption.rollback.succeeded',
    of: 'RedemptionRolledBack',
    customers: customersOf,
    render: rolledBack,
  }),
  rendererOf<RedemptionRollbackFailed>({
    kind: 'redemption.rollback.failed',
    of: 'RedemptionRollbackFailed',
    customers: customersOf,
    render: (fact, relations) => (isAnnounced(fact) ? rolledBack(fact, relations) : null),
  }),
];
