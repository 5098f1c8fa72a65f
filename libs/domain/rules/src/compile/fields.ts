/** The fields of an object that came from outside. */
export type Fields = Readonly<Record<string, unknown>>;

/** `sent` where it is an object with fields, else null. */
export const fieldsOf = (sent: unknown): Fields | null =>
  typeof sent === 'object' && sent !== null && !Array.isArray(sent) ? (sent as Fields) : null;

/** Whether `value` is an integer from `min`. */
export const isIntegerFrom = (min: number, value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= min;
