import type { CalculatedOrder } from '@scrip/order-calculation';
import type { ReportStyle } from './style';
import { type Column, tableLines } from './table';

type Item = CalculatedOrder['items'][number];

/** A line with its position in the order. */
type Line = Item & { readonly index: number };

/** What an item is called in reports. */
const nameOf = ({ product, sku, ...item }: Item): string => {
  const names = [product?.name, sku?.sku].filter((name) => name !== undefined);
  if (names.length > 0) return names.join(' / ');
  const ids = [
    item.sku_id,
    item.product_id,
    item.source_id,
    sku?.id,
    sku?.source_id,
    product?.id,
    product?.source_id,
  ];
  return ids.find((id) => id !== undefined) ?? '(without a name)';
};

/** Which discounts a table shows. `discount`: minor units; `discounted`: units. */
interface Shown {
  readonly discount: (line: Line) => number;
  readonly discounted: (line: Line) => number;
}

const ofStep: Shown = {
  discount: (line) => line.applied_discount_amount ?? 0,
  discounted: (line) => line.applied_discount_quantity ?? 0,
};
const ofAll: Shown = {
  discount: (line) => line.discount_amount ?? 0,
  discounted: (line) => line.discount_quantity ?? 0,
};

const addedTo = ({ applied_quantity: added = 0 }: Line): number => added;

/** `added` and `discounted` stand only where some line has such units. */
const columnsFor = (
  lines: readonly Line[],
  { discount, discounted }: Shown,
  style: ReportStyle,
): Column<Line>[] => {
  const amount = (value: number | undefined): string => (value === undefined ? '?' : style.amount(value));
  const figures = (title: string, cell: (line: Line) => string): Column<Line> => ({
    title,
    align: 'right',
    cell,
  });
  const whereAny = (count: (line: Line) => number, column: Column<Line>): Column<Line>[] =>
    lines.some((line) => count(line) !== 0) ? [column] : [];
  return [
    figures('line', ({ index }) => String(index)),
    { title: 'item', align: 'left', cell: nameOf },
    figures('units', ({ quantity }) => String(quantity)),
    ...whereAny(
      addedTo,
      figures('added', (line) => `${addedTo(line) > 0 ? '+' : ''}${addedTo(line)}`),
    ),
    figures('price', ({ price }) => amount(price)),
    figures('amount', (line) => amount(line.amount)),
    ...whereAny(
      discounted,
      figures('discounted', (line) => String(discounted(line))),
    ),
    figures('discount', (line) => amount(line.amount === undefined ? undefined : discount(line))),
    figures('subtotal', ({ subtotal_amount: subtotal }) => amount(subtotal)),
  ];
};

const lineTable = (lines: readonly Line[], shown: Shown, style: ReportStyle): string[] => {
  if (lines.length === 0) return [];
  const [titles = '', ...rows] = tableLines(columnsFor(lines, shown, style), lines);
  return [style.colours.dim(titles), ...rows];
};

const linesOf = ({ items }: CalculatedOrder): Line[] => items.map((item, index) => ({ ...item, index }));

const isTouched = (line: Line): boolean =>
  ofStep.discount(line) !== 0 || ofStep.discounted(line) !== 0 || addedTo(line) !== 0;

/** The lines that one redeemable touched, with what it did to them. */
export const touchedLines = (order: CalculatedOrder, style: ReportStyle): string[] =>
  lineTable(linesOf(order).filter(isTouched), ofStep, style);

/** All lines of an order, with their discounts so far. */
export const allLines = (order: CalculatedOrder, style: ReportStyle): string[] =>
  lineTable(linesOf(order), ofAll, style);
