import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { MetadataSchemaEvent, MetadataSchemaSnapshot } from '@scrip/contracts/auth';
import {
  type AggregateStore,
  type Decision,
  decisionOf,
  type EventStore,
  InjectEventStore,
  runQuery,
} from '@scrip/event-store';
import { type BusinessClock, isRefused, type RequestContext } from '@scrip/kernel';
import { InjectBusinessClock, InjectListReader, type ListReader } from '@scrip/service';
import type { DataSource, EntityManager } from 'typeorm';
import { metadataSchemaAggregate } from './metadata-schema.aggregate';
import {
  decideMetadataSchema,
  type Definitions,
  type MetadataSchemaCommand,
  type MetadataSchemaRefusal,
  type MetadataSchemaState,
  schemaNotFound,
} from './metadata-schema.decider';

type RefusalKey = MetadataSchemaRefusal['refused'];

/** What a new schema says. */
export interface NewMetadataSchema {
  id: string;
  related_object: string;
  allow_defined_only: boolean;
  properties: Definitions;
}

/** What is to change of a schema; absent stays. */
export interface MetadataSchemaChange {
  allow_defined_only?: boolean | undefined;
  properties?: Definitions | undefined;
}

/** Creates, changes and reads the metadata schemas of a project. Source: reference 07 §8. */
@Injectable()
export class MetadataSchemaHandlers {
  private readonly schemas: AggregateStore<MetadataSchemaState, MetadataSchemaEvent>;

  constructor(
    @InjectEventStore('auth') store: EventStore,
    @InjectDataSource('auth') private readonly database: DataSource,
    @InjectListReader('auth') private readonly lists: ListReader,
    @InjectBusinessClock() private readonly clock: BusinessClock,
  ) {
    this.schemas = store.aggregate(metadataSchemaAggregate);
  }

  /** Creates a schema; repeated under the same id, returns the first result. Refuses `duplicate_found` where the related
   *  object has one, and as `decideMetadataSchema` does. */
  create(
    context: RequestContext,
    schema: NewMetadataSchema,
  ): Promise<MetadataSchemaSnapshot | MetadataSchemaRefusal> {
    const now = this.now(context);
    return this.schemas.executeLocked<MetadataSchemaSnapshot, RefusalKey>({
      context,
      streamId: schema.id,
      decide: async (state, read) => {
        const live = await countUnderLock(read, context.project.id);
        return decision(context, { type: 'CreateMetadataSchema', ...schema, now, live }, state);
      },
    });
  }

  /** Refuses as `decideMetadataSchema` does. */
  update(
    context: RequestContext,
    id: string,
    change: MetadataSchemaChange,
  ): Promise<MetadataSchemaSnapshot | MetadataSchemaRefusal> {
    return this.execute(context, { type: 'UpdateMetadataSchema', id, ...change, now: this.now(context) });
  }

  /** Drops a schema; metadata stays as it is. Refuses `not_found`. */
  delete(context: RequestContext, id: string): Promise<MetadataSchemaSnapshot | MetadataSchemaRefusal> {
    return this.execute(context, { type: 'DeleteMetadataSchema', id });
  }

  /** Returns the schema with an id or for a related object. Refuses `not_found`. */
  async find(
    { project }: RequestContext,
    idOrName: string,
  ): Promise<MetadataSchemaSnapshot | MetadataSchemaRefusal> {
    const [found] = await runQuery<{ state: MetadataSchemaState }>(
      this.database,
      `SELECT state FROM metadata_schemas
       WHERE project_id = $1 AND NOT deleted AND (id = $2 OR related_object = $2)`,
      [project.id, idOrName],
    );
    return found?.state.schema ?? schemaNotFound(idOrName);
  }

  /** All schemas of the project, by their related objects. */
  async list(context: RequestContext): Promise<MetadataSchemaSnapshot[]> {
    const rows = await this.lists.rows<{ state: MetadataSchemaState }>(context, {
      text: 'SELECT state FROM metadata_schemas WHERE project_id = $1 AND NOT deleted ORDER BY related_object',
      values: [context.project.id],
    });
    return rows.map(({ state }) => state.schema);
  }

  private now({ project }: RequestContext): string {
    return this.clock.now(project).toISOString();
  }

  private execute(context: RequestContext, command: Exclude<MetadataSchemaCommand, { live: number }>) {
    return this.schemas.execute<MetadataSchemaSnapshot, RefusalKey>({
      context,
      streamId: command.id,
      decide: (state) => decision(context, command, state),
    });
  }
}

/** The decision together with the count of changes, which other contexts notice changes by. */
const decision = (
  { project }: RequestContext,
  command: MetadataSchemaCommand,
  state: MetadataSchemaState | undefined,
): Decision<MetadataSchemaEvent, MetadataSchemaSnapshot> | MetadataSchemaRefusal => {
  const decided = decisionOf(
    metadataSchemaAggregate,
    state,
    decideMetadataSchema(command, state),
    ({ schema }) => schema,
  );
  if (isRefused(decided) || decided.events.length === 0) return decided;
  const key = { project_id: project.id };
  return { ...decided, rows: [{ increment: 'metadata_schema_changes', key, by: { count: 1 } }] };
};

/** Returns the number of the project's schemas, under a lock: creations of one project run one after another. */
const countUnderLock = async (read: EntityManager, projectId: string): Promise<number> => {
  await read.query(`SELECT pg_advisory_xact_lock(hashtext('scrip.metadata_schemas'), hashtext($1))`, [
    projectId,
  ]);
  const [row] = await read.query<{ live: number }[]>(
    'SELECT count(*)::int AS live FROM metadata_schemas WHERE project_id = $1 AND NOT deleted',
    [projectId],
  );
  return row?.live ?? 0;
};
