import type { Refusal } from '@scrip/kernel/pure';
import type { AppliedStep, OrderState } from '@scrip/order-calculation';
import {
  type CompiledRule,
  type RuleContext,
  type RuleMode,
  type Violation,
  evaluateRules,
} from '@scrip/rules';
import type { Candidate, EvaluationRequest } from '../request/evaluation-request';
import { EarlierRedemptions } from './earlier-redemptions';

/** What the request tells rules, besides what its redeemables do. */
type RuleFacts = Pick<
  EvaluationRequest,
  'order' | 'customer' | 'redemption' | 'orderMetadata' | 'messages'
> & { readonly context: Pick<EvaluationRequest['context'], 'now' | 'timezone'> };

const readsResult = ({ needsResult }: CompiledRule): boolean => needsResult;

const readsCounter = ({ counters }: CompiledRule): boolean => counters.length > 0;

/** Whether a rule looks at what the redeemable did: all of its rules are then judged after the calculation. */
export const needsResult = ({ rules }: Pick<Candidate, 'rules'>): boolean => rules.some(readsResult);

/** Returns the failed conditions of a refusal of `evaluateRequest`; none when no rule refused. */
export const violationsOf = ({ violations = [] }: Refusal<string>): readonly Violation[] =>
  violations as readonly Violation[];

const lacksBundle = (refusal: Refusal<string>): boolean =>
  violationsOf(refusal).some(({ path }) => path === 'bundle_rules');

/** What rules see at a step. `counted`: without what is judged. */
const ruleContextOf = (
  { order: initial, orderMetadata: metadata, customer, redemption, context }: RuleFacts,
  { isHeld }: Pick<Candidate, 'isHeld'>,
  { before, after, result }: AppliedStep,
  counted: RuleContext['counted'],
): RuleContext => ({
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
  counted,
});

/** The verdict on a redeemable that applies and whose rules read counters. `refusalWith`: the same rules on the same step with
 *  other counts, which leave out this request; null: they hold. */
export interface CountedVerdict {
  readonly candidate: Candidate;
  refusalWith(counted: Candidate['counted']): Refusal<string> | null;
}

/** Verdicts on the candidates of one request, in the order in which the calculation asks for them. */
export class RuleChecks {
  private readonly earlier = new EarlierRedemptions();
  private readonly verdicts: CountedVerdict[] = [];

  /** `onJudgement`: called with each candidate and the context it is judged in. A candidate may be judged twice; the last call
   *  counts. */
  constructor(
    private readonly facts: RuleFacts,
    private readonly mode: RuleMode,
    private readonly onJudgement?: (candidate: Candidate, context: RuleContext) => void,
  ) {}

  /** Runs before the effect is computed. When one rule reads the result, all rules run after it, so that the refusal
   *  names every violated rule. Source: reference 02 §4.3, §4.4. */
  before(candidate: Candidate, order: OrderState | null): Refusal<string> | null {
    if (!needsResult(candidate)) {
      return this.refusalOf(candidate, { before: order, after: null, result: {} });
    }
    if (candidate.rules.every(({ bundle }) => bundle === null)) return null;
    // Without a complete bundle there is no effect to compute.
    const unchanged = this.refusalOf(candidate, { before: order, after: order, result: {} });
    return unchanged && lacksBundle(unchanged) ? unchanged : null;
  }

  /** Runs with the result. A step that passes is applied, and limits of later candidates count it. */
  after(candidate: Candidate, step: AppliedStep): Refusal<string> | null {
    const readsStep = needsResult(candidate);
    const refusal = readsStep ? this.refusalOf(candidate, step) : null;
    if (refusal) return refusal;
    if (candidate.rules.some(readsCounter)) {
      const judged = readsStep ? step : { before: step.before, after: null, result: {} };
      this.verdicts.push(this.countedVerdict(candidate, judged));
    }
    this.earlier.add(candidate.redeemable, step);
    return null;
  }

  /** Those on what applies, in the order of application. */
  countedVerdicts(): readonly CountedVerdict[] {
    return this.verdicts;
  }

  private countedVerdict(candidate: Candidate, step: AppliedStep): CountedVerdict {
    const { rules, label, redeemable } = candidate;
    const wording = { label, messages: this.facts.messages };
    const names = new Set(rules.flatMap(({ counters }) => counters));
    const earlier = new Map([...names].map((name) => [name, this.earlier.counted(name, redeemable)]));
    return {
      candidate,
      refusalWith: (counted) => {
        if ([...names].every((name) => counted(name) === candidate.counted(name))) return null;
        const withEarlier = (name: string): number => counted(name) + (earlier.get(name) ?? 0);
        const context = ruleContextOf(this.facts, candidate, step, withEarlier);
        const { refusal, violations } = evaluateRules(rules, context, this.mode, wording);
        return refusal && { ...refusal, violations };
      },
    };
  }

  private contextOf(candidate: Candidate, step: AppliedStep): RuleContext {
    const { counted, redeemable } = candidate;
    return ruleContextOf(
      this.facts,
      candidate,
      step,
      (ruleName) => counted(ruleName) + this.earlier.counted(ruleName, redeemable),
    );
  }

  private refusalOf(candidate: Candidate, step: AppliedStep): Refusal<string> | null {
    const { rules, label } = candidate;
    if (rules.length === 0) return null;
    const { messages } = this.facts;
    const context = this.contextOf(candidate, step);
    this.onJudgement?.(candidate, context);
    const { refusal, violations } = evaluateRules(rules, context, this.mode, { label, messages });
    return refusal && { ...refusal, violations };
  }
}
