import type { EventSchema } from './event-schema';

/** A property of a custom event, as management shows it. A removed one says so. */
export interface EventPropertyResponse {
  type: 'string' | 'number' | 'date' | 'datetime' | 'boolean';
  optional: boolean;
  deleted?: boolean;
}

/** The schema of a custom event, as management shows it. Source: reference 06 §6.2. */
export interface EventSchemaResponse {
  /** `ms_…` */
  id: string;
  /** Of the events. */
  name: string;
  schema: {
    /** By name. */
    properties: Record<string, EventPropertyResponse>;
  };
  created_at: string;
  /** Absent until something is changed. */
  updated_at?: string;
  object: 'custom-event-schema';
}

/** Renders a schema. */
export const renderEventSchema = ({
  id,
  name,
  properties,
  created_at,
  updated_at,
}: EventSchema): EventSchemaResponse => ({
  id,
  name,
  schema: { properties },
  created_at: created_at.toISOString(),
  ...(updated_at ? { updated_at: updated_at.toISOString() } : {}),
  object: 'custom-event-schema',
});
