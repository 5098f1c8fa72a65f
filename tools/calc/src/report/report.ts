import type { CalculatedOrder } from '@scrip/order-calculation';
import type { Calculation } from '@scrip/order-preview';
import { allLines } from './line-table';
import { redeemableBlock } from './redeemable-block';
import type { ReportStyle } from './style';
import { type Column, tableLines } from './table';

type Total = readonly [name: string, amountMinor: number];

const totalsOf = (order: CalculatedOrder): Total[] => {
  const { amount, initial_amount: initial = amount, total_amount: total } = order;
  if (amount === undefined || initial === undefined || total === undefined) return [];
  const discounts: Total[] = [
    ['off the items', -(order.items_discount_amount ?? 0)],
    ['off the order', -(order.discount_amount ?? 0)],
  ];
  return [
    ...(initial === amount ? [] : [['initial amount', initial] as const]),
    ['amount', amount],
    ...discounts.filter(([, off]) => off !== 0),
    ['total', total],
  ];
};

const totalLines = (order: CalculatedOrder, style: ReportStyle): string[] => {
  const columns: Column<Total>[] = [
    { title: '', align: 'left', cell: ([name]) => name },
    { title: '', align: 'right', cell: ([, amount]) => style.amount(amount) },
  ];
  return tableLines(columns, totalsOf(order)).slice(1);
};

const orderBlock = (order: CalculatedOrder, style: ReportStyle): string[] => {
  const lines = [...allLines(order, style), ...totalLines(order, style)];
  return [style.colours.bold('The order'), ...lines.map((line) => `   ${line}`)];
};

const bookings = ({ consumption: { credits, points, units } }: Calculation, style: ReportStyle): string[] => [
  ...credits.map(({ id, credits: used }) => `${style.amount(used)} credits of ${id}`),
  ...points.map(({ id, points: used }) => `${used} points of ${id}`),
  ...units.map(
    ({ budget: { limit, owner, item }, units: used }) =>
      `${used} ${used === 1 ? 'unit' : 'units'} of ${item} for ${limit} of ${owner}`,
  ),
];

const verdictBlock = (calculation: Calculation, style: ReportStyle): string[] => {
  const { colours } = style;
  if (!calculation.valid) return [colours.red('Not valid: nothing would be redeemed.')];
  const booked = bookings(calculation, style).map((line) => `   ${line}`);
  return [colours.green('Valid.'), ...(booked.length > 0 ? ['A redemption would book', ...booked] : [])];
};

/** Returns the calculation as text: the status of each redeemable with its reason, the order after all of them, and
 *  the consumption. Ends with a line break. */
export const reportOf = (calculation: Calculation, style: ReportStyle): string => {
  const { redeemables, order, valid } = calculation;
  const blocks = [
    ...redeemables.map((outcome, index) => redeemableBlock(outcome, index + 1, style)),
    ...(order && valid ? [orderBlock(order, style)] : []),
    verdictBlock(calculation, style),
  ];
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
};
