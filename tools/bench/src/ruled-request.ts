import { isRefused } from '@scrip/kernel';
import {
  Catalogue,
  type Discount,
  type OrderState,
  defaultStackingSettings,
  normaliseOrder,
} from '@scrip/order-calculation';
import type { Candidate, EvaluationRequest } from '@scrip/order-preview';
import { type CompiledRule, compileRule } from '@scrip/rules';

const redeemablesCount = 30;
const linesCount = 100;

const catalogue = new Catalogue({
  products: Array.from({ length: 20 }, (_, index) => ({
    id: `prod_${index}`,
    name: `Product ${index}`,
    price: 500 + index,
    collections: [`pc_${index % 4}`],
  })),
});

const orderOfLines = (): OrderState => {
  const items = Array.from({ length: linesCount }, (_, index) => ({
    product_id: `prod_${index % 20}`,
    quantity: 1 + (index % 3),
    price: 500 + index,
    metadata: { color: index % 2 === 0 ? 'red' : 'blue' },
  }));
  const order = normaliseOrder({ items }, null, '', { catalogue });
  if (isRefused(order)) throw new Error(order.details);
  return order;
};

const kinds: readonly Discount[] = [
  { type: 'PERCENT', percent_off: 2, effect: 'APPLY_TO_ITEMS' },
  { type: 'AMOUNT', amount_off: 3, effect: 'APPLY_TO_ITEMS' },
  { type: 'AMOUNT', amount_off: 2, effect: 'APPLY_TO_ITEMS_BY_QUANTITY' },
  { type: 'AMOUNT', amount_off: 700, effect: 'APPLY_TO_ITEMS_PROPORTIONALLY' },
  { type: 'PERCENT', percent_off: 1.5, effect: 'APPLY_TO_ORDER' },
  { type: 'AMOUNT', amount_off: 50, effect: 'APPLY_TO_ORDER' },
];

const compiled = (definition: object, id: string): CompiledRule => {
  const rule = compileRule(definition, id);
  if (isRefused(rule)) throw new Error(rule.details);
  return rule;
};

const conditionsOf = (index: number): object => ({
  name: 'conditions',
  rules: {
    1: { name: 'customer.segment', conditions: { $is: ['seg_vip'] } },
    2: {
      name: 'order.items.any',
      conditions: { $is: [{ object: 'products_collection', id: `pc_${index % 4}` }] },
      rules: { 1: { name: 'order.items.aggregated_quantity', conditions: { $more_than: [2] } } },
    },
    3: { name: 'order.initial_amount', conditions: { $more_than: [1_000] } },
    4: { name: 'campaign.redemptions.count.daily', conditions: { $less_than_or_equal: [1_000] } },
    5: { name: 'campaign.orders.amount_discounted', conditions: { $less_than_or_equal: [10_000_000] } },
    6: { name: 'order.items.metadata_any', property: 'color', conditions: { $is: ['red'] } },
  },
});

const scopeOf = (index: number): object => ({
  name: 'scope',
  applicable_to: {
    included: [
      {
        object: 'products_collection',
        id: `pc_${index % 4}`,
        product_in_collection_customer_campaign_quantity_limit: 50,
        product_campaign_quantity_limit: 500,
      },
      {
        object: 'product',
        id: `prod_${index % 20}`,
        quantity_limit: 2,
        product_campaign_quantity_limit: 100,
      },
    ],
    excluded: [{ object: 'product', id: `prod_${(index + 7) % 20}` }],
  },
});

const candidateOf = (index: number): Candidate => ({
  redeemable: {
    object: 'voucher',
    id: `V${index}`,
    campaignId: `camp_${index % 5}`,
    incentive: { discount: kinds[index % kinds.length]! },
  },
  rules: [compiled(conditionsOf(index), `val_${index}_1`), compiled(scopeOf(index), `val_${index}_2`)],
  label: 'Discount Coupon',
  unusable: null,
  isHeld: false,
  counted: () => 3,
});

/** The largest request that is answered: 30 vouchers with rules, scopes and unit budgets, all of which apply to an order
 *  of 100 lines. */
export const ruledRequest = (): EvaluationRequest => ({
  order: orderOfLines(),
  requested: Array.from({ length: redeemablesCount }, (_, index) => candidateOf(index)),
  settings: { ...defaultStackingSettings, applicable_redeemables_limit: redeemablesCount },
  customer: { segments: ['seg_vip'], tiers: [], metadata: {} },
  redemption: { metadata: {}, apiKeyId: 'app_1', userLogin: null },
  orderMetadata: {},
  messages: {},
  context: {
    now: new Date('2026-03-31T10:00:00.000Z'),
    timezone: 'Europe/Warsaw',
    catalogue,
    unitsUsed: () => 1,
    facts: {},
  },
});
