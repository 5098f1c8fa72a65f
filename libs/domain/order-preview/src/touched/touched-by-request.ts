import {
  type CalculationContext,
  type UnitBudget,
  isPerCustomer,
  touchedBudgets,
  unitBudgetName,
} from '@scrip/order-calculation';
import { asRedeemable } from '../evaluation/evaluate-request';
import { type Candidate, type EvaluationRequest, candidatesIn } from '../request/evaluation-request';
import {
  type Counted,
  type CountedCaller,
  type CountedMoment,
  type CounterKey,
  type TouchedCounter,
  counterName,
  counterOf,
  counterRuleOf,
} from './limit-counter';

/** A unit budget of a request. `customer`: whose units it counts; null where it counts those of all. */
export interface TouchedBudget extends UnitBudget {
  readonly customer: string | null;
}

/** What a request may read and change: each once, in the order in which every request locks them. */
export interface Touched {
  readonly counters: readonly TouchedCounter[];
  readonly budgets: readonly TouchedBudget[];
}

/** Budgets with equal names are one counter. */
export const touchedBudgetName = (budget: TouchedBudget): string =>
  `${unitBudgetName(budget)} ${budget.customer ?? ''}`;

const byText =
  <T>(textOf: (one: T) => readonly string[]) =>
  (left: T, right: T): number => {
    const others = textOf(right);
    for (const [position, text] of textOf(left).entries()) {
      if (text !== others[position]) return text < others[position]! ? -1 : 1;
    }
    return 0;
  };

const partsOf = ({ object, counted_by, subject }: CounterKey): readonly string[] => [
  object,
  counted_by,
  subject,
];

const inLockOrder = byText(({ key, since }: TouchedCounter) => [...partsOf(key), since ?? '']);

const budgetsInLockOrder = byText((budget: TouchedBudget) => [touchedBudgetName(budget)]);

const countersOf = (
  candidates: readonly Candidate[],
  caller: CountedCaller,
  moment: CountedMoment,
): TouchedCounter[] => {
  const touched = new Map<string, TouchedCounter>();
  for (const candidate of candidates) {
    for (const ruleName of candidate.rules.flatMap(({ counters }) => counters)) {
      const counter = counterOf(ruleName, candidate, caller, moment);
      if (counter) touched.set(counterName(counter), counter);
    }
  }
  return [...touched.values()].sort(inLockOrder);
};

/** Lists the counters and unit budgets that a request may touch, whatever becomes of it, so that one call loads them and
 *  they are locked in one order by all. What a limit counts for someone names them; without a customer, key or team
 *  member there is no such counter. Source: reference 01 §6, reference 02 §3.3, architecture §8 step 3. */
export const touchedBy = (
  request: Pick<EvaluationRequest, 'order' | 'requested' | 'messages'> & {
    readonly context: Pick<EvaluationRequest['context'], 'now' | 'timezone' | 'catalogue'>;
  },
  caller: CountedCaller,
  { firstWeekday }: Pick<CountedMoment, 'firstWeekday'> = {},
): Touched => {
  const { order, requested, context } = request;
  const candidates = candidatesIn(requested);
  const { customerId } = caller;
  const budgets = touchedBudgets(
    order,
    candidates.map((candidate) => asRedeemable(candidate, request)),
    { catalogue: context.catalogue, hasCustomer: customerId !== null },
  ).map((budget) => ({ ...budget, customer: isPerCustomer(budget) ? customerId : null }));
  return {
    counters: countersOf(candidates, caller, {
      ...context,
      ...(firstWeekday === undefined ? {} : { firstWeekday }),
    }),
    budgets: budgets.sort(budgetsInLockOrder),
  };
};

/** Answers a candidate's `counted` from counters that were read, by their name; what is missing is zero. */
export const countedFrom =
  (
    read: ReadonlyMap<string, Counted>,
    candidate: Pick<Candidate, 'redeemable' | 'objectId'>,
    caller: CountedCaller,
    moment: CountedMoment,
  ): Candidate['counted'] =>
  (ruleName) => {
    const counter = counterOf(ruleName, candidate, caller, moment);
    return (counter && read.get(counterName(counter))?.[counterRuleOf(ruleName).measure]) ?? 0;
  };

/** Answers `unitsUsed` from budgets that were read, by their name; what is missing is zero. */
export const unitsUsedFrom =
  (
    read: ReadonlyMap<string, number>,
    { customerId }: Pick<CountedCaller, 'customerId'>,
  ): NonNullable<CalculationContext['unitsUsed']> =>
  (budget) =>
    read.get(touchedBudgetName({ ...budget, customer: isPerCustomer(budget) ? customerId : null })) ?? 0;
