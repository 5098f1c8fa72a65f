import { Injectable } from '@nestjs/common';
import type { ProductEvent, ProductSnapshot } from '@scrip/contracts/catalog';
import {
  type AggregateStore,
  type EventStore,
  InjectEventStore,
  type Loaded,
  type NewStream,
  type RowChange,
  runQuery,
  type StreamChange,
} from '@scrip/event-store';
import { type BusinessClock, isRefused, type RequestContext } from '@scrip/kernel';
import type { CheckMetadata } from '@scrip/metadata-schemas';
import { InjectBusinessClock } from '@scrip/service';
import type { EntityManager } from 'typeorm';
import { type CatalogRefusal, duplicate } from '../catalog.refusals';
import { UniqueNames } from '../unique-names';
import { productAggregate } from './product.aggregate';
import type { ProductFields } from './product.commands';
import { decideProduct, evolveProduct, type ProductState } from './product.decider';
import { namesShipping, shippingProtected } from './shipping';
import { withSkus } from './skus-of-product';

/** A product of a set. `new_id`: what it is called if it is created. */
export interface UpsertProductItem {
  /** Null: a product is created without one. */
  source_id: string | null;
  new_id: string;
  fields: ProductFields;
  /** What is changed instead where there is such a product. */
  fieldsIfStored?: ProductFields;
}

/** What became of a product of a set. */
export interface UpsertedProduct {
  product: ProductSnapshot;
  /** Whether there was one of its source id. */
  found: boolean;
  /** Whether it was changed, or created. */
  updated: boolean;
}

/** A product while its set is being decided. */
interface Draft {
  id: string;
  state: ProductState | undefined;
  /** What is stored; null for a new product. */
  stored: Loaded<ProductState> | null;
  events: ProductEvent[];
}

// In the order of ids, so that sets never wait for each other in a circle.
const lockSql = `
  SELECT id, source_id, state, version::int AS version, epoch FROM products
  WHERE project_id = $1 AND source_id = ANY($2) ORDER BY id FOR NO KEY UPDATE`;

const namesSql = `SELECT id, name FROM products WHERE project_id = $1 AND name = ANY($2) AND status = 'LIVE'`;

const nameOf = (state: ProductState | undefined): string | null =>
  state?.status === 'LIVE' ? state.product.name : null;

/** Upserts products by the set, for background work. */
@Injectable()
export class UpsertProducts {
  private readonly products: AggregateStore<ProductState, ProductEvent>;

  constructor(
    @InjectEventStore('catalog') eventStore: EventStore,
    @InjectBusinessClock() private readonly clock: BusinessClock,
  ) {
    this.products = eventStore.aggregate(productAggregate);
  }

  /** Upserts each by its source id, in the order of the set and in the transaction of `manager`: one query locks those that are
   *  there, one looks for their names, one statement creates what is new, one changes the others. Returns an answer for each:
   *  a refusal stops no other. Throws `UniqueViolation` where another call takes a source id or name meanwhile, and
   *  `NameMoves`. `check`: the project's schema of products. Source: reference 07 §6. */
  async upsertIn(
    manager: EntityManager,
    context: RequestContext,
    items: readonly UpsertProductItem[],
    check: CheckMetadata,
  ): Promise<(UpsertedProduct | CatalogRefusal)[]> {
    const { project } = context;
    const drafts = await this.lock(manager, project.id, items);
    const names = new UniqueNames(
      await runQuery(manager, namesSql, [project.id, items.flatMap(({ fields }) => fields.name ?? [])]),
    );
    const now = this.clock.now(project).toISOString();
    const answers = items.map((item) => upserted(drafts, names, item, { check, now }));
    await this.store(manager, context, [...drafts.values()]);
    return answers;
  }

  private async lock(
    manager: EntityManager,
    projectId: string,
    items: readonly UpsertProductItem[],
  ): Promise<Map<string, Draft>> {
    const rows = await runQuery<Loaded<ProductState> & { id: string; source_id: string }>(manager, lockSql, [
      projectId,
      items.flatMap(({ source_id }) => source_id ?? []),
    ]);
    return new Map(
      rows.map(({ id, source_id, state, version, epoch }) => [
        source_id,
        { id, state, stored: { state, version, epoch }, events: [] },
      ]),
    );
  }

  private async store(
    manager: EntityManager,
    context: RequestContext,
    drafts: readonly Draft[],
  ): Promise<void> {
    const created: NewStream<ProductEvent>[] = [];
    const changed: StreamChange<ProductState, ProductEvent>[] = [];
    for (const { id, stored, events } of drafts) {
      if (events.length === 0) continue;
      if (!stored) {
        created.push({ streamId: id, events });
        continue;
      }
      changed.push({
        streamId: id,
        ...(await this.withSkusOfEach(manager, context, stored.state, events)),
        state: stored.state,
        expectedVersion: stored.version,
        expectedEpoch: stored.epoch,
      });
    }
    if (created.length > 0) await this.products.createMany(manager, context, created);
    if (changed.length > 0) await this.products.commitMany(manager, context, changed);
  }

  /** Each event with what it does to the SKUs: an attribute that is dropped loses its values, also where it is declared again
   *  by a later one. */
  private async withSkusOfEach(
    manager: EntityManager,
    context: RequestContext,
    stored: ProductState,
    events: readonly ProductEvent[],
  ): Promise<{ events: ProductEvent[]; rows: RowChange[] }> {
    const all: { events: ProductEvent[]; rows: RowChange[] } = { events: [], rows: [] };
    let state: ProductState | undefined = stored;
    for (const event of events) {
      const decision = await withSkus({ events: [event], answer: null }, { context, state, read: manager });
      all.events.push(...decision.events);
      all.rows.push(...(decision.rows ?? []));
      state = evolveProduct(state, event);
    }
    return all;
  }
}

const upserted = (
  drafts: Map<string, Draft>,
  names: UniqueNames,
  { source_id, new_id, fields: sent, fieldsIfStored = sent }: UpsertProductItem,
  { check, now }: { check: CheckMetadata; now: string },
): UpsertedProduct | CatalogRefusal => {
  if (source_id !== null && namesShipping(source_id)) return shippingProtected();
  const name = source_id ?? new_id;
  const draft = drafts.get(name) ?? { id: new_id, state: undefined, stored: null, events: [] };
  if (draft.state?.status === 'BINNED') return duplicate('product', 'source_id', name, [draft.id]);
  const fields = draft.state ? fieldsIfStored : sent;
  if (fields.name && !names.areFree(fields.name, draft.id)) return duplicate('product', 'name', fields.name);
  const found = draft.state !== undefined;
  const command = { type: 'UpsertProduct', id: draft.id, source_id, fields, override: false } as const;
  const events = decideProduct({ ...command, check, now }, draft.state);
  if (isRefused(events)) return events;
  const state = events.reduce<ProductState | undefined>(evolveProduct, draft.state);
  if (state?.status !== 'LIVE') throw new Error(`an upsert left product ${draft.id} ${state?.status}`);
  names.move(draft.id, nameOf(draft.state), nameOf(state));
  drafts.set(name, { ...draft, state, events: [...draft.events, ...events] });
  return { product: state.product, found, updated: events.length > 0 };
};
