/** How a value without a type is compared: 5 as `5`, true as `true`. Undefined for what is no single value. */
export const textOf = (value: unknown): string | undefined => {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'boolean':
      return String(value);
    default:
      return undefined;
  }
};

/** `value` when it is a text. */
export const stringOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;
