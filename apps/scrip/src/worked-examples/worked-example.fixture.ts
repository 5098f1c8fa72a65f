/** A redeemable as an example has it: a voucher, a gift card, a promotion tier or a stack of tiers, with its rule. */
export type Given =
  | { readonly discount: object; readonly rule?: object; readonly tier?: true }
  | { readonly gift: number; readonly credits?: number; readonly rule?: object }
  | { readonly stack: readonly object[] };

/** What a validation and a redemption are sent besides redeemables. */
export interface Asked {
  readonly order?: object;
  readonly customer?: object;
}

/** What has to come of it. */
export interface Expected {
  /** The total of the order at the end. */
  readonly total?: number;
  /** What each redeemable took off. */
  readonly steps?: readonly number[];
  /** What came off each line. */
  readonly lines?: readonly number[];
  /** Other fields of the order at the end. */
  readonly order?: object;
  /** Fields of each redeemable of a validation. */
  readonly redeemables?: readonly object[];
  /** The key of the refusal, and the text of the shop. */
  readonly refused?: string;
  readonly text?: string;
}

/** An example of the reference, as the API has to answer it. */
export interface WorkedExample extends Asked {
  /** Chapter and section, such as `01 §11`. */
  readonly section: string;
  /** How it begins there, word by word. */
  readonly quote: string;
  /** What tells it from others of the same words. */
  readonly case?: string;
  /** Stacking rules of the project meanwhile. */
  readonly settings?: object;
  readonly given: readonly Given[];
  /** Redemptions before it: of these redeemables, on an order that it may name as `storedOrder`. */
  readonly before?: readonly (Asked & { readonly given: readonly Given[] })[];
  /** The redeemables were redeemed on this order before. */
  readonly used?: Asked;
  readonly expected: Expected;
}

/** An example that the API cannot answer yet, or that another spec shows. */
export interface ExampleElsewhere {
  readonly section: string;
  readonly quote: string;
  /** What the chapter says is not served yet. */
  readonly awaits?: string;
  /** The spec that shows it. */
  readonly shownBy?: string;
}

/** Stand for the ids that set-up gets. */
export const storedOrder = 'order of the redemption before';
export const vips = 'segment of who has tier VIP';
export const idOf = (source_id: string): string => `id of ${source_id}`;
/** A static collection of shirt and socks. */
export const clothes = 'collection of shirt and socks';
/** A static collection of shirt, poster, mug and socks. */
export const onSale = 'collection of shirt, poster, mug and socks';

/** Products of the catalogue with their prices. */
export const catalogue: Readonly<Record<string, number>> = {
  ...{ mug: 1_000, poster: 1_500, shirt: 2_000, bottle: 2_500, socks: 500 },
  ...{ 'fine-shirt': 2_500, first: 2_900, second: 3_100, shoe: 6_500 },
};

export const item = (source_id: string, price: number, quantity = 1): object => ({
  ...{ source_id, related_object: 'product', price, quantity },
});
export const cart = (...items: readonly object[]): { order: object } => ({ order: { items } });

export const amount = (amount_off: number, effect?: string, more: object = {}): { discount: object } => ({
  discount: { type: 'AMOUNT', amount_off, ...(effect ? { effect } : {}), ...more },
});
export const percent = (percent_off: number, effect?: string, more: object = {}): { discount: object } => ({
  discount: { type: 'PERCENT', percent_off, ...(effect ? { effect } : {}), ...more },
});
export const fixed = (fixed_amount: number, effect?: string): { discount: object } => ({
  discount: { type: 'FIXED', fixed_amount, ...(effect ? { effect } : {}) },
});
export const units = (effect: string, unit_off: number, unit_type: string): { discount: object } => ({
  discount: { type: 'UNIT', effect, unit_off, unit_type },
});

export const product = (source_id: string, more: object = {}): object => ({
  ...{ object: 'product', source_id, ...more },
});
/** A product of the catalogue by its id, which set-up gets. */
export const productById = (source_id: string): object => ({ object: 'product', id: idOf(source_id) });
export const collection = (id: string, more: object = {}): object => ({
  ...{ object: 'products_collection', id, ...more },
});
/** A rule that only says which items a discount is of. */
export const only = (...included: readonly object[]): { rule: object } => ({
  rule: { applicable_to: { included, excluded: [], included_all: false } },
});
/** A rule of these conditions, all of which must hold unless `logic` says otherwise. */
export const when = (
  conditions: Readonly<Record<string, readonly [name: string, operator: string, ...operands: unknown[]]>>,
  more: { readonly logic?: string; readonly rest?: object } = {},
): { rule: object } => ({
  rule: {
    rules: {
      ...Object.fromEntries(
        Object.entries(conditions).map(([key, [name, operator, ...operands]]) => [
          key,
          { name, conditions: { [operator]: operands } },
        ]),
      ),
      ...(more.logic ? { logic: more.logic } : {}),
    },
    ...more.rest,
  },
});
const bundleTypeOf = (one: object): string =>
  (one as { object: string }).object === 'product' ? 'product_or_sku' : 'products_collection';
/** A rule that demands a bundle: at least so many of each item, which an id names. */
export const bundle = (
  limit: number,
  ...components: readonly (readonly [item: object, quantity: number])[]
): { rule: object } => {
  const keys = components.map((_, index) => String(index + 1));
  const parts = components.map(([one, quantity], index) => [
    keys[index],
    {
      name: 'order.items.any',
      conditions: { $is: [{ type: bundleTypeOf(one), ...one }] },
      rules: {
        1: { name: 'order.items.aggregated_quantity', conditions: { $is: [quantity] } },
        logic: '1',
      },
    },
  ]);
  return { rule: { bundle_rules: { ...Object.fromEntries(parts), logic: keys.join(' and '), limit } } };
};

/** A cart that lacks a bottle and two items of the collection for its bundle, and what is told of it. Two chapters have it. */
export const missedBundle: Pick<WorkedExample, 'order' | 'given' | 'expected'> = {
  ...cart(item('bottle', 2500), item('shirt', 2000), item('socks', 500, 2)),
  given: [{ ...percent(10), ...bundle(1, [productById('bottle'), 2], [collection(clothes), 5]) }],
  expected: {
    refused: 'order_rules_violated',
    redeemables: [
      {
        result: {
          bundle: {
            quantity: 0,
            identified: [1, 1, 2].map((item_quantity, item_index) => ({ item_index, item_quantity })),
            missing: [{ item_quantity: 1 }, { item_quantity: 2 }],
          },
        },
      },
    ],
  },
};
