import type { JsonSchema } from '../openapi/json-schema';

/** The names that a part of an input may have. `names`: null where callers choose them. `members`: what stands under the
 *  names that callers choose. `elements`: of a list. */
export interface KnownNames {
  readonly names: ReadonlyMap<string, KnownNames> | null;
  readonly members: KnownNames | null;
  readonly elements: KnownNames | null;
}

const anyNames: KnownNames = { names: null, members: null, elements: null };

/** Of an input that is not read at all. */
export const noNames: KnownNames = { names: new Map(), members: null, elements: null };

const either = (left: KnownNames | null, right: KnownNames | null): KnownNames | null => {
  if (!left || !right) return left ?? right;
  const members = either(left.members, right.members);
  const elements = either(left.elements, right.elements);
  if (!left.names || !right.names) return { names: left.names ?? right.names, members, elements };
  const names = new Map(left.names);
  for (const [name, known] of right.names) names.set(name, either(names.get(name) ?? null, known)!);
  return { names, members, elements };
};

const propertiesOf = ({ properties, patternProperties, additionalProperties }: JsonSchema) => {
  const isOpen = patternProperties !== undefined || typeof additionalProperties === 'object';
  if (properties === undefined || isOpen) return null;
  return new Map(
    Object.entries(properties as Record<string, JsonSchema>).map(([name, schema]) => [
      name,
      knownNamesOf(schema),
    ]),
  );
};

const membersOf = ({
  properties,
  patternProperties,
  additionalProperties,
}: JsonSchema): KnownNames | null => {
  const isDictionary = properties === undefined && patternProperties === undefined;
  return isDictionary && typeof additionalProperties === 'object' && additionalProperties !== null
    ? knownNamesOf(additionalProperties as JsonSchema)
    : null;
};

/** The names that a schema knows; of a union, those that any of its variants knows. */
export const knownNamesOf = (schema: JsonSchema): KnownNames => {
  const { items, anyOf } = schema;
  const own = {
    names: propertiesOf(schema),
    members: membersOf(schema),
    elements: items === undefined ? null : knownNamesOf(items as JsonSchema),
  };
  return ((anyOf ?? []) as JsonSchema[])
    .map(knownNamesOf)
    .reduce((one, other) => either(one, other) ?? anyNames, own);
};
