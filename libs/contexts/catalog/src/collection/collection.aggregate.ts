import type { ProductCollectionEvent } from '@scrip/contracts/catalog';
import type { AggregateDefinition } from '@scrip/event-store';
import { type CollectionState, duplicateCollection, evolveCollection } from './collection.decider';

/** Stream `product-collection`; table `product_collections`. Names are unique among the live ones of a project. */
export const collectionAggregate: AggregateDefinition<CollectionState, ProductCollectionEvent> = {
  aggregate: 'product-collection',
  table: 'product_collections',
  evolve: evolveCollection,
  columns: {
    name: { type: 'text', of: ({ collection }) => collection.name },
    type: { type: 'text', of: ({ collection }) => collection.type },
    deleted: { type: 'boolean', of: ({ deleted }) => deleted },
    created_at: { type: 'timestamptz', of: ({ collection }) => collection.created_at },
    updated_at: { type: 'timestamptz', of: ({ collection }) => collection.updated_at },
  },
  conflicts: {
    product_collections_name: ({ collection }) => duplicateCollection(collection.name),
  },
};
