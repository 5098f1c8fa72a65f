import { EdgeFailure, failureOfRefusal } from '@scrip/edge';
import { refuse } from '@scrip/kernel';
import { amountOfCell } from '@scrip/tasks/imports';

const whole = /^\d{1,15}$/;
const decimal = /^\d{1,13}(?:\.\d{1,2})?$/;

/** A row that cannot be read. */
export const refuseRow = (details: string): EdgeFailure =>
  new EdgeFailure(failureOfRefusal(refuse('invalid_payload', details)));

type Reader<Value> = (column: string, cell: string | undefined) => Value | undefined;

const cellOf =
  <Value>(read: (cell: string) => Value | null, rule: string): Reader<Value> =>
  (column, cell) => {
    if (cell === undefined) return undefined;
    const value = read(cell.trim());
    if (value === null) throw refuseRow(`Property .${column} must be ${rule}`);
    return value;
  };

/** `TRUE` or `FALSE`, in letters of either case. Throws `EdgeFailure` (400), as all readers of cells do, naming the column.
 *  An empty cell is undefined. Source: reference 04 §4.7. */
export const flagOfCell = cellOf((cell) => {
  const flag = cell.toUpperCase();
  return flag === 'TRUE' || flag === 'FALSE' ? flag === 'TRUE' : null;
}, 'TRUE or FALSE');

/** A whole number: uses, points. */
export const countOfCell = cellOf(
  (cell) => (whole.test(cell) ? Number(cell) : null),
  'a whole number, such as 3',
);

/** An amount in major units, as minor units. Source: reference 04 §15. */
export const moneyOfCell = cellOf(amountOfCell, 'an amount with up to two decimals, such as 14.50');

/** A number as it stands: percent, units. */
export const numberOfCell = cellOf(
  (cell) => (decimal.test(cell) ? Number(cell) : null),
  'a number with up to two decimals, such as 12.5',
);
