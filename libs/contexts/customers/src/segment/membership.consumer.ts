import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import type { SegmentCreated, SegmentEvent } from '@scrip/contracts/customers';
import { projectsOfChangedTypes, projectsOfChangedZones } from '@scrip/contracts/auth';
import { topics } from '@scrip/contracts/registry';
import { readsDays, readsMetadata, type StoredFilter } from '@scrip/list-query';
import { Consumes, type EventBatch } from '@scrip/messaging';
import { InjectJobQueue, JobQueue } from '@scrip/service';
import { concernedSets, InternalContexts } from '@scrip/tasks';
import { segmentJobs } from './membership.jobs';
import { Memberships } from './memberships';

const changes = new Set(['CustomerCreated', 'CustomerUpdated']);

/** Keeps the members of auto-update segments as customers change. What it tests is the customer of now, so that an event that
 *  comes again has no second effect. */
@Controller()
export class MembershipConsumer {
  constructor(
    private readonly contexts: InternalContexts,
    private readonly memberships: Memberships,
    @InjectJobQueue('customers') private readonly queue: JobQueue,
  ) {}

  @Consumes(topics.segment, { group: 'customers.segment-builds' })
  async segments(@Payload() batch: EventBatch): Promise<void> {
    const created = batch.events.filter(
      ({ type, data }) =>
        (type as SegmentEvent['type']) === 'SegmentCreated' &&
        (data as SegmentCreated['data']).segment.type === 'auto-update',
    );
    const entries = created.map(({ projectId, streamId }) =>
      segmentJobs.buildEntry({ project_id: projectId, id: streamId }),
    );
    if (entries.length > 0)
      await batch.commit((manager) => this.queue.addMany(segmentJobs.buildJob, entries, manager));
  }

  /** A filter means something else once keys of metadata have other types. */
  @Consumes(topics.metadataSchema, { group: 'customers.segment-types' })
  types(@Payload() batch: EventBatch): Promise<void> {
    return this.retest(batch, projectsOfChangedTypes(batch.events, 'customer'), readsMetadata);
  }

  /** So does one that compares with days, once they begin at another time. */
  @Consumes(topics.project, { group: 'customers.segment-zones' })
  zones(@Payload() batch: EventBatch): Promise<void> {
    return this.retest(batch, projectsOfChangedZones(batch.events), readsDays);
  }

  @Consumes(topics.customer, { group: 'customers.segment-members' })
  async customers(@Payload() batch: EventBatch): Promise<void> {
    const changed = new Map<string, Set<string>>();
    for (const { projectId, streamId, type } of batch.events) {
      if (!changes.has(type)) continue;
      const ids = changed.get(projectId) ?? new Set<string>();
      changed.set(projectId, ids.add(streamId));
    }
    // One project that fails must not keep the others from being tested; its customers are then tried again by themselves.
    const failures: unknown[] = [];
    for (const [projectId, ids] of changed)
      await this.test(projectId, [...ids]).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  private async retest(
    batch: EventBatch,
    projectIds: readonly string[],
    isConcerned: (filter: StoredFilter) => boolean,
  ): Promise<void> {
    const concerned = await concernedSets(projectIds, (id) => this.memberships.kept(id), isConcerned);
    if (concerned.length > 0)
      await batch.commit((manager) =>
        this.queue.addMany(segmentJobs.retestJob, concerned.map(segmentJobs.retestEntry), manager),
      );
  }

  private async test(projectId: string, ids: readonly string[]): Promise<void> {
    const segments = await this.memberships.kept(projectId);
    if (segments.length === 0) return;
    const context = await this.contexts.of(projectId);
    if (context) await this.memberships.test(context, segments, ids);
  }
}
