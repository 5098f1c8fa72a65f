import { amountOfCell } from '@scrip/tasks/imports';
import { refuseRow } from './refuse-row';

/** The price that a cell tells, in minor units; nothing of an empty cell. Throws `EdgeFailure` (400). Source: reference 07 §11. */
export const priceOf = (cell: string | undefined): { price?: number } => {
  if (cell === undefined) return {};
  const price = amountOfCell(cell);
  if (price === null)
    throw refuseRow('Property .price must be an amount with up to two decimals, such as 14.50');
  return { price };
};
