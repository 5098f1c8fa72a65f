import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { FilterLocations, LocationMatcher } from '@scrip/metadata';
import { InjectJobQueue, JobQueue } from '@scrip/service';
import type { DataSource } from 'typeorm';
import type { CollectionState } from './collection.decider';
import { collectionJobs } from './collection.jobs';

/** The locations that filters of collections refer to. */
@Injectable()
export class CollectionLocations extends FilterLocations<CollectionState> {
  constructor(
    @InjectDataSource('catalog') dataSource: DataSource,
    @InjectJobQueue('catalog') queue: JobQueue,
    locations: LocationMatcher,
  ) {
    super(dataSource, locations, {
      user: 'products_collection',
      table: 'product_collections',
      hasFilter: `type <> 'STATIC'`,
      setOf: ({ collection: { id, filter } }) => ({ id, filter, isKept: true }),
      retest: (sets) => queue.addMany(collectionJobs.retestJob, sets.map(collectionJobs.retestEntry)),
    });
  }
}
