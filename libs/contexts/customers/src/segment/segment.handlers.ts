import { Injectable } from '@nestjs/common';
import type { SegmentEvent, SegmentSnapshot } from '@scrip/contracts/customers';
import { deleteUnlessNamed, type QualificationPort, qualificationPort } from '@scrip/contracts/qualification';
import {
  type AggregateStore,
  type Decision,
  type EventStore,
  InjectEventStore,
  type RowChange,
  decisionOf,
} from '@scrip/event-store';
import { type BusinessClock, type RequestContext, isRefused } from '@scrip/kernel';
import { InjectBusinessClock } from '@scrip/service';
import { InjectPort } from '@scrip/rpc';
import type { EntityManager } from 'typeorm';
import type { NewSegment } from './new-segment';
import { SegmentLocations } from './segment-locations';
import { lockFilters } from '@scrip/metadata';
import { segmentAggregate } from './segment.aggregate';
import type { SegmentCommand, UpdateSegment } from './segment.commands';
import { type SegmentRefusal, type SegmentState, decideSegment } from './segment.decider';

type Change = Pick<UpdateSegment, 'name' | 'filter'>;

/** Creates, changes and deletes segments. */
@Injectable()
export class SegmentHandlers {
  private readonly segments: AggregateStore<SegmentState, SegmentEvent>;

  constructor(
    @InjectEventStore('customers') eventStore: EventStore,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly locations: SegmentLocations,
    @InjectPort(qualificationPort) private readonly qualification: QualificationPort,
  ) {
    this.segments = eventStore.aggregate(segmentAggregate);
  }

  /** Creates a segment, a static one with its members; repeated under the same id, answers the first result. Refuses as
   *  `decideSegment`. */
  create(context: RequestContext, id: string, wanted: NewSegment): Promise<SegmentSnapshot | SegmentRefusal> {
    const projectId = context.project.id;
    return this.segments.executeLocked<SegmentSnapshot, SegmentRefusal['refused']>({
      context,
      streamId: id,
      decide: async (state, read) => {
        const { customer_ids } = wanted;
        const decision = this.decision(
          {
            type: 'CreateSegment',
            id,
            ...wanted,
            unknown_customer_id: await firstUnknown(read, projectId, customer_ids),
            dynamic: wanted.segment_type === 'static' ? 0 : await countUnderLock(read, projectId),
            now: this.now(context),
          },
          state,
        );
        if (isRefused(decision) || decision.events.length === 0) return decision;
        const unknown = await this.locations.use(context, id, wanted.filter);
        if (unknown) return unknown;
        const rows = customer_ids.map((customer_id): RowChange => ({
          insert: 'segment_members',
          values: { project_id: projectId, segment_id: id, customer_id },
        }));
        if (wanted.segment_type === 'auto-update')
          rows.push({
            insert: 'segment_builds',
            values: { project_id: projectId, segment_id: id, after: '' },
          });
        return { ...decision, rows };
      },
    });
  }

  /** Refuses as `decideSegment`. */
  update(context: RequestContext, id: string, change: Change): Promise<SegmentSnapshot | SegmentRefusal> {
    const command: SegmentCommand = { type: 'UpdateSegment', id, ...change, now: this.now(context) };
    const { filter } = change;
    return filter === undefined
      ? this.execute(context, command)
      : this.storeFilter(context, { id, filter }, command);
  }

  private storeFilter(
    context: RequestContext,
    { id, filter }: { id: string; filter: SegmentSnapshot['filter'] },
    command: SegmentCommand,
  ): Promise<SegmentSnapshot | SegmentRefusal> {
    return this.segments.executeLocked<SegmentSnapshot, SegmentRefusal['refused']>({
      context,
      streamId: id,
      decide: async (state, read) => {
        await lockFilters(read, 'segments', context.project.id);
        const decision = this.decision(command, state);
        if (isRefused(decision) || decision.events.length === 0) return decision;
        return (await this.locations.use(context, id, filter)) ?? decision;
      },
    });
  }

  /** Refuses `not_found`, and `resource_in_use` where a rule names it. */
  delete(context: RequestContext, id: string): Promise<SegmentSnapshot | SegmentRefusal> {
    return deleteUnlessNamed(this.qualification, context, {
      pages: [[{ object: 'segment', id }]],
      remove: () => this.execute(context, { type: 'DeleteSegment', id }),
    });
  }

  private execute(
    context: RequestContext,
    command: SegmentCommand,
  ): Promise<SegmentSnapshot | SegmentRefusal> {
    return this.segments.execute<SegmentSnapshot, SegmentRefusal['refused']>({
      context,
      streamId: command.id,
      decide: (state) => this.decision(command, state),
    });
  }

  private decision(
    command: SegmentCommand,
    state: SegmentState | undefined,
  ): Decision<SegmentEvent, SegmentSnapshot> | SegmentRefusal {
    return decisionOf(segmentAggregate, state, decideSegment(command, state), ({ segment }) => segment);
  }

  private now({ project }: RequestContext): string {
    return this.clock.now(project).toISOString();
  }
}

/** Returns the number of the project's segments with a filter, under a lock: their creations in one project run one after
 *  another. */
const countUnderLock = async (read: EntityManager, projectId: string): Promise<number> => {
  await lockFilters(read, 'segments', projectId);
  const [row] = await read.query<{ dynamic: number }[]>(
    `SELECT count(*)::int AS dynamic FROM segments
     WHERE project_id = $1 AND NOT deleted AND type <> 'static'`,
    [projectId],
  );
  return row?.dynamic ?? 0;
};

/** Returns the first of the ids that no customer has. The others stay until the segment is stored: a deletion waits, and what
 *  follows from it finds the members. */
const firstUnknown = async (
  read: EntityManager,
  projectId: string,
  ids: readonly string[],
): Promise<string | null> => {
  if (ids.length === 0) return null;
  const rows = await read.query<{ id: string }[]>(
    `SELECT c.id FROM customers c JOIN customer_keys k ON k.project_id = c.project_id AND k.customer_id = c.id
     WHERE c.project_id = $1 AND c.id = ANY($2) AND c.state->>'deleted_at' IS NULL
     ORDER BY c.id FOR SHARE OF c`,
    [projectId, ids],
  );
  const known = new Set(rows.map(({ id }) => id));
  return ids.find((id) => !known.has(id)) ?? null;
};
