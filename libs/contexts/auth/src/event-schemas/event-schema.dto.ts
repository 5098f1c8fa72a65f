import { IsAnything, IsText, type JsonSchema } from '@scrip/edge';
import { isRefused, type Refusal, refuse } from '@scrip/kernel';
import { IsOptional } from 'class-validator';
import { type EventProperties, type EventProperty, propertiesMax, propertyTypes } from './event-schema';

/** Longest name of a property, in UTF-16 units. */
const nameMax = 256;

const schemaOfBody: JsonSchema = {
  type: 'object',
  properties: {
    properties: {
      type: 'object',
      description: `By name. At most ${propertiesMax}, removed ones included.`,
      propertyNames: { minLength: 1, maxLength: nameMax },
      maxProperties: propertiesMax,
      additionalProperties: {
        title: 'EventPropertyBody',
        type: 'object',
        properties: {
          type: { type: 'string', enum: propertyTypes },
          optional: { type: 'boolean' },
          deleted: { type: 'boolean', description: 'true: is not checked any more; false: is again.' },
        },
        required: ['type', 'optional'],
      },
    },
  },
  required: ['properties'],
};

/** Source: reference 06 §6.2. */
export class EventSchemaBody {
  @IsText({ min: 1, max: 300, description: 'Of the events. Unique in the project.' })
  name: string;

  @IsAnything(schemaOfBody)
  schema: unknown;
}

/** Source: reference 06 §6.2. */
export class EventSchemaChangeBody {
  @IsOptional()
  @IsAnything(schemaOfBody)
  schema?: unknown;
}

type Misfit = Refusal<'invalid_payload'>;

const misfit = (place: string, problem: string): Misfit =>
  refuse('invalid_payload', `Property .schema${place} ${problem}`);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const readProperty = (name: string, sent: unknown): EventProperty | Misfit => {
  const place = `.properties.${name}`;
  if (!isObject(sent)) return misfit(place, 'must be object');
  const { type, optional, deleted } = sent;
  const missing = ['type', 'optional'].find((one) => sent[one] === undefined);
  if (missing !== undefined) return misfit(place, `must have required property '${missing}'`);
  if (!(propertyTypes as readonly unknown[]).includes(type))
    return misfit(
      `${place}.type`,
      `should be equal to one of the allowed values [ ${propertyTypes.join(', ')} ]`,
    );
  if (typeof optional !== 'boolean') return misfit(`${place}.optional`, 'must be boolean');
  if (deleted != null && typeof deleted !== 'boolean') return misfit(`${place}.deleted`, 'must be boolean');
  return { type: type as EventProperty['type'], optional, ...(deleted ? { deleted } : {}) };
};

/** Reads the properties that a caller sends. Refuses `invalid_payload`, naming the place. Source: reference 06 §6.2. */
export const readProperties = (schema: unknown): { properties: EventProperties } | Misfit => {
  if (schema === undefined) return refuse('invalid_payload', "Payload must have required property 'schema'");
  if (!isObject(schema)) return misfit('', 'must be object');
  if (schema.properties === undefined) return misfit('', "must have required property 'properties'");
  if (!isObject(schema.properties)) return misfit('.properties', 'must be object');
  const read: [string, EventProperty][] = [];
  for (const [name, sent] of Object.entries(schema.properties)) {
    if (name.length === 0 || name.length > nameMax)
      return misfit('.properties', `must have keys of 1 to ${nameMax} characters`);
    const property = readProperty(name, sent);
    if (isRefused(property)) return property;
    read.push([name, property]);
  }
  return { properties: Object.fromEntries(read) };
};
