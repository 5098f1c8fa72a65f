import { always, never, type RuleRow } from './rule-row.fixture';

/** Stand for what set-up gets. */
export const vips = 'segment of who has tier VIP';
export const kitchen = 'collection of mug and pot';
export const ownKey = 'application of the calling key';
export const member = 'login of the member who calls';
export const mugById = 'id of mug';
export const redPotById = 'id of pot-red';

const product = (source_id: string) => ({ object: 'product', source_id });
const inKitchen = { $from: [{ object: 'products_collection', id: kitchen }] };

/** What the tables of names expect: two mugs and a pot, 50.00; 5.00 come off. */
export const metRequest = {
  customer: { tier: 'VIP' },
  redemption: { till: 'T1' },
  order: { channel: 'web' },
  items: [
    { source_id: 'mug', related_object: 'product', quantity: 2, price: 1_000, metadata: { shelf: 'A' } },
    { source_id: 'pot-red', related_object: 'sku', quantity: 1, price: 3_000, metadata: { shelf: 'A' } },
  ],
};

/** What they do not: five cups, 20.00. */
export const unmetRequest = {
  customer: { tier: 'NONE' },
  redemption: { till: 'T2' },
  order: { channel: 'shop' },
  items: [{ source_id: 'cup', related_object: 'product', quantity: 5, price: 400, metadata: { shelf: 'B' } }],
};

/** Rules of reference 02 §3.1. */
export const customerAndOrderRules: readonly RuleRow[] = [
  { name: 'customer.segment', conditions: { $is: [vips] } },
  { name: 'customer.metadata', property: 'tier', conditions: { $is: ['VIP'] } },
  // No customer holds a tier yet.
  { name: 'customer.loyalty_tier', conditions: { $is: ['ltr_1'] }, ...never },
  { name: 'customer.loyalty_tier', conditions: { $is_not: ['ltr_1'] }, ...always },
  { name: 'publication.redeemable_by_linked_customer', conditions: { $is: [true] } },
  { name: 'order.amount', conditions: { $more_than_or_equal: [5_000] } },
  // Operators are ANDed: reference 02 §2.
  { name: 'order.amount', conditions: { $more_than: [4_999], $less_than: [5_001] } },
  { name: 'order.total_amount', conditions: { $is: [4_500] } },
  { name: 'order.initial_amount', conditions: { $is: [5_000] } },
  { name: 'order.items.count', conditions: { $is: [3] } },
  { name: 'order.items.price_any', conditions: { $is: [3_000] } },
  { name: 'order.items.price_each', conditions: { $more_than_or_equal: [1_000] } },
  { name: 'order.items.metadata_any', property: 'shelf', conditions: { $is: ['A'] } },
  { name: 'order.items.metadata_each', property: 'shelf', conditions: { $is: ['A'] } },
  { name: 'order.metadata', property: 'channel', conditions: { $is: ['web'] } },
  { name: 'redemption.metadata', property: 'till', conditions: { $is: ['T1'] } },
  { name: 'redemption.api_key', conditions: { $is: [ownKey] }, ...always },
  { name: 'redemption.api_key', conditions: { $is: ['another application'] }, ...never },
  // The call of a key has no member, a validation no points and no event.
  { name: 'redemption.user.login', conditions: { $is: ['ann@example.com'] }, ...never },
  { name: 'redemption.user.login', conditions: { $is_not: ['ann@example.com'] }, ...never },
  { name: 'redemption.reward.pay_with_points.points_used', conditions: { $less_than: [9] }, ...never },
  { name: 'custom_event.metadata', property: 'kind', conditions: { $is: ['review'] }, ...never },
];

const twoMugs = [
  { name: 'order.items.aggregated_quantity', conditions: { $is: [2] } },
  { name: 'order.items.aggregated_amount', conditions: { $is: [2_000] } },
  { name: 'order.items.price', conditions: { $is: [1_000] } },
  { name: 'order.items.quantity', conditions: { $is: [2] } },
  { name: 'order.items.metadata', property: 'shelf', conditions: { $is: ['A'] } },
];

/** Rules of reference 02 §3.2. */
export const structureRules: readonly RuleRow[] = [
  { name: 'order.items.any', conditions: { $is: [product('mug')] }, below: twoMugs },
  {
    ...{ name: 'order.items.every', conditions: inKitchen },
    below: [
      { name: 'order.items.aggregated_quantity', conditions: { $is: [3] } },
      { name: 'order.items.aggregated_amount', conditions: { $is: [5_000] } },
      { name: 'order.items.price', conditions: { $more_than_or_equal: [1_000] } },
      { name: 'order.items.quantity', conditions: { $less_than: [3] } },
      { name: 'order.items.metadata', property: 'shelf', conditions: { $is: ['A'] } },
    ],
  },
  { name: 'order.items.none', conditions: { $is: [product('cup')] } },
  { name: 'order.items.cheapest', conditions: { ...inKitchen, $is: [product('mug')] }, below: twoMugs },
  {
    ...{ name: 'order.items.most_expensive', conditions: { $is: [{ object: 'sku', source_id: 'pot-red' }] } },
    below: [
      { name: 'order.items.price', conditions: { $is: [3_000] } },
      { name: 'order.items.quantity', conditions: { $is: [1] } },
    ],
  },
  {
    ...{ name: 'product.id', conditions: { $is: [{ id: mugById }] } },
    below: [
      { name: 'product.price', conditions: { $is: [1_000] } },
      { name: 'product.quantity', conditions: { $is: [2] } },
      { name: 'product.discount_applicable', conditions: { $is: [true] } },
    ],
  },
  {
    ...{ name: 'sku.id', conditions: { $is: [{ id: redPotById }] } },
    below: [
      { name: 'sku.price', conditions: { $is: [3_000] } },
      { name: 'sku.quantity', conditions: { $is: [1] } },
      { name: 'sku.discount_applicable', conditions: { $is: [true] } },
    ],
  },
  {
    ...{ name: 'product.metadata', property: 'colour', conditions: { $is: ['red'] } },
    below: [
      { name: 'product.metadata.aggregated_quantity', conditions: { $is: [3] } },
      { name: 'product.metadata.aggregated_amount', conditions: { $is: [5_000] } },
      { name: 'product.metadata.discount_applicable', conditions: { $is: [true] } },
      { name: 'product.metadata.match_all', conditions: { $is: [true] } },
    ],
  },
];

const periods = ['.daily', '.weekly', '.monthly'];
const everyPeriod = (name: string): string[] => [name, ...periods.map((period) => name + period)];
const once = { $less_than_or_equal: [1] };

/** Limits of reference 02 §3.3 that admit one redemption. Here the request that is not met is the same one after that. */
export const limitRules: readonly RuleRow[] = [
  ...[
    ...everyPeriod('campaign.redemptions.count'),
    ...everyPeriod('campaign.redemptions.customers_count'),
    ...periods.map((period) => `redemption.count${period}`),
    ...everyPeriod('redemption.count.per_customer'),
    'redemption.count.per_api_key',
  ].map((name) => ({ name, conditions: once })),
  { name: 'redemption.count.per_user', conditions: once, ...never },
  { name: 'campaign.orders.amount', conditions: { $less_than_or_equal: [5_000] } },
  { name: 'campaign.orders.amount_discounted', conditions: { $less_than_or_equal: [500] } },
];

/** Rules about who calls, where a member of the team does. Here too the request that is not met is the one after a redemption. */
export const memberRules: readonly RuleRow[] = [
  { name: 'redemption.user.login', conditions: { $is: [member] }, ...always },
  { name: 'redemption.user.login', conditions: { $is_not: [member] }, ...never },
  { name: 'redemption.user.login', conditions: { $is_not: ['ann@example.com'] }, ...always },
  { name: 'redemption.api_key', conditions: { $is_not: ['another application'] }, ...never },
  { name: 'redemption.count.per_user', conditions: once },
  { name: 'redemption.count.per_api_key', conditions: once, ...never },
];

/** The limit that only gift cards reach: 3.00 are paid by one. */
export const giftRules: readonly RuleRow[] = [
  { name: 'redemption.gift.amount', conditions: { $less_than_or_equal: [300] } },
];
