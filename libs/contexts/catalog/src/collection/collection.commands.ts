import type { CollectedRecord, ProductCollectionType } from '@scrip/contracts/catalog';
import type { Metadata } from '@scrip/contracts/snapshot';

/** What can be asked of a collection. `now`: when it is decided, ISO. */
export type CollectionCommand = CreateCollection | UpdateCollection | DeleteCollection;

export interface CreateCollection {
  type: 'CreateCollection';
  id: string;
  name: string;
  collection_type: ProductCollectionType;
  /** Null for a static collection. */
  filter: Metadata | null;
  /** Null for an auto-update collection. */
  products: CollectedRecord[] | null;
  /** The first of `products` that is not in the catalogue. */
  unknown: CollectedRecord | null;
  /** Collections that the project has. */
  existing: number;
  now: string;
}

/** Absent fields stay. */
export interface UpdateCollection {
  type: 'UpdateCollection';
  id: string;
  name?: string;
  filter?: Metadata;
  now: string;
}

export interface DeleteCollection {
  type: 'DeleteCollection';
  id: string;
}
