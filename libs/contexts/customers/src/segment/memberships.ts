import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { SegmentEvent, SegmentSnapshot } from '@scrip/contracts/customers';
import { type AggregateStore, type EventStore, InjectEventStore, type RowChange } from '@scrip/event-store';
import { type RequestContext, isRefused } from '@scrip/kernel';
import type { DataSource, EntityManager } from 'typeorm';
import { Candidates } from './candidates';
import { factsRead } from './facts-read';
import { segmentAggregate } from './segment.aggregate';
import { membersAdded, type SegmentState } from './segment.decider';
import { type Candidate, matchingSegments, type Tested } from './segment-matching';
import { type FilterContextNow, FilterContexts } from '@scrip/metadata';
import { InternalContexts } from '@scrip/tasks';

/** What a step of a build took in. */
interface Built {
  segment: SegmentSnapshot | null;
  members: string[];
  /** Whether there may be more. */
  more: boolean;
}

const nothingBuilt: Built = { segment: null, members: [], more: false };

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/** Keeps who belongs to auto-update segments. Everything that changes the members of a segment happens under the lock of its
 *  stream. Source: reference 07 §4, ADR 87. */
@Injectable()
export class Memberships {
  private readonly segments: AggregateStore<SegmentState, SegmentEvent>;

  constructor(
    @InjectEventStore('customers') eventStore: EventStore,
    @InjectDataSource('customers') private readonly dataSource: DataSource,
    private readonly filterContexts: FilterContexts,
    private readonly candidates: Candidates,
    private readonly contexts: InternalContexts,
  ) {
    this.segments = eventStore.aggregate(segmentAggregate);
  }

  /** The auto-update segments of a project. */
  async kept(projectId: string): Promise<SegmentSnapshot[]> {
    const rows = await this.dataSource.query<{ state: SegmentState }[]>(
      `SELECT state FROM segments WHERE project_id = $1 AND NOT deleted AND type = 'auto-update'`,
      [projectId],
    );
    return rows.map(({ state }) => state.segment);
  }

  /** Takes the next customers into a segment that is new, silently. Answers whether there may be more. */
  async build(context: RequestContext, segmentId: string): Promise<boolean> {
    const projectId = context.project.id;
    const key = { project_id: projectId, segment_id: segmentId };
    const at = await this.filterContexts.now(context, 'customer');
    const built = await this.segments.executeLocked<Built>({
      context,
      streamId: segmentId,
      decide: async (state, read) => {
        const after = await buildOf(read, projectId, segmentId);
        if (!state || after === null) return { events: [], answer: nothingBuilt };
        if (state.deleted)
          return { events: [], rows: [{ delete: 'segment_builds', key }], answer: nothingBuilt };
        const { members, last } = await this.nextMembers(read, at, state.segment, after);
        const progress: RowChange =
          last === null
            ? { delete: 'segment_builds', key }
            : { update: 'segment_builds', key, set: { after: last } };
        return {
          events: membersAdded(segmentId, members),
          rows: [...members.map((id) => memberRow(projectId, segmentId, id)), progress],
          answer: { segment: state.segment, members, more: last !== null },
        };
      },
    });
    if (isRefused(built)) return false;
    const { segment, members, more } = built;
    // As in `compare`: who tests new sums or publications of a member while the step is stored does not see it yet.
    if (segment && readsUnlocked(segment, at)) await this.testAgain(projectId, segment, members);
    return more;
  }

  /** Tests customers against segments, and stores and tells who enters or leaves. */
  async test(
    context: RequestContext,
    segments: readonly SegmentSnapshot[],
    customerIds: readonly string[],
  ): Promise<void> {
    const at = await this.filterContexts.now(context, 'customer');
    const read = { facts: factsRead(segments, at), testedBy: segments };
    const candidates = await this.candidates.named(this.dataSource, context.project.id, customerIds, read);
    await this.compare(context, { ...at, segments }, candidates);
  }

  /** Tests the customers behind `after` against a segment; answers the last one's id, null behind the last of all. */
  async testNext(context: RequestContext, segment: SegmentSnapshot, after: string): Promise<string | null> {
    const tested = { ...(await this.filterContexts.now(context, 'customer')), segments: [segment] };
    const read = { facts: factsRead([segment], tested) };
    const page = await this.candidates.behind(this.dataSource, context.project.id, after, read);
    await this.compare(context, tested, page.candidates);
    return page.last;
  }

  /** The members among the next customers behind one, and how far that is; null: to the last customer. Those that match are
   *  locked: a change of one of them, or its deletion, waits and is then seen as such. A change that lets another one match is
   *  tested after this step, by its event. */
  private async nextMembers(
    read: EntityManager,
    at: FilterContextNow,
    segment: SegmentSnapshot,
    after: string,
  ): Promise<{ members: string[]; last: string | null }> {
    const projectId = at.project.id;
    const facts = factsRead([segment], at);
    const page = await this.candidates.behind(read, projectId, after, { facts, narrowedBy: segment.filter });
    const matching = new Set(await matchingOf(read, at, segment, page.candidates));
    const found = page.candidates.filter(({ id }) => matching.has(id));
    const { unchanged, changed } = await this.candidates.locked(read, projectId, found, { facts });
    const members = [...idsOf(unchanged), ...(await matchingOf(read, at, segment, changed))];
    return { members: members.sort(), last: page.last };
  }

  /** Looks without a lock which customers differ: mostly none. Those that did are looked at again behind the change. Sums,
   *  publications, types of metadata and places stay no longer than it takes to read them: who tests what they became while the change
   *  is stored sees the members of before. */
  private async compare(
    context: RequestContext,
    { segments, ...at }: Tested,
    candidates: readonly Candidate[],
  ): Promise<void> {
    const projectId = context.project.id;
    const differing = await this.differing(projectId, { ...at, segments }, candidates);
    const now = differing.size > 0 ? await this.contexts.of(projectId) : undefined;
    if (!now) return;
    const atNow = await this.filterContexts.now(now, 'customer');
    for (const [segment, ids] of differing) {
      const changed = await this.change(now, atNow, segment.id, ids);
      await this.testAgain(projectId, segment, changed);
    }
  }

  /** Tests customers as they are now. */
  private async testAgain(
    projectId: string,
    segment: SegmentSnapshot,
    customerIds: readonly string[],
  ): Promise<void> {
    const now = customerIds.length > 0 ? await this.contexts.of(projectId) : undefined;
    if (now) await this.test(now, [segment], customerIds);
  }

  /** The ids of customers that should enter or leave, by segment. */
  private async differing(
    projectId: string,
    tested: Tested,
    candidates: readonly Candidate[],
  ): Promise<Map<SegmentSnapshot, string[]>> {
    const { segments } = tested;
    const matches = await matchingSegments(this.dataSource, tested, candidates);
    const rows = await this.dataSource.query<{ segment_id: string; id: string }[]>(
      `SELECT segment_id, customer_id AS id FROM segment_members
       WHERE project_id = $1 AND segment_id = ANY($2) AND customer_id = ANY($3)`,
      [projectId, idsOf(segments), idsOf(candidates)],
    );
    const members = new Set(rows.map(({ segment_id, id }) => `${segment_id} ${id}`));
    const found = new Map<SegmentSnapshot, string[]>();
    for (const segment of segments) {
      const ids = idsOf(candidates).filter(
        (id) => members.has(`${segment.id} ${id}`) !== (matches.get(id)?.has(segment.id) ?? false),
      );
      if (ids.length > 0) found.set(segment, ids);
    }
    return found;
  }

  /** Lets those of the customers enter and leave of which it is true under the lock, and returns their ids. A segment that is being
   *  built takes those which the build has not reached yet by itself. */
  private async change(
    context: RequestContext,
    at: FilterContextNow,
    segmentId: string,
    ids: readonly string[],
  ): Promise<string[]> {
    const projectId = context.project.id;
    const changed = await this.segments.executeLocked<string[]>({
      context,
      streamId: segmentId,
      decide: async (state, read) => {
        if (!state || state.deleted) return { events: [], answer: [] };
        const after = await buildOf(read, projectId, segmentId);
        const reached = after === null ? ids : ids.filter((id) => id <= after);
        const facts = factsRead([state.segment], at);
        const candidates = await this.candidates.named(read, projectId, reached, { facts, lock: true });
        const matching = new Set(await matchingOf(read, at, state.segment, candidates));
        const members = await membersAmong(read, projectId, segmentId, idsOf(candidates));
        const entered = idsOf(candidates).filter((id) => matching.has(id) && !members.has(id));
        const left = idsOf(candidates).filter((id) => !matching.has(id) && members.has(id));
        const told = (type: 'SegmentEntered' | 'SegmentLeft') => (customer_id: string) =>
          ({ type, data: { segment_id: segmentId, customer_id } }) as const;
        return {
          events: [...entered.map(told('SegmentEntered')), ...left.map(told('SegmentLeft'))],
          rows: [
            ...entered.map((id) => memberRow(projectId, segmentId, id)),
            ...left.map((customer_id): RowChange => ({
              delete: 'segment_members',
              key: { project_id: projectId, segment_id: segmentId, customer_id },
            })),
          ],
          answer: [...entered, ...left],
        };
      },
    });
    return isRefused(changed) ? [] : changed;
  }
}

/** Whether the filter reads sums or publications, which the lock on a customer's row does not hold. */
const readsUnlocked = (segment: SegmentSnapshot, at: FilterContextNow): boolean => {
  const { sums, publications } = factsRead([segment], at);
  return sums || publications;
};

const matchingOf = async (
  read: EntityManager,
  at: FilterContextNow,
  segment: SegmentSnapshot,
  candidates: readonly Candidate[],
): Promise<string[]> => {
  const matches = await matchingSegments(read, { ...at, segments: [segment] }, candidates);
  return idsOf(candidates).filter((id) => matches.get(id)?.has(segment.id));
};

const memberRow = (projectId: string, segment_id: string, customer_id: string): RowChange => ({
  insert: 'segment_members',
  values: { project_id: projectId, segment_id, customer_id },
});

/** The last customer that the build of a segment has reached; null once it has reached all. */
const buildOf = async (read: EntityManager, projectId: string, segmentId: string): Promise<string | null> => {
  const [row] = await read.query<{ after: string }[]>(
    'SELECT after FROM segment_builds WHERE project_id = $1 AND segment_id = $2',
    [projectId, segmentId],
  );
  return row?.after ?? null;
};

const membersAmong = async (
  read: EntityManager,
  projectId: string,
  segmentId: string,
  ids: readonly string[],
): Promise<Set<string>> => {
  const rows = await read.query<{ id: string }[]>(
    `SELECT customer_id AS id FROM segment_members
     WHERE project_id = $1 AND segment_id = $2 AND customer_id = ANY($3)`,
    [projectId, segmentId, ids],
  );
  return new Set(idsOf(rows));
};
