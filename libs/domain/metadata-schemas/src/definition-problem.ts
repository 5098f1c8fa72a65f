import { type MetadataDefinition, isNestedSchema } from './definition';
import { type LimitName, limitNames, limits } from './limits';

/** A property of a definition that does not fit, and what is wrong with it. */
export interface DefinitionProblem {
  property: keyof MetadataDefinition;
  problem: string;
}

/** Schemas whose objects can have places. Source: reference 07 §8. */
const withGeopoints = ['customer', 'product'];

const typeProblem = (schema: string, { type }: MetadataDefinition): string | null => {
  if (type === 'object' && isNestedSchema(schema))
    return `cannot be object: a schema that others nest has no nested objects`;
  return type === 'geopoint' && !withGeopoints.includes(schema)
    ? `cannot be geopoint: only schemas of ${withGeopoints.join(' and ')} have geopoints`
    : null;
};

const objectTypeProblem = ({ type, object_type }: MetadataDefinition): string | null => {
  if (object_type === undefined) return null;
  if (type !== 'object') return 'is for the type object only';
  return isNestedSchema(object_type)
    ? null
    : `cannot be ${object_type}: only schemas of other names are nested`;
};

const limitProblem = (definition: MetadataDefinition, name: LimitName): string | null => {
  const { types } = limits[name];
  const value = definition[name];
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return null;
  if (!types.includes(definition.type)) return `is for ${types.join(' and ')} only`;
  const misfit = name === 'eq' && definition.eq?.some((one) => typeof one !== definition.type);
  return misfit ? `must have values of the type ${definition.type} only` : null;
};

/** Returns what is wrong with a definition in the schema of a name, null where nothing is. Source: reference 07 §8. */
export const definitionProblem = (
  schema: string,
  definition: MetadataDefinition,
): DefinitionProblem | null => {
  const found: (readonly [keyof MetadataDefinition, string | null])[] = [
    ['type', typeProblem(schema, definition)],
    ['object_type', objectTypeProblem(definition)],
    ...limitNames.map((name) => [name, limitProblem(definition, name)] as const),
  ];
  for (const [property, problem] of found) if (problem !== null) return { property, problem };
  return null;
};
