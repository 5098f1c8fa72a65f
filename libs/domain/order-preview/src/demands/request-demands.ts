import {
  type LineReferences,
  type OrderItemInput,
  type Redeemable,
  unitTypesOf,
} from '@scrip/order-calculation';
import { type RuleDemands, type RuleMode, ruleDemands } from '@scrip/rules';
import type { Candidate } from '../request/evaluation-request';

/** What is to be loaded for a request. `items`: everything that the catalogue handed over must know, each with its
 *  membership in `collections`: what lines sell, what free units are units of (they may be appended as lines), and what
 *  rules and scopes name. `collections`: also those that free units
 *  are taken from. `orderHistory`, `redemptionHistory`: limits by rule name, empty where no counter is read. */
export interface RequestDemands extends Omit<RuleDemands, 'items' | 'counters' | 'loyaltyTiers'> {
  readonly items: readonly LineReferences[];
  readonly loyalty: RuleDemands['loyaltyTiers'];
  readonly orderHistory: readonly string[];
  readonly redemptionHistory: readonly string[];
}

const unitTypesIn = ({ incentive }: Pick<Redeemable, 'incentive'>): readonly string[] =>
  incentive && 'discount' in incentive ? unitTypesOf(incentive.discount) : [];

/** A unit type is the id or source id of a product or SKU. Source: reference 01 §7. */
const unitReferences = (unitType: string): LineReferences[] => [
  { sku_id: unitType },
  { product_id: unitType },
  { related_object: 'sku', source_id: unitType },
  { related_object: 'product', source_id: unitType },
];

const itemReferences = ({ object, id, source_id }: RuleDemands['items'][number]): LineReferences[] => {
  if (object === 'products_collection') return [];
  return [
    ...(id === undefined ? [] : [object === 'sku' ? { sku_id: id } : { product_id: id }]),
    ...(source_id === undefined ? [] : [{ related_object: object, source_id }]),
  ];
};

const collectionPrefix = 'pc_';

const isOrderHistory = (counter: string): boolean => counter.startsWith('campaign.orders.');

const distinct = <T>(things: readonly T[]): T[] => [
  ...new Map(things.map((thing) => [JSON.stringify(thing), thing])).values(),
];

const names = ['product_id', 'sku_id', 'source_id', 'related_object'] as const;

const idsOf = ({ id, source_id }: { readonly id?: string; readonly source_id?: string }) => ({
  ...(id === undefined ? {} : { id }),
  ...(source_id === undefined ? {} : { source_id }),
});

/** A line's references without what it says of price, units and metadata. */
const referencesOf = (item: OrderItemInput): LineReferences => ({
  ...Object.fromEntries(names.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]]))),
  ...(item.product ? { product: idsOf(item.product) } : {}),
  ...(item.sku ? { sku: idsOf(item.sku) } : {}),
});

/** Lists what must be loaded before a request is evaluated: what its rules look at, and what of the catalogue is needed
 *  to calculate and to show. `items`: the lines as sent or stored. Source: reference 01 §1, reference 02 §4.1, §10. */
export const requestDemands = (
  candidates: readonly Pick<Candidate, 'redeemable' | 'rules'>[],
  items: readonly OrderItemInput[],
  mode: RuleMode = 'FULL',
): RequestDemands => {
  const {
    items: named,
    counters,
    loyaltyTiers: loyalty,
    collections,
    ...demands
  } = ruleDemands(
    candidates.flatMap(({ rules }) => rules),
    mode,
  );
  const unitTypes = [...new Set(candidates.flatMap(({ redeemable }) => unitTypesIn(redeemable)))];
  return {
    ...demands,
    loyalty,
    items: distinct([
      ...items.map(referencesOf),
      ...unitTypes.flatMap(unitReferences),
      ...named.flatMap(itemReferences),
    ]),
    collections: [
      ...new Set([...collections, ...unitTypes.filter((unitType) => unitType.startsWith(collectionPrefix))]),
    ],
    orderHistory: counters.filter(isOrderHistory),
    redemptionHistory: counters.filter((counter) => !isOrderHistory(counter)),
  };
};
