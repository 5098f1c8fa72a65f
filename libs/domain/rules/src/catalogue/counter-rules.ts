import type { OrderState } from '@scrip/order-calculation';
import type { RuleContext } from '../evaluation/rule-context';
import type { RuleEntry } from './rule-entry';

const discountOf = ({ discountAmount, lines }: OrderState): number => {
  let sum = discountAmount;
  for (const line of lines) sum += line.discountAmount;
  return sum;
};

/** What the incentive takes off the order, minor units. */
const discountGiven = ({ order }: RuleContext): number =>
  order?.after ? discountOf(order.after) - discountOf(order.before) : 0;

/** Limits count what is judged, too: `share` is its part. Undefined: this cannot be counted here. */
const counter = (
  name: string,
  share: (context: RuleContext) => number | undefined,
  traits: Pick<RuleEntry, 'needsResult' | 'perCustomer'> = {},
): RuleEntry => ({
  ...traits,
  name,
  group: 'redemption',
  qualifies: false,
  isCounted: true,
  measure: {
    of: 'request',
    kind: 'number',
    value: (context) => {
      const own = share(context);
      return own === undefined ? undefined : context.counted(name) + own;
    },
  },
});

const periods = ['daily', 'weekly', 'monthly'];
const withPeriods = (name: string): string[] => [name, ...periods.map((period) => `${name}.${period}`)];

const oneRedemption = (): number => 1;
const oneOfCustomer = ({ customer }: RuleContext): number | undefined => (customer ? 1 : undefined);

/** Limits and budgets. Source: reference 02 §3.3. */
export const counterRules: readonly RuleEntry[] = [
  ...withPeriods('campaign.redemptions.count').map((name) => counter(name, oneRedemption)),
  ...withPeriods('campaign.redemptions.customers_count').map((name) =>
    counter(name, oneOfCustomer, { perCustomer: true }),
  ),
  ...periods.map((period) => counter(`redemption.count.${period}`, oneRedemption)),
  ...withPeriods('redemption.count.per_customer').map((name) =>
    counter(name, oneOfCustomer, { perCustomer: true }),
  ),
  counter('redemption.count.per_api_key', ({ redemption }) => (redemption?.apiKeyId == null ? undefined : 1)),
  counter('redemption.count.per_user', ({ redemption }) => (redemption?.userLogin == null ? undefined : 1)),
  counter('campaign.orders.amount', ({ order }) => order?.before.amount ?? 0),
  counter('campaign.orders.amount_discounted', discountGiven, { needsResult: true }),
  counter('redemption.gift.amount', ({ redemption }) => redemption?.giftAmount ?? 0, { needsResult: true }),
];
