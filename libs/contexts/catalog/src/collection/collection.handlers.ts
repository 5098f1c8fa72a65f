import { Injectable, Logger } from '@nestjs/common';
import type {
  CollectedRecord,
  ProductCollectionEvent,
  ProductCollectionSnapshot,
} from '@scrip/contracts/catalog';
import {
  type AggregateStore,
  type Decision,
  decisionOf,
  type EventStore,
  InjectEventStore,
  type RowChange,
  runQuery,
} from '@scrip/event-store';
import { type BusinessClock, Fault, isRefused, type RequestContext } from '@scrip/kernel';
import { InjectBusinessClock } from '@scrip/service';
import type { EntityManager } from 'typeorm';
import { allProducts } from './all-products';
import { CollectionLocations } from './collection-locations';
import { lockFilters } from '@scrip/metadata';
import { NamedDeletions } from '../deletion/named-deletions';
import { CollectionItems } from './collection-items';
import { collectionAggregate } from './collection.aggregate';
import type { CollectionCommand, UpdateCollection } from './collection.commands';
import {
  builtInCollection,
  type CollectionRefusal,
  type CollectionState,
  decideCollection,
} from './collection.decider';
import type { NewCollection } from './new-collection';

type Change = Pick<UpdateCollection, 'name' | 'filter'>;
type Answer = ProductCollectionSnapshot | CollectionRefusal;

/** Steps that a call makes of the walk that it began: a small catalogue is through before the answer. */
const stepsOfCall = 3;

/** Creates, changes and deletes collections. */
@Injectable()
export class CollectionHandlers {
  private readonly logger = new Logger(CollectionHandlers.name);
  private readonly collections: AggregateStore<CollectionState, ProductCollectionEvent>;

  constructor(
    @InjectEventStore('catalog') store: EventStore,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly items: CollectionItems,
    private readonly locations: CollectionLocations,
    private readonly deletions: NamedDeletions,
  ) {
    this.collections = store.aggregate(collectionAggregate);
  }

  /** Creates a collection; repeated under the same id, answers the first result. Refuses as `decideCollection`, and
   *  `duplicate_found` for the name of another collection. */
  async create(context: RequestContext, id: string, wanted: NewCollection): Promise<Answer> {
    const projectId = context.project.id;
    const created = await this.collections.executeLocked<
      ProductCollectionSnapshot,
      CollectionRefusal['refused']
    >({
      context,
      streamId: id,
      decide: async (state, read) => {
        const { products, unknown } = await namedRecords(read, projectId, wanted.products);
        const existing = await countUnderLock(read, projectId);
        const now = this.now(context);
        const command = {
          type: 'CreateCollection',
          id,
          ...wanted,
          products,
          unknown,
          existing,
          now,
        } as const;
        return this.stored(context, command, state);
      },
    });
    return this.begun(context, created);
  }

  /** Refuses as `decideCollection`, `duplicate_found` for the name of another collection, and `resource_protected` for the
   *  built-in one. */
  async update(context: RequestContext, id: string, change: Change): Promise<Answer> {
    if (id === allProducts.id) return builtInCollection();
    const command = { type: 'UpdateCollection', id, ...change, now: this.now(context) } as const;
    if (!change.filter) return this.execute(context, command);
    const changed = await this.collections.executeLocked<
      ProductCollectionSnapshot,
      CollectionRefusal['refused']
    >({
      context,
      streamId: id,
      decide: async (state, read) => {
        await lockFilters(read, 'product_collections', context.project.id);
        return this.stored(context, command, state);
      },
    });
    return this.begun(context, changed);
  }

  /** Refuses `not_found`, `resource_in_use` where a rule names it, and `resource_protected` for the built-in collection. */
  async delete(context: RequestContext, id: string): Promise<Answer> {
    if (id === allProducts.id) return builtInCollection();
    return this.deletions.collection(context, id, () =>
      this.execute(context, { type: 'DeleteCollection', id }),
    );
  }

  private execute(context: RequestContext, command: CollectionCommand): Promise<Answer> {
    return this.collections.execute<ProductCollectionSnapshot, CollectionRefusal['refused']>({
      context,
      streamId: command.id,
      decide: (state) => this.walked(context.project.id, command, state),
    });
  }

  /** The decision on a filter, behind `lockFilters`, once auth knows the locations that it refers to. */
  private async stored(
    context: RequestContext,
    command: Extract<CollectionCommand, { filter?: unknown }>,
    state: CollectionState | undefined,
  ): Promise<Decision<ProductCollectionEvent, ProductCollectionSnapshot> | CollectionRefusal> {
    const decision = this.walked(context.project.id, command, state);
    if (isRefused(decision) || decision.events.length === 0) return decision;
    const { id, filter = null } = command;
    return (await this.locations.use(context, id, filter)) ?? decision;
  }

  /** The decision, and the walk that finds what belongs to a new collection or a new filter. */
  private walked(
    projectId: string,
    command: CollectionCommand,
    state: CollectionState | undefined,
  ): Decision<ProductCollectionEvent, ProductCollectionSnapshot> | CollectionRefusal {
    const decision = decisionOf(
      collectionAggregate,
      state,
      decideCollection(command, state),
      ({ collection }) => collection,
    );
    if (isRefused(decision) || decision.events.length === 0) return decision;
    const begins =
      command.type === 'CreateCollection' ||
      (command.type === 'UpdateCollection' && command.filter !== undefined);
    if (!begins) return decision;
    const walk: RowChange = {
      upsert: 'collection_walks',
      key: { project_id: projectId, collection_id: command.id },
      set: { object: 'product', after: '' },
    };
    return { ...decision, rows: [walk] };
  }

  /** Makes the first steps of a walk that the call began. What is left, also when one of them fails, is left to the job. */
  private async begun(context: RequestContext, answer: Answer): Promise<Answer> {
    if (isRefused(answer)) return answer;
    try {
      for (let left = stepsOfCall; left > 0; left -= 1)
        if (!(await this.items.walk(context, answer.id))) break;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.logger.warn(`collection ${answer.id} is built later: ${error.message}`);
    }
    return answer;
  }

  private now({ project }: RequestContext): string {
    return this.clock.now(project).toISOString();
  }
}

/** Returns the number of the project's collections, under a lock: creations in one project run one after another. */
const countUnderLock = async (read: EntityManager, projectId: string): Promise<number> => {
  await lockFilters(read, 'product_collections', projectId);
  const [row] = await runQuery<{ existing: number }>(
    read,
    'SELECT count(*)::int AS existing FROM product_collections WHERE project_id = $1 AND NOT deleted',
    [projectId],
  );
  return row?.existing ?? 0;
};

/** The records that a static collection names, SKUs with their product; and the first that the catalogue does not have. */
const namedRecords = async (
  read: EntityManager,
  projectId: string,
  named: CollectedRecord[] | null,
): Promise<{ products: CollectedRecord[] | null; unknown: CollectedRecord | null }> => {
  if (!named || named.length === 0) return { products: named, unknown: null };
  const idsOf = (object: CollectedRecord['object']) =>
    named.filter((record) => record.object === object).map(({ id }) => id);
  const found = await runQuery<CollectedRecord & { product_id: string }>(
    read,
    `SELECT 'product' AS object, id, id AS product_id FROM products
     WHERE project_id = $1 AND id = ANY($2) AND status = 'LIVE'
     UNION ALL
     SELECT 'sku', s.id, s.product_id FROM skus s
     JOIN products p ON p.project_id = s.project_id AND p.id = s.product_id AND p.status = 'LIVE'
     WHERE s.project_id = $1 AND s.id = ANY($3) AND s.status = 'LIVE'`,
    [projectId, idsOf('product'), idsOf('sku')],
  );
  const ownerOf = new Map(found.map(({ object, id, product_id }) => [`${object} ${id}`, product_id]));
  const owner = ({ object, id }: CollectedRecord) => ownerOf.get(`${object} ${id}`);
  const fits = (record: CollectedRecord): boolean => {
    const product_id = owner(record);
    return product_id !== undefined && (record.product_id ?? product_id) === product_id;
  };
  const products = named.map(({ object, id, ...rest }): CollectedRecord =>
    object === 'sku' ? { id, product_id: owner({ object, id }) ?? rest.product_id, object } : { id, object },
  );
  return { products, unknown: named.find((record) => !fits(record)) ?? null };
};
