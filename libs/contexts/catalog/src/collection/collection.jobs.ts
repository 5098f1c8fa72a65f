import { keptSetJobs } from '@scrip/tasks';
import type { CollectionState } from './collection.decider';
import { membersMayChangeWithTheDay } from './collection-filter';
import { CollectionItems } from './collection-items';

/** The jobs of collections. */
export const collectionJobs = keptSetJobs({
  context: 'catalog',
  what: 'collection',
  sets: CollectionItems,
  tables: { sets: 'product_collections', keptType: 'AUTO_UPDATE', walks: 'collection_walks' },
  mayChangeWithTheDay: ({ collection }: CollectionState) => membersMayChangeWithTheDay(collection),
});
