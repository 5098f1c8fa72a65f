import { Injectable } from '@nestjs/common';
import { JobHandler, defineJob } from '@scrip/service';
import type { KeptSet } from '@scrip/tasks';
import { CollectionItems } from './collection-items';

/** A collection that was deleted. */
interface DeletedCollection {
  project_id: string;
  collection_id: string;
}

/** Removes what is kept of a deleted collection. */
export const removeCollection = defineJob<DeletedCollection>('catalog', 'remove-collection');

/** The entry of a removal. */
export const removalEntry = ({ project_id, id }: KeptSet) => ({
  payload: { project_id, collection_id: id },
  jobKey: `remove ${project_id} ${id}`,
});

/** Removes what is kept of deleted collections, chunk by chunk; killed at any point, its next attempt goes on. */
@Injectable()
export class CollectionRemovalJob {
  constructor(private readonly items: CollectionItems) {}

  @JobHandler(removeCollection)
  run({ project_id, collection_id }: DeletedCollection): Promise<void> {
    return this.items.removeAll(project_id, collection_id);
  }
}
