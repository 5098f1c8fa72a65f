const majorUnits = /^(\d{1,13})(?:\.(\d{1,2}))?$/;

/** The amount of a cell in minor units: `14.5` → 1450. Null for what is no amount in major units with up to two decimals.
 *  Digits are moved, never multiplied. Source: reference 07 §11. */
export const amountOfCell = (cell: string): number | null => {
  const [, whole, decimals = ''] = majorUnits.exec(cell.trim()) ?? [];
  return whole === undefined ? null : Number(`${whole}${decimals.padEnd(2, '0')}`);
};
