/** How many units a value means: floored, at least 0, once per bundle. What is no number, or more than a number counts
 *  exactly, means none, so that no wrong count is ever given. Source: reference 01 §2, §9. */
export const unitCountOf = (value: number | string | undefined, times = 1): number => {
  const units = Math.floor(Number(value)) * times;
  return units > 0 && Number.isSafeInteger(units) ? units : 0;
};
