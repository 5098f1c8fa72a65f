import { type RedeemableVoucher, quantityAllows, usableAt } from '@scrip/contracts';
import { type Refusal, isRefused, refuse } from '@scrip/kernel';
import {
  type CalculatedOrder,
  type CalculatedRedeemable,
  type Discount,
  type OrderState,
  type Redeemable,
  type StackingSettings,
  calculate,
} from '@scrip/order-calculation';
import type { RedeemableRequest } from '../request/redeemables-request';

/** One thing that was asked for and what is known of it: the voucher, or why there is none. */
export interface Candidate {
  requested: RedeemableRequest;
  found: RedeemableVoucher | Refusal;
}

/** A candidate after the evaluation; `loaded` null where nothing was found. `id`: the voucher's code, else what was
 *  sent. */
export interface EvaluatedRedeemable {
  id: string;
  object: 'voucher' | 'promotion_tier';
  loaded: RedeemableVoucher | null;
  outcome: CalculatedRedeemable;
}

/** `order`: after everything that applies; null without an order in the request. */
export interface Evaluation {
  valid: boolean;
  redeemables: EvaluatedRedeemable[];
  order: CalculatedOrder | null;
}

const notFound = (id: string, resource: 'voucher' | 'promotion_tier' | 'promotion_stack'): Refusal =>
  refuse('not_found', `Cannot find ${resource.replace('_', ' ')} with id ${id}`, {
    resourceId: id,
    resourceType: resource,
  });

/** What is known of promotions: nothing, since none can be created yet. */
export const unknownPromotion = ({ object, id }: RedeemableRequest): Refusal => notFound(id, object);

/** What decides about a voucher by itself. `usesAreClaimed`: uses are claimed afterwards, and the owner decides about
 *  them then: what is loaded counts uses that may yet be given back, and only the owner can ask for their verdicts. */
interface Conditions {
  now: Date;
  timezone: string;
  usesAreClaimed: boolean;
}

/** Checks of one redeemable that need no order, in the interface's order; the first that fails decides.
 *  Source: spec 03 §4.3. */
const usability = (
  { voucher, campaign }: RedeemableVoucher,
  { now, timezone, usesAreClaimed }: Conditions,
): Refusal | null =>
  usableAt(voucher, campaign, now, timezone) ?? (usesAreClaimed ? null : quantityAllows(voucher));

/** Free units need catalogue records and formulas need facts that are not loaded here. */
const isCalculable = (discount: Discount): boolean =>
  discount.type !== 'UNIT' && Object.keys(discount).every((field) => !field.endsWith('_formula'));

const incentiveOf = ({ voucher: { type, discount } }: RedeemableVoucher): Redeemable['incentive'] =>
  type === 'DISCOUNT_VOUCHER' && discount && isCalculable(discount) ? { discount } : null;

/** Its own, else its campaign's. Source: spec 01 §10. */
const categoriesOf = ({ voucher, campaign }: RedeemableVoucher) =>
  voucher.categories.length > 0 ? voucher.categories : (campaign?.categories ?? []);

const asRedeemable = ({ requested, found }: Candidate): Redeemable => {
  const object = requested.object === 'voucher' ? 'voucher' : 'promotion_tier';
  return isRefused(found)
    ? { object, id: requested.id, incentive: null }
    : { object, id: found.voucher.code, incentive: incentiveOf(found), categories: categoriesOf(found) };
};

const refusalOf = ({ requested, found }: Candidate, conditions: Conditions): Refusal | null => {
  if (!isRefused(found)) return usability(found, conditions);
  return found.refused === 'not_found' && requested.object === 'voucher'
    ? notFound(requested.id, 'voucher')
    : found;
};

/** One request never names a redeemable twice. */
const nameOf = ({ object, id }: Pick<Redeemable, 'object' | 'id'>): string => `${object} ${id}`;

/** Decides what applies and what each redeemable makes of the order. Pure: all knowledge is in its arguments.
 *  `order` null: the request has none. Source: spec 03 §4. */
export const evaluate = ({
  candidates,
  order,
  settings,
  ...conditions
}: {
  candidates: readonly Candidate[];
  order: OrderState | null;
  settings: StackingSettings;
} & Conditions): Evaluation => {
  const candidateOf = new Map(candidates.map((candidate) => [nameOf(asRedeemable(candidate)), candidate]));
  const preCheck = (redeemable: Redeemable): Refusal | null =>
    refusalOf(candidateOf.get(nameOf(redeemable))!, conditions);
  const calculation = calculate(order, candidates.map(asRedeemable), settings, { preCheck });
  return {
    valid: calculation.valid,
    order: calculation.order,
    redeemables: calculation.redeemables.map((outcome) => {
      const { id, object } = outcome;
      const { found } = candidateOf.get(nameOf(outcome))!;
      return { id, object, loaded: isRefused(found) ? null : found, outcome };
    }),
  };
};
