import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { untilWritersEnd } from '@scrip/event-store';
import type { RequestContext } from '@scrip/kernel';
import { type KeptSets, keptSetJobs } from '@scrip/tasks';
import type { DataSource } from 'typeorm';
import { Memberships } from './memberships';
import type { SegmentState } from './segment.decider';
import { changesWithTheDay, mayChangeWithTheDay } from './segment-filter';
import { FilterContexts } from '@scrip/metadata';

/** Longer than a transaction may take; the job is tried again. */
const waitMs = 30_000;

/** Finds the members of auto-update segments. */
@Injectable()
export class SegmentWalks implements KeptSets<SegmentState> {
  constructor(
    @InjectDataSource('customers') private readonly dataSource: DataSource,
    private readonly memberships: Memberships,
    private readonly filterContexts: FilterContexts,
  ) {}

  /** An order or redemption that is being stored may not see the segment, and then asks for no test of its customer: the walk
   *  begins when it is stored. Machine time. */
  beforeWalk(): Promise<void> {
    return untilWritersEnd(this.dataSource, ['segment_retests'], Date.now() + waitMs);
  }

  walk(context: RequestContext, id: string): Promise<boolean> {
    return this.memberships.build(context, id);
  }

  async review(context: RequestContext, id: string, abortSignal: AbortSignal): Promise<void> {
    const segment = (await this.memberships.kept(context.project.id)).find((kept) => kept.id === id);
    if (!segment) return;
    for (let after: string | null = ''; after !== null; abortSignal.throwIfAborted())
      after = await this.memberships.testNext(context, segment, after);
  }

  async changesWithTheDay(context: RequestContext, { segment: { filter } }: SegmentState): Promise<boolean> {
    return (
      filter !== null &&
      changesWithTheDay(filter, (await this.filterContexts.now(context, 'customer')).typeOf)
    );
  }
}

/** The jobs of auto-update segments. */
export const segmentJobs = keptSetJobs({
  context: 'customers',
  what: 'segment',
  sets: SegmentWalks,
  tables: { sets: 'segments', keptType: 'auto-update', walks: 'segment_builds' },
  mayChangeWithTheDay: ({ segment }: SegmentState) => mayChangeWithTheDay(segment.filter ?? {}),
});
