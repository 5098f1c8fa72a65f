import type { OrderState, lineMatches } from '@scrip/order-calculation';

type ItemReference = Parameters<typeof lineMatches>[1];
type Identity = OrderState['lines'][number]['identity'];

/** What every request has. */
export const anyRequest = '*';

/** What every request with a line has. */
const everyProduct = 'pc_a11pr0dUc75';

export const segmentTerm = (id: string): string => `segment:${id}`;

const collectionTerm = (id: string): string => `collection:${id}`;

const named = (
  kind: 'product' | 'sku',
  { id, source_id }: { id?: string | undefined; source_id?: string | undefined },
) => [
  ...(id === undefined ? [] : [`${kind}:${id}`]),
  ...(source_id === undefined ? [] : [`${kind}~${source_id}`]),
];

/** A line that an item names has one of these. */
export const itemTerms = ({ object, id, source_id }: ItemReference): string[] => {
  if (object === 'products_collection') return id === undefined ? [] : [collectionTerm(id)];
  return named(object, { id, source_id });
};

/** A line of what free units are units of has one of these: their name may be any id or source id. */
export const unitTerms = (unitType: string): string[] => [
  ...named('product', { id: unitType, source_id: unitType }),
  ...named('sku', { id: unitType, source_id: unitType }),
  collectionTerm(unitType),
];

/** Amounts have the terms of all steps up to their own: powers of two, so that an order has a few. */
const amountStep = (amount: number): number => Math.floor(Math.log2(amount));

/** An order of this initial amount or more, from 1, has it. */
export const amountTerm = (least: number): string => `amount:${amountStep(least)}`;

/** The terms of an order's initial amount. */
export const amountTerms = (amount: number): string[] =>
  amount < 1 ? [] : Array.from({ length: amountStep(amount) + 1 }, (_, step) => `amount:${step}`);

/** The terms of a line. */
export const lineTerms = ({
  productId,
  productSourceId,
  skuId,
  skuSourceId,
  collections,
}: Identity): string[] => [
  ...named('product', { id: productId, source_id: productSourceId }),
  ...named('sku', { id: skuId, source_id: skuSourceId }),
  ...collections.map(collectionTerm),
  collectionTerm(everyProduct),
];
