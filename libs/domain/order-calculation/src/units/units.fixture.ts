import { isRefused } from '@scrip/kernel';
import { Catalogue } from '../catalogue/catalogue';
import type { UnitDiscount } from '../discount';
import type { EffectContext } from '../effects/effect';
import { normaliseOrder } from '../order/normalise-order';
import type { CalculatedOrder, OrderItemInput } from '../order/order';
import { type LineState, type OrderState, orderView } from '../order/order-state';
import type { Coverage, CoveredLine } from '../scoping/coverage';
import { unitEffects } from './unit-effects';

const shirts = { id: 'prod_shirt', source_id: 'shirt', name: 'Shirt', collections: ['pc_clothes'] };

/** A small shop; prices in minor units. */
export const catalogue = new Catalogue({
  products: [
    { id: 'prod_mug', source_id: 'mug', name: 'Mug', price: 1000, collections: ['pc_gifts'] },
    { id: 'prod_bottle', source_id: 'bottle', name: 'Bottle', price: 2500 },
    { id: 'prod_hat', name: 'Hat', price: 3100 },
    { id: 'prod_cap', name: 'Cap', price: 2900 },
    { id: 'prod_poster', price: 1500 },
    { id: 'prod_sticker', name: 'Sticker' },
    shirts,
  ],
  skus: [
    { id: 'sku_plain', source_id: 'plain', sku: 'Plain shirt', price: 2000, product: shirts },
    { id: 'sku_fine', sku: 'Fine shirt', price: 2500, product: shirts },
  ],
});

/** What answers show of the fine shirt on a line that an effect appended, besides figures. */
export const fineShirt = {
  object: 'order_item',
  product_id: 'prod_shirt',
  sku_id: 'sku_fine',
  price: 2500,
  product: { id: 'prod_shirt', source_id: 'shirt', name: 'Shirt' },
  sku: { id: 'sku_fine', sku: 'Fine shirt', price: 2500 },
};

export const threeShirts: OrderItemInput[] = [{ sku_id: 'sku_plain', quantity: 3 }];
export const threeBottles: OrderItemInput[] = [{ product_id: 'prod_bottle', quantity: 3 }];

/** An order of the shop; `amount`: where one is sent. */
export const order = (items: OrderItemInput[], amount?: number): OrderState => {
  const state = normaliseOrder(amount === undefined ? { items } : { items, amount }, null, '', { catalogue });
  if (isRefused(state)) throw new Error(state.details);
  return state;
};

/** The order with an order-level discount and, by line, discounts of items. */
export const discounted = (state: OrderState, discountAmount: number, byLine: number[] = []): OrderState => ({
  ...state,
  discountAmount,
  lines: state.lines.map((line, index) => ({ ...line, discountAmount: byLine[index] ?? 0 })),
});

/** Lines covered by the first definition of a scope: [position, units]. */
export const covered = (...lines: [index: number, units: number][]): Coverage => ({
  lines: lines.map(([index, units]): CoveredLine => ({
    index,
    units,
    definition: 0,
    newPrice: null,
    amountLimit: null,
    countsUnits: true,
  })),
  aggregatedAmountLimits: [null],
  matches: [{ matched: lines.map(([index]) => index), covered: [] }],
});

export const nothingCovered: Coverage = { lines: [], aggregatedAmountLimits: [] };

const unitsWith =
  <E extends NonNullable<UnitDiscount['effect']>>(effect: E) =>
  (unitOff: number | undefined, unitType: string | undefined) => ({
    effect,
    ...(unitOff !== undefined && { unit_off: unitOff }),
    ...(unitType !== undefined && { unit_type: unitType }),
  });

export const addNew = unitsWith('ADD_NEW_ITEMS');
export const addMissing = unitsWith('ADD_MISSING_ITEMS');
export const addSame = unitsWith('ADD_SAME_ITEMS');

/** `unitOff` of the target for each unit that leaves. */
export const replaceBy = (unitType: string | undefined, unitOff = 1) =>
  unitsWith('REPLACE_ITEMS')(unitOff, unitType);

/** How a discount meets an order; everything open, nothing covered, one bundle, unless said otherwise. */
export interface Terms {
  times?: number;
  coverage?: Coverage;
  valueByLine?: ReadonlyMap<number, number | string>;
  isClosed?: (line: LineState) => boolean;
  knows?: Catalogue;
}

/** The order after a UNIT discount with its own effect. */
export const after = (
  state: OrderState,
  discount: Omit<UnitDiscount, 'type'>,
  {
    times = 1,
    coverage = nothingCovered,
    valueByLine,
    isClosed = () => false,
    knows = catalogue,
  }: Terms = {},
): OrderState => {
  const effect = unitEffects.find((one) => one.effect === discount.effect);
  if (!effect) throw new Error(`no effect ${discount.effect}`);
  const context: EffectContext = { mode: 'DISCOUNTED_AMOUNT', coverage, catalogue: knows, isClosed };
  const resolved = { type: 'UNIT', ...discount } as const;
  return effect.apply(
    state,
    { discount: resolved, valueByLine: valueByLine ?? null, exactPercent: null, times },
    context,
  );
};

/** What answers show of the order after it. */
export const viewAfter = (...args: Parameters<typeof after>): CalculatedOrder =>
  orderView(after(...args), args[0]);
