import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import type { ProductCollectionEvent, ProductEvent } from '@scrip/contracts/catalog';
import { projectsOfChangedTypes, projectsOfChangedZones } from '@scrip/contracts/auth';
import { topics } from '@scrip/contracts/registry';
import { readsDays, readsMetadata, type StoredFilter } from '@scrip/list-query';
import { Consumes, type EventBatch } from '@scrip/messaging';
import { InjectJobQueue, JobQueue } from '@scrip/service';
import { concernedSets, InternalContexts, type KeptSet } from '@scrip/tasks';
import { CollectionItems } from './collection-items';
import type { TestedRecord } from './collection-matching';
import { collectionJobs } from './collection.jobs';
import { removalEntry, removeCollection } from './collection-removal.job';

/** What of a project's catalogue changed. Sets: a batch may tell of one record more than once. */
interface Changed {
  products: Set<string>;
  /** Products whose SKUs may belong elsewhere now. */
  updated: Set<string>;
  deleted: Set<string>;
  /** Owners by SKU. */
  skus: Map<string, string>;
}

const nothing = (): Changed => ({
  products: new Set(),
  updated: new Set(),
  deleted: new Set(),
  skus: new Map(),
});

const note = (changed: Changed, streamId: string, event: ProductEvent): void => {
  // A filter may ask for the SKUs of a product.
  changed.products.add(streamId);
  switch (event.type) {
    case 'ProductCreated':
      return;
    case 'ProductUpdated':
    case 'ProductAttributesDropped':
      changed.updated.add(streamId);
      return;
    case 'ProductDeleted':
      changed.deleted.add(streamId);
      return;
    // Deletions took them out.
    case 'ProductPurged':
    case 'SkuPurged':
      return;
    case 'SkuCreated':
    case 'SkuUpdated':
    case 'SkuDeleted':
      changed.skus.set(event.data.sku.id, event.data.sku.product_id);
      return;
    default:
      event satisfies never;
  }
};

/** Keeps collections as products, SKUs and filters change. What it tests is the record of now, so that an event that comes
 *  again has no second effect. */
@Controller()
export class CollectionConsumer {
  constructor(
    private readonly contexts: InternalContexts,
    private readonly items: CollectionItems,
    @InjectJobQueue('catalog') private readonly queue: JobQueue,
  ) {}

  @Consumes(topics.productCollection, { group: 'catalog.collection-builds' })
  async collections(@Payload() batch: EventBatch): Promise<void> {
    const named = (types: readonly ProductCollectionEvent['type'][]): KeptSet[] =>
      batch.events
        .filter(({ type }) => (types as readonly string[]).includes(type))
        .map(({ projectId, streamId }) => ({ project_id: projectId, id: streamId }));
    const built = named(['ProductCollectionCreated', 'ProductCollectionUpdated']).map(
      collectionJobs.buildEntry,
    );
    const removed = named(['ProductCollectionDeleted']).map(removalEntry);
    await batch.commit(async (manager) => {
      if (built.length > 0) await this.queue.addMany(collectionJobs.buildJob, built, manager);
      if (removed.length > 0) await this.queue.addMany(removeCollection, removed, manager);
    });
  }

  /** A filter means something else once keys of metadata have other types. */
  @Consumes(topics.metadataSchema, { group: 'catalog.collection-types' })
  types(@Payload() batch: EventBatch): Promise<void> {
    return this.retest(batch, projectsOfChangedTypes(batch.events, 'product'), readsMetadata);
  }

  /** So does one that compares with days, once they begin at another time. */
  @Consumes(topics.project, { group: 'catalog.collection-zones' })
  zones(@Payload() batch: EventBatch): Promise<void> {
    return this.retest(batch, projectsOfChangedZones(batch.events), readsDays);
  }

  @Consumes(topics.product, { group: 'catalog.collection-items' })
  async products(@Payload() batch: EventBatch): Promise<void> {
    const changes = new Map<string, Changed>();
    for (const { projectId, streamId, type, data } of batch.events) {
      const changed = changes.get(projectId) ?? nothing();
      note(changed, streamId, { type, data } as ProductEvent);
      changes.set(projectId, changed);
    }
    for (const [projectId, changed] of changes) await this.test(projectId, changed);
  }

  private async retest(
    batch: EventBatch,
    projectIds: readonly string[],
    isConcerned: (filter: StoredFilter) => boolean,
  ): Promise<void> {
    const concerned = await concernedSets(projectIds, (id) => this.items.filtered(id), isConcerned);
    if (concerned.length > 0)
      await batch.commit((manager) =>
        this.queue.addMany(collectionJobs.retestJob, concerned.map(collectionJobs.retestEntry), manager),
      );
  }

  private async test(projectId: string, { products, updated, deleted, skus }: Changed): Promise<void> {
    if (!(await this.items.areKept(projectId))) return;
    const context = await this.contexts.of(projectId);
    if (!context) return;
    if (deleted.size > 0) await this.items.removeOf(projectId, [...deleted]);
    const records: TestedRecord[] = [
      ...[...products].map((id) => ({ object: 'product' as const, id, owner_id: id })),
      ...[...skus].map(([id, owner_id]) => ({ object: 'sku' as const, id, owner_id })),
    ];
    await this.items.test(context, records);
    // Those of a deleted product that is there once more have events of their own.
    if (updated.size > 0) await this.items.testSkusOf(context, [...updated]);
  }
}
