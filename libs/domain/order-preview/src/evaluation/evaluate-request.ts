import { type OrderState, type Redeemable, calculate, matchBundle } from '@scrip/order-calculation';
import { type RuleMode, bundlesOf, effectiveScope, isBundleWaived } from '@scrip/rules';
import {
  type Candidate,
  type EvaluationRequest,
  candidatesIn,
  redeemableKey,
} from '../request/evaluation-request';
import { type CountedVerdict, RuleChecks } from './rule-checks';

/** The calculation of a request: the status of each redeemable, the order after all of them, the consumption, and the verdicts
 *  that counters may change until it is recorded. */
export type Calculation = ReturnType<typeof calculate> & {
  readonly countedVerdicts: readonly CountedVerdict[];
};

const isThere = (bundle: NonNullable<Redeemable['bundle']>, order: OrderState | null): boolean =>
  order !== null && matchBundle(order, bundle).quantity > 0;

/** What a candidate's scope and bundle depend on besides its rules. */
type RedeemableSetting = Pick<EvaluationRequest, 'order' | 'messages'> & {
  readonly context: Pick<EvaluationRequest['context'], 'now' | 'timezone'>;
};

/** The candidate as the calculation takes it, with what its rules say of items. */
export const asRedeemable = (
  { redeemable, rules, label, objectId }: Pick<Candidate, 'redeemable' | 'rules' | 'label' | 'objectId'>,
  { order, context, messages }: RedeemableSetting,
  mode: RuleMode = 'FULL',
): Redeemable => {
  if (rules.length === 0) return redeemable;
  const bundle = bundlesOf(rules, { label, messages });
  return {
    ...redeemable,
    // A code may be given to another voucher one day: budgets of one without campaign are those of its id.
    ...(redeemable.campaignId === undefined && objectId !== undefined ? { campaignId: objectId } : {}),
    scope: effectiveScope(rules, order, context),
    // One that the mode waives multiplies the discount where it is there, and is no condition where it is not.
    ...(bundle && isBundleWaived(mode) && !isThere(bundle, order) ? {} : { bundle }),
  };
};

/** Evaluates with verdicts of `checks`, which are of the same request and mode. */
export const evaluateWith = (checks: RuleChecks, request: EvaluationRequest, mode: RuleMode): Calculation => {
  const { order, requested, settings, customer, context } = request;
  const candidates = new Map(
    candidatesIn(requested).map((candidate) => [redeemableKey(candidate.redeemable), candidate]),
  );
  const candidateOf = (redeemable: Redeemable): Candidate => candidates.get(redeemableKey(redeemable))!;
  const calculation = calculate(
    order,
    requested.map((one) =>
      'tiers' in one
        ? { ...one, tiers: one.tiers.map((tier) => asRedeemable(tier, request, mode)) }
        : asRedeemable(one, request, mode),
    ),
    settings,
    {
      ...context,
      hasCustomer: customer !== null,
      preCheck: (redeemable) => candidateOf(redeemable).unusable,
      ruleCheck: (redeemable, before) => checks.before(candidateOf(redeemable), before),
      postCheck: (redeemable, step) => checks.after(candidateOf(redeemable), step),
    },
  );
  return { ...calculation, countedVerdicts: checks.countedVerdicts() };
};

/** Decides which redeemables apply and calculates the order, with all rules, limits, scopes and bundles. Pure: the
 *  same request gives the same result. Refusals by rules have `violations`, one per failed condition (see
 *  `violationsOf`). `mode`: which rules are evaluated. Source: reference 01 §1, §10, reference 02 §4. */
export const evaluateRequest = (request: EvaluationRequest, mode: RuleMode = 'FULL'): Calculation =>
  evaluateWith(new RuleChecks(request, mode), request, mode);
