import {
  type RedemptionFact,
  type RedemptionFailed,
  type RedemptionRollbackFailed,
  type RedemptionRolledBack,
  type RedemptionSnapshot,
  type RedemptionSucceeded,
  simpleCampaign,
  simpleCustomer,
  simpleOrder,
  simpleRedemption,
  simpleVoucher,
} from '@scrip/contracts';
import { type Relations, rendererOf } from '../renderer';

const customersOf = ({ redemption }: RedemptionFact): (string | null)[] => [
  redemption.customer_id,
  redemption.voucher?.holder_id ?? null,
];

const short = <T>(value: T | null | undefined, render: (value: T) => object): object | null =>
  value ? render(value) : null;

const relationsOf = (redemption: RedemptionSnapshot, relations: Relations) => ({
  customer: short(relations.customer(redemption.customer_id), simpleCustomer),
  order: short(redemption.order, simpleOrder),
  voucher: short(redemption.voucher, simpleVoucher),
});

/** What all redemption kinds show of `subject`, the redemption or the rollback. A parent has no voucher. */
const related = (subject: RedemptionSnapshot, { campaign }: RedemptionFact, relations: Relations) => {
  const { customer, order, voucher } = relationsOf(subject, relations);
  return {
    customer,
    order,
    campaign: short(campaign, simpleCampaign),
    voucher,
    holder: short(relations.customer(subject.voucher?.holder_id ?? null), simpleCustomer),
    promotion_tier: null,
    promotion_stack: null,
  };
};

const attempt = (fact: RedemptionFact, relations: Relations) => {
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

const rolledBack = (fact: RedemptionFact & { rollback: RedemptionSnapshot }, relations: Relations) => {
  const { redemption, rollback } = fact;
  return {
    entityId: rollback.id,
    data: {
      ...related(rollback, fact, relations),
      redemption: simpleRedemption(redemption, relationsOf(redemption, relations)),
      redemption_rollback: simpleRedemption(rollback, relationsOf(rollback, relations)),
    },
  };
};

/** Kinds about redemptions and rollbacks: one per child and one for the parent of a stack. Source: spec 06 §3. */
export const redemptionRenderers = [
  rendererOf<RedemptionSucceeded>({
    kind: 'redemption.succeeded',
    of: 'RedemptionSucceeded',
    customers: customersOf,
    render: attempt,
  }),
  rendererOf<RedemptionFailed>({
    kind: 'redemption.failed',
    of: 'RedemptionFailed',
    customers: customersOf,
    render: attempt,
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
    render: rolledBack,
  }),
];
