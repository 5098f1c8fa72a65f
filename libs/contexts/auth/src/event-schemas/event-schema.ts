import { notFound, type Refusal, refuse } from '@scrip/kernel';
import { isDeepStrictEqual } from 'node:util';

/** Types of a custom event's properties. Source: reference 06 §6.2. */
export const propertyTypes = ['string', 'number', 'date', 'datetime', 'boolean'] as const;

/** What a property of a custom event must be. */
export interface EventProperty {
  type: (typeof propertyTypes)[number];
  optional: boolean;
  /** Is not checked until it is restored. */
  deleted?: boolean;
}

/** Properties by their names. */
export type EventProperties = Record<string, EventProperty>;

/** What custom events of a name are made of. */
export interface EventSchema {
  /** `ms_…` */
  id: string;
  name: string;
  properties: EventProperties;
  created_at: Date;
  updated_at: Date | null;
}

/** Properties of a schema, removed ones included. Source: reference 06 §6.2. */
export const propertiesMax = 100;

/** Schemas of a project. Source: reference 06 §6.2. */
export const eventSchemasMax = 100;

const resourceType = 'custom_event_schema';

export type EventSchemaRefusal = Refusal<'invalid_payload' | 'not_found' | 'duplicate_found'>;

/** No schema of the project has the id. */
export const eventSchemaNotFound = (id: string): Refusal<'not_found'> => notFound(resourceType, id);

/** Events of that name have a schema. */
export const duplicateEventSchema = (name: string): Refusal<'duplicate_found'> =>
  refuse('duplicate_found', `Duplicated custom_event_schema exists with name ${name}`, {
    resourceId: name,
    resourceType,
  });

/** Returns what a schema becomes: a property that is sent replaces the one of its name, the others stay. Refuses
 *  `invalid_payload` for more than a schema may have. */
export const changedProperties = (
  known: EventProperties,
  sent: EventProperties,
): { properties: EventProperties; changed: boolean } | Refusal<'invalid_payload'> => {
  const properties = { ...known, ...sent };
  if (Object.keys(properties).length > propertiesMax) {
    const problem = `should NOT have more than ${propertiesMax} properties, removed ones included`;
    return refuse('invalid_payload', `Property .schema.properties ${problem}`);
  }
  return { properties, changed: !isDeepStrictEqual(properties, known) };
};
