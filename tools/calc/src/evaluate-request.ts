import type { Refusal } from '@scrip/kernel';
import {
  type CalculationContext,
  type OrderState,
  type PromotionStack,
  type Redeemable,
  type StackingSettings,
  calculate,
} from '@scrip/order-calculation';
import {
  type CompiledRule,
  type RuleContext,
  type RuleWording,
  type Violation,
  bundlesOf,
  effectiveScope,
  evaluateRules,
} from '@scrip/rules';
import { EarlierRedemptions } from './earlier-redemptions';

type Customer = Omit<NonNullable<RuleContext['customer']>, 'holdsVoucher'>;
type Step = Parameters<NonNullable<CalculationContext['postCheck']>>[1];

/** The calculation of a request: the status of each redeemable, the order after all of them, and the consumption. */
export type Calculation = ReturnType<typeof calculate>;

/** A redeemable, and everything besides the order that decides whether it may be used. */
export interface Candidate {
  readonly redeemable: Omit<Redeemable, 'scope' | 'bundle'>;
  /** Its own rules and its campaign's, in assignment order. */
  readonly rules: readonly CompiledRule[];
  /** What refusals call it. */
  readonly label: RuleWording['label'];
  /** The refusal that does not depend on the order: unknown, switched off, outside its dates, used up. */
  readonly unusable: Refusal | null;
  /** Whether the customer holds the voucher. */
  readonly isHeld: boolean;
  /** Redemptions, amounts and credits that its limits have counted before this request, by the rule's name. */
  readonly counted: (ruleName: string) => number;
}

/** Several tiers that are asked for under one name. */
export type CandidateStack = Omit<PromotionStack, 'tiers'> & { readonly tiers: readonly Candidate[] };

/** A request with everything that was loaded for it. `context`: what calculation and rules read alike. */
export interface EvaluationRequest {
  /** Null: the request has none. */
  readonly order: OrderState | null;
  readonly requested: readonly (Candidate | CandidateStack)[];
  readonly settings: StackingSettings;
  readonly customer: Customer | null;
  readonly redemption: Pick<NonNullable<RuleContext['redemption']>, 'metadata' | 'apiKeyId' | 'userLogin'>;
  readonly orderMetadata: Readonly<Record<string, unknown>>;
  /** The project's own texts by error key. */
  readonly messages: Readonly<Record<string, string>>;
  readonly context: Required<
    Pick<CalculationContext, 'now' | 'timezone' | 'catalogue' | 'unitsUsed' | 'facts'>
  >;
}

const keyOf = ({ object, id }: Pick<Redeemable, 'object' | 'id'>): string => `${object} ${id}`;

const candidatesOf = (requested: EvaluationRequest['requested'][number]): readonly Candidate[] =>
  'tiers' in requested ? requested.tiers : [requested];

const needResult = ({ rules }: Candidate): boolean => rules.some(({ needsResult }) => needsResult);

/** Verdicts on the candidates of one request, in the order in which the calculation asks for them. */
class RuleChecks {
  private readonly earlier = new EarlierRedemptions();

  constructor(private readonly request: EvaluationRequest) {}

  /** Runs before the effect is computed. When one rule reads the result, all rules run after it, so that the refusal
   *  names every violated rule. Source: reference 02 §4.3, §4.4. */
  before(candidate: Candidate, order: OrderState | null): Refusal | null {
    if (!needResult(candidate)) {
      return this.refusalOf(candidate, { before: order, after: null, result: {} });
    }
    if (candidate.rules.every(({ bundle }) => bundle === null)) return null;
    // Without a complete bundle there is no effect to compute.
    const unchanged = this.refusalOf(candidate, { before: order, after: order, result: {} });
    return unchanged && violationsOf(unchanged).some(({ path }) => path === 'bundle_rules')
      ? unchanged
      : null;
  }

  /** Runs with the result. A step that passes is applied, and limits of later candidates count it. */
  after(candidate: Candidate, step: Step): Refusal | null {
    const refusal = needResult(candidate) ? this.refusalOf(candidate, step) : null;
    if (!refusal) this.earlier.add(candidate.redeemable, step);
    return refusal;
  }

  private refusalOf(candidate: Candidate, step: Step): Refusal | null {
    const { rules, label } = candidate;
    const { messages } = this.request;
    const context = this.contextOf(candidate, step);
    const { refusal, violations } = evaluateRules(rules, context, 'FULL', { label, messages });
    return refusal && { ...refusal, violations };
  }

  private contextOf(
    { redeemable, isHeld, counted }: Candidate,
    { before, after, result }: Step,
  ): RuleContext {
    const { order: initial, orderMetadata: metadata, customer, redemption, context } = this.request;
    return {
      now: context.now,
      timezone: context.timezone,
      customer: customer && { ...customer, holdsVoucher: isHeld },
      order: initial && before && { initial, before, after, metadata },
      redemption: {
        ...redemption,
        pointsUsed: result.loyalty_card?.points ?? null,
        giftAmount: result.gift?.credits ?? 0,
      },
      customEvent: null,
      counted: (ruleName) => counted(ruleName) + this.earlier.counted(ruleName, redeemable),
    };
  }
}

/** Decides which redeemables apply and calculates the order, with all rules, limits, scopes and bundles. Pure: the
 *  same request gives the same result. Refusals by rules have `violations`, one per failed condition (see
 *  `violationsOf`). Source: reference 01 §1, §10, reference 02 §4. */
export const evaluateRequest = (request: EvaluationRequest): Calculation => {
  const { order, requested, settings, customer, context } = request;
  const candidates = new Map(
    requested.flatMap(candidatesOf).map((candidate) => [keyOf(candidate.redeemable), candidate]),
  );
  const candidateOf = (redeemable: Redeemable): Candidate => candidates.get(keyOf(redeemable))!;
  const asRedeemable = ({ redeemable, rules, label }: Candidate): Redeemable => ({
    ...redeemable,
    scope: effectiveScope(rules, order, context),
    bundle: bundlesOf(rules, { label, messages: request.messages }),
  });
  const checks = new RuleChecks(request);
  return calculate(
    order,
    requested.map((one) =>
      'tiers' in one ? { ...one, tiers: one.tiers.map(asRedeemable) } : asRedeemable(one),
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
};

/** Returns the failed conditions of a refusal of `evaluateRequest`; none when no rule refused. */
export const violationsOf = ({ violations = [] }: Refusal): readonly Violation[] =>
  violations as readonly Violation[];
