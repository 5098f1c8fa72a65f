import { Injectable } from '@nestjs/common';
import type { MetadataSchemaEvent, MetadataSchemaSnapshot } from '@scrip/contracts/auth';
import {
  type AggregateStore,
  type Decision,
  decisionOf,
  type EventStore,
  InjectEventStore,
} from '@scrip/event-store';
import { type BusinessClock, isRefused, type RequestContext } from '@scrip/kernel';
import { InjectBusinessClock } from '@scrip/service';
import type { EntityManager } from 'typeorm';
import { metadataSchemaFacts } from '../audit/audit-facts';
import { auditRow } from '../audit/audit.table';
import { KeyDirectory } from '../keys/key-directory';
import { metadataSchemaAggregate } from './metadata-schema.aggregate';
import {
  decideMetadataSchema,
  type Definitions,
  type MetadataSchemaCommand,
  type MetadataSchemaRefusal,
  type MetadataSchemaState,
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

/** Creates and changes the metadata schemas of a project. Every answer waits until the change counts for each request that
 *  starts after it. Source: reference 07 §8, §14. */
@Injectable()
export class MetadataSchemaHandlers {
  private readonly schemas: AggregateStore<MetadataSchemaState, MetadataSchemaEvent>;

  constructor(
    @InjectEventStore('auth') store: EventStore,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly directory: KeyDirectory,
  ) {
    this.schemas = store.aggregate(metadataSchemaAggregate);
  }

  /** Creates a schema; repeated under the same id, returns the first result. Refuses `duplicate_found` where the related
   *  object has one, and as `decideMetadataSchema` does. */
  async create(
    context: RequestContext,
    schema: NewMetadataSchema,
  ): Promise<MetadataSchemaSnapshot | MetadataSchemaRefusal> {
    const now = this.now(context);
    const created = await this.schemas.executeLocked<MetadataSchemaSnapshot, RefusalKey>({
      context,
      streamId: schema.id,
      decide: async (state, read) => {
        const live = await countUnderLock(read, context.project.id);
        return decision(context, { type: 'CreateMetadataSchema', ...schema, now, live }, state);
      },
    });
    return this.settled(created);
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

  private now({ project }: RequestContext): string {
    return this.clock.now(project).toISOString();
  }

  private async execute(context: RequestContext, command: Exclude<MetadataSchemaCommand, { live: number }>) {
    const executed = await this.schemas.execute<MetadataSchemaSnapshot, RefusalKey>({
      context,
      streamId: command.id,
      decide: (state) => decision(context, command, state),
    });
    return this.settled(executed);
  }

  /** Also where nothing changed: the answer to the call that changed it may have been lost. */
  private async settled(answer: MetadataSchemaSnapshot | MetadataSchemaRefusal) {
    if (!isRefused(answer)) await this.directory.settle();
    return answer;
  }
}

/** The decision together with the count of changes, which other contexts notice changes by. */
const decision = (
  context: RequestContext,
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
  const project_id = context.project.id;
  const audit = metadataSchemaFacts(project_id, command.id, decided.events);
  return {
    ...decided,
    rows: [
      { increment: 'metadata_schema_changes', key: { project_id }, by: { count: 1 } },
      ...audit.map((fact) => auditRow(context, fact)),
    ],
  };
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
