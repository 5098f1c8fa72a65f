import { instantProblem, isRefused, refuse } from '@scrip/kernel';
import type { Scenario } from '@scrip/order-preview';
import {
  customerRequest,
  described,
  identifier,
  integerFrom,
  jsonObject,
  listOf,
  namedShape,
  nullable,
  oneOf,
  orderRequest,
  parsePayload,
  type Reader,
  shape,
  text,
} from '@scrip/wire/requests';
import type { QualificationRefusal } from '../qualification.refusals';
import type { CandidateFilters } from '../candidates/candidate-filters';
import { type Cursor, cursorOf } from './cursor';

/** Largest page. */
export const qualifiedMax = 50;

const qualifiedByDefault = 5;

const valuesMax = 100;

const conditionsOn = <Value extends Reader<string>>(value: Value) =>
  nullable(
    shape({
      conditions: nullable(
        shape({
          $is: nullable(listOf(value, { most: valuesMax })),
          $is_not: nullable(listOf(value, { most: valuesMax })),
          $in: nullable(listOf(value, { most: valuesMax })),
          $not_in: nullable(listOf(value, { most: valuesMax })),
          $has_value: nullable(described(anyValues, 'Whatever stands here: the field has a value.')),
          $is_unknown: nullable(described(anyValues, 'Whatever stands here: the field has none.')),
        }),
      ),
    }),
  );

const anything: Reader<unknown> = Object.assign((value: unknown) => value, { schema: {} });

const anyValues = listOf(anything, { most: valuesMax });

const filters = namedShape('QualificationFilters', {
  junction: nullable(oneOf('and', 'or')),
  category_id: conditionsOn(identifier),
  campaign_id: conditionsOn(identifier),
  campaign_type: conditionsOn(
    oneOf('PROMOTION', 'GIFT_VOUCHERS', 'REFERRAL_PROGRAM', 'DISCOUNT_COUPONS', 'LOYALTY_PROGRAM'),
  ),
  resource_id: conditionsOn(identifier),
  resource_type: conditionsOn(oneOf('campaign', 'voucher', 'promotion_tier')),
  voucher_type: conditionsOn(oneOf('DISCOUNT_VOUCHER', 'GIFT_VOUCHER', 'LOYALTY_CARD')),
  code: conditionsOn(identifier),
  holder_role: conditionsOn(oneOf('OWNER', 'REFERRER', 'REFEREE')),
});

const options = shape({
  limit: nullable(
    described(
      integerFrom(1, qualifiedMax),
      `Redeemables of the answer, ${qualifiedByDefault} where it is not sent.`,
    ),
  ),
  starting_after: nullable(
    described(
      text,
      'Goes on behind these: `more_starting_after` of the page before, or the `created_at` of its last redeemable.',
    ),
  ),
  filters: nullable(filters),
  expand: nullable(listOf(oneOf('redeemable', 'category', 'validation_rules'), { most: 10 })),
  sorting_rule: nullable(oneOf('BEST_DEAL', 'LEAST_DEAL', 'DEFAULT')),
});

const scenarioNames = [
  'ALL',
  'CUSTOMER_WALLET',
  'AUDIENCE_ONLY',
  'PRODUCTS',
  'PRODUCTS_DISCOUNT',
  'PROMOTION_STACKS',
  'PRODUCTS_BY_CUSTOMER',
  'PRODUCTS_DISCOUNT_BY_CUSTOMER',
] as const satisfies readonly Scenario[];

/** Body of POST /v1/qualifications. */
export const qualificationRequest = namedShape('QualificationRequest', {
  customer: nullable(customerRequest),
  order: nullable(orderRequest),
  tracking_id: nullable(identifier),
  metadata: nullable(jsonObject),
  scenario: nullable(oneOf(...scenarioNames)),
  session: nullable(
    shape({
      type: nullable(described(oneOf('LOCK'), 'Gift cards show the credits that sessions hold.')),
    }),
  ),
  options: nullable(options),
});

type Sent = typeof qualificationRequest extends Reader<infer T> ? T : never;

/** What of a body is shown beside the redeemables themselves. */
export type QualificationExpand = 'redeemable' | 'category' | 'validation_rules';

/** In which order redeemables come. */
export type SortingRule = 'BEST_DEAL' | 'LEAST_DEAL' | 'DEFAULT';

/** A request with its defaults. */
export interface QualificationCall extends Pick<Sent, 'customer' | 'order' | 'tracking_id' | 'metadata'> {
  readonly scenario: Scenario;
  readonly limit: number;
  /** Null: from the first one on. */
  readonly after: Cursor | null;
  readonly sorting: SortingRule;
  readonly filters: CandidateFilters;
  readonly expand: ReadonlySet<QualificationExpand>;
  readonly locks: boolean;
}

/** Reads a body. Refuses `invalid_payload`. Source: reference 02 §8. */
export const parseQualificationRequest = (body: unknown): QualificationCall | QualificationRefusal => {
  const sent = parsePayload(qualificationRequest, body ?? {});
  if (isRefused(sent)) return sent;
  const { scenario = 'ALL', session, options: chosen = {}, ...parties } = sent;
  const { limit = qualifiedByDefault, starting_after, sorting_rule = 'DEFAULT', expand = [] } = chosen;
  const isFirst = starting_after === undefined || starting_after === 'null';
  const after = isFirst ? null : cursorOf(starting_after);
  if (!isFirst && !after)
    return refuse('invalid_payload', `Property .options.starting_after ${instantProblem(starting_after)}`);
  return {
    ...parties,
    scenario,
    limit,
    after,
    sorting: sorting_rule,
    filters: (chosen.filters ?? {}) as CandidateFilters,
    expand: new Set(expand),
    locks: session?.type === 'LOCK',
  };
};
