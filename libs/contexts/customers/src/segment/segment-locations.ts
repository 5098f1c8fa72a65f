import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { FilterLocations, LocationMatcher } from '@scrip/metadata';
import { InjectJobQueue, JobQueue } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { segmentJobs } from './membership.jobs';
import type { SegmentState } from './segment.decider';

/** The locations that filters of segments refer to: members of auto-update segments are kept. */
@Injectable()
export class SegmentLocations extends FilterLocations<SegmentState> {
  constructor(
    @InjectDataSource('customers') dataSource: DataSource,
    @InjectJobQueue('customers') queue: JobQueue,
    locations: LocationMatcher,
  ) {
    super(dataSource, locations, {
      user: 'segment',
      table: 'segments',
      hasFilter: `type <> 'static'`,
      setOf: ({ segment: { id, filter, type } }) => ({ id, filter, isKept: type === 'auto-update' }),
      retest: (sets) => queue.addMany(segmentJobs.retestJob, sets.map(segmentJobs.retestEntry)),
    });
  }
}
