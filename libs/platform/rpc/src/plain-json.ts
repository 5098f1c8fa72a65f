const isPlainObject = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

const offence = (value: unknown, path: string): string | undefined => {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : `${path} is ${value}`;
    case 'object':
      break;
    default:
      return `${path} is ${typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`}`;
  }
  if (value === null) return undefined;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const found = offence(item, `${path}[${index}]`);
      if (found) return found;
    }
    return undefined;
  }
  if (!isPlainObject(value)) return `${path} is a ${value.constructor.name}`;
  for (const [key, member] of Object.entries(value)) {
    // An undefined member reads the same after JSON dropped it; optional fields are written that way.
    const found = member === undefined ? undefined : offence(member, `${path}.${key}`);
    if (found) return found;
  }
  return undefined;
};

/** Returns the copy of `value` that a network would deliver. Throws `TypeError` naming the first member that JSON
 *  would change: dates, maps, class instances, bigints, NaN, functions, `undefined` outside of objects. */
export const deliveredAsJson = <T>(value: T, what: string): T => {
  if (value === undefined) return value;
  const found = offence(value, what);
  if (found) throw new TypeError(`not plain JSON: ${found}`);
  return JSON.parse(JSON.stringify(value)) as T;
};
