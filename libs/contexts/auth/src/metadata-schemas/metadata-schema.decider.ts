import type { MetadataSchemaEvent, MetadataSchemaSnapshot } from '@scrip/contracts/auth';
import { notFound, type Refusal, refuse } from '@scrip/kernel';
import type { MetadataDefinition } from '@scrip/metadata-schemas';
import { isDeepStrictEqual } from 'node:util';

/** Definitions of a schema, removed ones included. Source: reference 07 §16. */
export const definitionsMax = 100;

/** All definitions of a schema as JSON: what a call between contexts can carry. */
export const definitionsBytesMax = 65_536;

/** Schemas of a project. Source: reference 07 §8. */
export const schemasMax = 100;

/** A schema, or what is left of it. */
export interface MetadataSchemaState {
  schema: MetadataSchemaSnapshot;
  deleted: boolean;
}

/** Definitions by their keys. */
export type Definitions = Record<string, MetadataDefinition>;

/** What can be asked of a schema. `live`: the number of the project's schemas. Absent: stays. */
export type MetadataSchemaCommand =
  | {
      type: 'CreateMetadataSchema';
      id: string;
      related_object: string;
      allow_defined_only: boolean;
      properties: Definitions;
      now: string;
      live: number;
    }
  | {
      type: 'UpdateMetadataSchema';
      id: string;
      allow_defined_only?: boolean | undefined;
      properties?: Definitions | undefined;
      now: string;
    }
  | { type: 'DeleteMetadataSchema'; id: string };

type Of<Type extends MetadataSchemaCommand['type']> = Extract<MetadataSchemaCommand, { type: Type }>;

/** Why a command is refused. */
export type MetadataSchemaRefusal = Refusal<
  'invalid_payload' | 'not_found' | 'duplicate_found' | 'missing_required_feature'
>;

/** What refusals call a schema. */
const resourceType = 'metadata schema';

/** No schema of the project has that id or related object. Source: reference 07 §8. */
export const schemaNotFound = (idOrName: string) => notFound(resourceType, idOrName);

/** The related object has a schema. Source: reference 07 §8. */
export const duplicateSchema = (relatedObject: string) =>
  refuse('duplicate_found', `Duplicated metadata schema exists with related_object ${relatedObject}`, {
    resourceId: relatedObject,
    resourceType,
  });

const tooMany = (properties: Definitions): MetadataSchemaRefusal | null => {
  if (Object.keys(properties).length > definitionsMax) {
    return refuse(
      'invalid_payload',
      `Property .properties should NOT have more than ${definitionsMax} properties, removed ones included`,
    );
  }
  return Buffer.byteLength(JSON.stringify(properties)) > definitionsBytesMax
    ? refuse('invalid_payload', `Property .properties should NOT be larger than ${definitionsBytesMax} bytes`)
    : null;
};

const typeMustStay = (known: Definitions, sent: Definitions): MetadataSchemaRefusal | null => {
  const changed = Object.keys(sent).find(
    (key) => Object.hasOwn(known, key) && known[key]?.type !== sent[key]?.type,
  );
  return changed === undefined
    ? null
    : refuse('invalid_payload', `Property .properties.${changed}.type cannot be changed`);
};

const create = (command: Of<'CreateMetadataSchema'>): MetadataSchemaEvent[] | MetadataSchemaRefusal => {
  const { id, related_object, allow_defined_only, properties, now, live } = command;
  const refusal = tooMany(properties);
  if (refusal) return refusal;
  if (live >= schemasMax)
    return refuse('invalid_payload', `A project can have at most ${schemasMax} metadata schemas`);
  const schema = { id, related_object, allow_defined_only, properties, created_at: now, updated_at: null };
  return [{ type: 'MetadataSchemaCreated', data: { schema } }];
};

const update = (
  { schema }: MetadataSchemaState,
  { allow_defined_only = schema.allow_defined_only, properties = {}, now }: Of<'UpdateMetadataSchema'>,
): MetadataSchemaEvent[] | MetadataSchemaRefusal => {
  const merged = { ...schema.properties, ...properties };
  const refusal = typeMustStay(schema.properties, properties) ?? tooMany(merged);
  if (refusal) return refusal;
  const changed = { ...schema, allow_defined_only, properties: merged };
  return isDeepStrictEqual(changed, schema)
    ? []
    : [{ type: 'MetadataSchemaUpdated', data: { schema: { ...changed, updated_at: now } } }];
};

/** What follows from a command; an empty list where it changes nothing. A definition that is sent replaces the one of its
 *  key; the others stay. Refuses `not_found`, and `invalid_payload` for another type of a known key and for more than a
 *  schema or a project may have. Source: reference 07 §8. */
export const decideMetadataSchema = (
  command: MetadataSchemaCommand,
  state: MetadataSchemaState | undefined,
): MetadataSchemaEvent[] | MetadataSchemaRefusal => {
  const live = state?.deleted ? undefined : state;
  switch (command.type) {
    case 'CreateMetadataSchema':
      return state ? [] : create(command);
    case 'UpdateMetadataSchema':
      return live ? update(live, command) : schemaNotFound(command.id);
    case 'DeleteMetadataSchema': {
      if (!live) return schemaNotFound(command.id);
      const { id, related_object } = live.schema;
      return [{ type: 'MetadataSchemaDeleted', data: { schema_id: id, related_object } }];
    }
    default:
      return command satisfies never;
  }
};

/** Folds the stream `metadata-schema`. Total: returns undefined for events before the first one, never throws or decides. */
export const evolveMetadataSchema = (
  state: MetadataSchemaState | undefined,
  event: MetadataSchemaEvent,
): MetadataSchemaState | undefined => {
  switch (event.type) {
    case 'MetadataSchemaCreated':
      return { schema: event.data.schema, deleted: false };
    case 'MetadataSchemaUpdated':
      return state && { ...state, schema: event.data.schema };
    case 'MetadataSchemaDeleted':
      return state && { ...state, deleted: true };
    default:
      return event satisfies never;
  }
};
