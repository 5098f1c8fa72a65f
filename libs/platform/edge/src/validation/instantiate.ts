import { type DtoField, fieldsOf, type InputSource } from './dto-fields';
import { Violation } from './violation';

type Class<T extends object> = new () => T;

/** Whether JSON would call it an object: neither array nor null. */
export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listOf = (value: unknown, field: DtoField, path: string, source: InputSource): unknown[] => {
  if (!Array.isArray(value)) throw new Violation(path, 'must be array');
  const { min = 0, max = Infinity } = field.list ?? {};
  if (value.length > max) throw new Violation(path, `should NOT have more than ${max} items`);
  if (value.length < min) throw new Violation(path, `should NOT have fewer than ${min} items`);
  const { nested } = field;
  return nested
    ? value.map((item, index) => instantiate(nested(), item, source, `${path}[${index}]`))
    : value;
};

const valueOf = (value: unknown, field: DtoField, path: string, source: InputSource): unknown => {
  if (value === undefined || value === null) return value;
  if (field.list) return listOf(value, field, path, source);
  if (field.nested) return instantiate(field.nested(), value, source, path);
  return field.normalise ? field.normalise(value, source) : value;
};

/** An instance of `dto` from parsed JSON: only the properties that the class names, nested classes built, values in
 *  their stored form. Rules are not checked yet, but the structure is: throws `Violation` where an object or a list is
 *  something else, or a list has too few or too many elements. Recursion is as deep as the classes are. */
export const instantiate = <T extends object>(
  dto: Class<T>,
  input: unknown,
  source: InputSource,
  path = '',
): T => {
  if (!isPlainObject(input)) throw new Violation(path, 'must be object');
  const instance = new dto();
  for (const [property, field] of fieldsOf(dto)) {
    if (!Object.hasOwn(input, property)) continue;
    const value = valueOf(input[property], field, `${path}.${property}`, source);
    if (value !== undefined) (instance as Record<string, unknown>)[property] = value;
  }
  return instance;
};
