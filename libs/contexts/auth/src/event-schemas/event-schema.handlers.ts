import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type BusinessClock, type IdSource, isRefused, refuse, type RequestContext } from '@scrip/kernel';
import { InjectBusinessClock } from '@scrip/service';
import type { DataSource } from 'typeorm';
import type { AuditFact } from '../audit/audit-entry';
import { storeAudit } from '../audit/audit.table';
import {
  changedProperties,
  duplicateEventSchema,
  type EventProperties,
  type EventSchema,
  eventSchemaNotFound,
  type EventSchemaRefusal,
  eventSchemasMax,
} from './event-schema';
import {
  countEventSchemas,
  deleteEventSchema,
  eventSchemaById,
  eventSchemasOf,
  insertEventSchema,
  updateEventSchema,
} from './event-schema.table';

const schemaFact = ({ project }: RequestContext, action: string, resource_id: string): AuditFact => ({
  ...{ action, project_id: project.id, resource_type: 'custom_event_schema', resource_id },
});

/** Schemas of a project's custom events: rows without a stream. Source: reference 06 §6.2. */
@Injectable()
export class EventSchemaHandlers {
  constructor(
    @InjectDataSource('auth') private readonly database: DataSource,
    @InjectBusinessClock() private readonly clock: BusinessClock,
  ) {}

  /** Newest first; there are at most `eventSchemasMax`. */
  list({ project }: RequestContext): Promise<EventSchema[]> {
    return eventSchemasOf(this.database, project.id);
  }

  /** Refuses `not_found`. */
  async find({ project }: RequestContext, id: string): Promise<EventSchema | EventSchemaRefusal> {
    return (await eventSchemaById(this.database, project.id, id)) ?? eventSchemaNotFound(id);
  }

  /** Adds a schema; repeated under the same id, returns the first result. Refuses `duplicate_found` for a name that is taken, and
   *  `invalid_payload` for more than a schema or a project may have. */
  create(
    context: RequestContext,
    ids: IdSource,
    { name, properties }: Pick<EventSchema, 'name' | 'properties'>,
  ): Promise<EventSchema | EventSchemaRefusal> {
    const { project } = context;
    const id = ids.next('ms_', 'custom_event_schema');
    return this.database.transaction(async (manager) => {
      const count = await countEventSchemas(manager, project.id);
      const known = await eventSchemaById(manager, project.id, id);
      if (known) return known;
      const counted = changedProperties({}, properties);
      if (isRefused(counted)) return counted;
      if (count >= eventSchemasMax)
        return refuse('invalid_payload', `A project can have at most ${eventSchemasMax} event schemas`);
      const schema = { id, name, properties, created_at: this.clock.now(project), updated_at: null };
      if (!(await insertEventSchema(manager, project.id, schema))) return duplicateEventSchema(name);
      await storeAudit(manager, context, [schemaFact(context, 'event_schema.created', id)]);
      return schema;
    });
  }

  /** Adds and replaces properties; the others stay. Refuses `not_found`, and `invalid_payload` for more than a schema may have. */
  update(
    context: RequestContext,
    id: string,
    sent: EventProperties,
  ): Promise<EventSchema | EventSchemaRefusal> {
    const { project } = context;
    return this.database.transaction(async (manager) => {
      const known = await eventSchemaById(manager, project.id, id, { lock: true });
      if (!known) return eventSchemaNotFound(id);
      const change = changedProperties(known.properties, sent);
      if (isRefused(change)) return change;
      if (!change.changed) return known;
      const schema = { ...known, properties: change.properties, updated_at: this.clock.now(project) };
      await updateEventSchema(manager, project.id, schema);
      await storeAudit(manager, context, [schemaFact(context, 'event_schema.updated', id)]);
      return schema;
    });
  }

  /** Removes a schema for good. Refuses `not_found`. */
  delete(context: RequestContext, id: string): Promise<EventSchemaRefusal | null> {
    return this.database.transaction(async (manager) => {
      if (!(await deleteEventSchema(manager, context.project.id, id))) return eventSchemaNotFound(id);
      await storeAudit(manager, context, [schemaFact(context, 'event_schema.deleted', id)]);
      return null;
    });
  }
}
