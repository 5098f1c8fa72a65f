import { portionsOfList } from '../media/large-json';
import { isPlainObject } from '../validation/instantiate';
import type { KnownNames } from './known-names';

/** A name in an input that nothing reads. */
export interface UnknownName {
  /** Where it stands: `.order.items[0]`, empty at the root. */
  at: string;
  name: string;
  /** The names that are read there. */
  known: readonly string[];
}

/** A caller with more of them learns of the first ones. */
const foundMax = 100;

/** The names in `value` that nothing reads, in the order of the input; at most 100. */
export const unknownNames = (
  value: unknown,
  known: KnownNames,
  at = '',
  found: UnknownName[] = [],
): readonly UnknownName[] => {
  if (found.length >= foundMax) return found;
  if (Array.isArray(value)) {
    const { elements } = known;
    if (elements)
      for (const [index, one] of value.entries()) unknownNames(one, elements, `${at}[${index}]`, found);
  } else if (isPlainObject(value) && (known.names ?? known.members)) {
    for (const name of Object.keys(value)) {
      const inner = known.names ? known.names.get(name) : known.members;
      if (inner) unknownNames(value[name], inner, `${at}.${name}`, found);
      else if (found.length < foundMax) found.push({ at, name, known: [...(known.names?.keys() ?? [])] });
    }
  }
  return found;
};

/** As `unknownNames`, for a body: of a large list by portions, between which the process serves others. */
export const unknownNamesOfBody = async (body: unknown, known: KnownNames): Promise<UnknownName[]> => {
  const found: UnknownName[] = [];
  if (!Array.isArray(body)) unknownNames(body, known, '', found);
  else if (known.elements)
    for await (const { from, elements } of portionsOfList(body as unknown[]))
      for (const [index, one] of elements.entries())
        unknownNames(one, known.elements, `[${from + index}]`, found);
  return found;
};
