import { type Refusal, refuse } from '@scrip/kernel';
import { type CheckNested, type CompiledDefinition, compileDefinition } from './compiled-definition';
import {
  type MetadataDefinition,
  type MetadataSchema,
  type MetadataTypes,
  isNestedSchema,
} from './definition';

/** Metadata as JSON has it. */
export type Metadata = Readonly<Record<string, unknown>>;

/** Metadata breaks its schema. Source: reference 07 §8. */
export type MetadataRefusal = Refusal<'metadata_validation_failed'>;

/** Problems that one refusal names; the metadata of one request can have far more. */
const namedMax = 100;
/** Longest refusal, in characters: a definition may list many values. */
const detailsMax = 8_192;

/** Refuses metadata that breaks its schema. `metadata`: as it would be stored, after merging. `sent`: the part that the
 *  write carries, `metadata` itself when absent; keys without a definition are refused there only, as a caller could not
 *  get rid of stored ones. Pure: deciders may call it. */
export type CheckMetadata = (metadata: Metadata, sent?: Metadata) => MetadataRefusal | null;

/** A schema, ready to be asked. Pure; may be kept as long as the definitions stay. */
export interface CompiledSchema {
  check: CheckMetadata;
  /** The keys that have a definition, in its order. */
  keys: readonly string[];
  typeOf: MetadataTypes;
  /** The value of a cell of a CSV file: typed by the definition, else the text. Source: reference 07 §11. */
  ofCell(key: string, text: string): unknown;
}

interface Compiled {
  definitions: ReadonlyMap<string, CompiledDefinition>;
  problems(metadata: Metadata, sent: Metadata, place: string): string[];
}

const liveDefinitions = ({ properties }: MetadataSchema): [string, MetadataDefinition][] =>
  Object.entries(properties).filter(([, { deleted }]) => !deleted);

const compile = (schema: MetadataSchema, nested: (name: string) => CheckNested | undefined): Compiled => {
  const definitions = new Map(
    liveDefinitions(schema).map(([key, definition]) => {
      const { type, object_type } = definition;
      const check = type === 'object' && object_type !== undefined ? nested(object_type) : undefined;
      return [key, compileDefinition(key, definition, check)];
    }),
  );
  const undefinedOnes = (sent: Metadata): string[] =>
    schema.allow_defined_only ? Object.keys(sent).filter((key) => !definitions.has(key)) : [];
  return {
    definitions,
    problems: (metadata, sent, place) => [
      ...[...definitions].flatMap(([key, definition]) =>
        definition
          .problems(Object.hasOwn(metadata, key) ? metadata[key] : undefined)
          .map((problem) => place + problem),
      ),
      ...undefinedOnes(sent).map((key) => `${place}${key}: property is not defined in the metadata schema`),
    ],
  };
};

/** Compiles a schema with those that it nests, one level deep. `nested` returns the schema of a name; undefined: objects
 *  of that name may have any keys. Source: reference 07 §8. */
export const compileSchema = (
  schema: MetadataSchema,
  nested: (name: string) => MetadataSchema | undefined,
): CompiledSchema => {
  const schemaOf = (name: string | undefined): MetadataSchema | undefined =>
    name !== undefined && isNestedSchema(name) ? nested(name) : undefined;
  const checkNested = (name: string): CheckNested | undefined => {
    const inner = schemaOf(name);
    if (!inner) return undefined;
    const compiled = compile(inner, () => undefined);
    return (value, place) => compiled.problems(value, value, `${place}.`);
  };
  const compiled = compile(schema, checkNested);
  const typeIn = (owner: MetadataSchema | undefined, key: string): MetadataDefinition | undefined =>
    owner && Object.hasOwn(owner.properties, key) && !owner.properties[key]?.deleted
      ? owner.properties[key]
      : undefined;
  return {
    keys: Object.keys(schema.properties).filter((key) => !schema.properties[key]?.deleted),
    check: (metadata, sent = metadata) => {
      const problems = compiled.problems(metadata, sent, '');
      if (problems.length === 0) return null;
      const more = problems.length - namedMax;
      const named = problems.slice(0, namedMax);
      const details = [...named, ...(more > 0 ? [`${more} more`] : [])].join('; ');
      return refuse(
        'metadata_validation_failed',
        details.length > detailsMax ? `${details.slice(0, detailsMax - 1)}…` : details,
      );
    },
    typeOf: (path) => {
      const own = typeIn(schema, path);
      if (own) return own.type;
      const dot = path.indexOf('.');
      if (dot < 0) return undefined;
      return typeIn(schemaOf(typeIn(schema, path.slice(0, dot))?.object_type), path.slice(dot + 1))?.type;
    },
    ofCell: (key, text) => compiled.definitions.get(key)?.ofCell(text) ?? text,
  };
};
