import { Injectable } from '@nestjs/common';
import type { ProductEvent, SkuSnapshot } from '@scrip/contracts/catalog';
import {
  type AggregateStore,
  type Decision,
  type EventStore,
  InjectEventStore,
  type RowChange,
  StaleRow,
  UniqueViolation,
  VersionConflict,
} from '@scrip/event-store';
import {
  type BusinessClock,
  type IdSource,
  isRefused,
  notFound,
  randomIds,
  type RequestContext,
} from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import type { CheckMetadata } from '@scrip/metadata-schemas';
import { InjectBusinessClock } from '@scrip/service';
import { type Deletion, entryRemoved } from '@scrip/trash-bin';
import { entriesOf } from '../trash-bin/entries-of-deletion';
import { NamedDeletions } from '../deletion/named-deletions';
import { type CatalogRefusal, duplicate } from '../catalog.refusals';
import { productAggregate } from '../product/product.aggregate';
import type { ProductState } from '../product/product.decider';
import { namesShipping, shippingProtected } from '../product/shipping';
import type { SkuCommand, SkuFields, UpsertSku } from './sku.commands';
import { decideSku, type SkuEvent, skuOfAnotherProduct, type StoredSku } from './sku.decider';
import { type FoundSku, SkuReads } from './sku.reads';
import { rowChangeOf, skuRows, storedIn } from './sku.table';

/** A SKU to create or change. */
export interface SkuUpsert {
  /** The id of its product. */
  product_id: string;
  /** Of the SKU that is changed or, where it is unknown, created. */
  id: string | null;
  /** The SKU that is changed, where no id is given; else of a SKU that is created. */
  source_id: string | null;
  /** Of a SKU that is created without an id. */
  new_id: string;
  fields: SkuFields;
  /** See `UpsertSku.override`. */
  override: boolean;
}

/** Tries of an upsert: after each but the last, the SKU is looked up that took the source id meanwhile. */
const tries = 3;

/** Products whose SKUs one call writes at a time: each takes a connection. */
const productsAtOnce = 4;

/** One of many upserts: its place among them, and what is stored under its id or source id. */
interface SkuWrite {
  upsert: SkuUpsert;
  index: number;
  found: FoundSku | null;
}

const refusalOf = (
  { product_id, id, source_id }: SkuUpsert,
  found: FoundSku | null,
): CatalogRefusal | null => {
  if (!found) return null;
  const entries = [found.id, found.product_id];
  if (!found.live)
    return id === null
      ? duplicate('sku', 'source_id', source_id!, entries)
      : duplicate('sku', 'id', id, entries);
  return found.product_id === product_id ? null : skuOfAnotherProduct(found);
};

type RowsBeside = (events: readonly ProductEvent[]) => RowChange[];

const skuAfter = (events: readonly SkuEvent[], stored: StoredSku | undefined): SkuSnapshot => {
  const sku = events.at(-1)?.data.sku ?? stored?.sku;
  if (!sku) throw new Error('nothing was decided on a SKU that is not stored');
  return sku;
};

/** Decides commands on SKUs, under the lock of their product, and commits what was decided. */
@Injectable()
export class SkuHandlers {
  private readonly products: AggregateStore<ProductState, ProductEvent>;

  constructor(
    @InjectEventStore('catalog') store: EventStore,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly reads: SkuReads,
    private readonly metadata: MetadataSchemas,
    private readonly deletions: NamedDeletions,
  ) {
    this.products = store.aggregate(productAggregate);
  }

  /** Creates or changes a SKU; once under the same `ids`: a repetition answers it as it is. Refuses `not_found` (product, or a SKU
   *  that was deleted before the repetition), `invalid_sku`, `resource_in_use`, `duplicate_found` (name, source id, or either id of
   *  a SKU in the bin) and `invalid_payload`. Source: reference 07 §6, ADR 157. */
  async upsert(
    context: RequestContext,
    ids: IdSource,
    upsert: SkuUpsert,
  ): Promise<SkuSnapshot | CatalogRefusal> {
    const [sku] = await this.upsertMany(context, [upsert], ids);
    if (!sku) throw new Error('an upsert has no answer');
    return sku;
  }

  /** As `upsert`, for many, each on its own and of another SKU: answers in their order. One statement looks all of them up,
   *  and one transaction writes them unless something comes between. */
  async upsertMany(
    context: RequestContext,
    upserts: readonly SkuUpsert[],
    ids: IdSource = randomIds,
  ): Promise<(SkuSnapshot | CatalogRefusal)[]> {
    const check = await this.metadata.checkOf(context, 'product');
    const answers: (SkuSnapshot | CatalogRefusal | null)[] = upserts.map(({ product_id }) =>
      namesShipping(product_id) ? shippingProtected() : null,
    );
    for (let left = tries; left > 0 && answers.includes(null); left -= 1) {
      const open = upserts.map((upsert, index) => ({ upsert, index })).filter(({ index }) => !answers[index]);
      const found = await this.reads.findSought(
        context,
        open.map(({ upsert }) => upsert),
      );
      const writes = open.map(({ upsert, index }, place) => ({ upsert, index, found: found[place] ?? null }));
      const together = writes.length > 1 ? await this.writeTogether(context, writes, check) : null;
      if (!together) await this.writeEach(context, writes, { answers, check, ids });
      else for (const [place, { index }] of writes.entries()) answers[index] = together[place]!;
    }
    return answers.map(
      (answer, index) => answer ?? duplicate('sku', 'source_id', upserts[index]!.source_id!),
    );
  }

  /** Changes what was sent of a SKU. Refuses `not_found`, `invalid_sku`, `duplicate_found` (name) and
   *  `invalid_payload`. */
  async update(
    context: RequestContext,
    { id, product_id }: Pick<SkuSnapshot, 'id' | 'product_id'>,
    fields: SkuFields,
  ): Promise<SkuSnapshot | CatalogRefusal> {
    const check = await this.metadata.checkOf(context, 'product');
    const command = { type: 'UpdateSku', id, product_id, fields, check, now: this.now(context) } as const;
    return this.execute(context, command);
  }

  /** Deletes a SKU, for good or into the bin; answers it as it was. Refuses `not_found`, and
   *  `resource_in_use` where a rule names it. */
  async delete(
    context: RequestContext,
    sku: Pick<SkuSnapshot, 'id' | 'source_id' | 'product_id'>,
    deletion: Deletion,
  ): Promise<SkuSnapshot | CatalogRefusal> {
    const { id, product_id } = sku;
    const permanent = deletion.bin_entry_id === null;
    const command = { type: 'DeleteSku', id, product_id, permanent, now: this.now(context) } as const;
    return this.deletions.sku(context, sku, () =>
      this.execute(context, command, { rowsBeside: (events) => entriesOf(context, deletion, events) }),
    );
  }

  /** Deletes a SKU in the bin for good, with the entry `bin_entry_id`. Refuses `not_found`. Throws `StaleRow` where the SKU has
   *  another entry by now. */
  async purge(
    context: RequestContext,
    { id, product_id, bin_entry_id }: Pick<SkuSnapshot, 'id' | 'product_id'> & { bin_entry_id: string },
  ): Promise<CatalogRefusal | null> {
    const command = { type: 'PurgeSku', id, product_id, now: this.now(context) } as const;
    const purged = await this.execute(context, command, {
      rowsBeside: () => [entryRemoved(context.project.id, bin_entry_id)],
    });
    return isRefused(purged) ? purged : null;
  }

  /** Decides all on what is stored now, and commits them by one transaction. Null: something of it changed meanwhile, or the
   *  database refuses one of them; nothing was written. */
  private async writeTogether(
    context: RequestContext,
    writes: readonly SkuWrite[],
    check: CheckMetadata,
  ): Promise<(SkuSnapshot | CatalogRefusal)[] | null> {
    const { project } = context;
    const products = await this.products.loadMany(project.id, [
      ...new Set(writes.map(({ upsert }) => upsert.product_id)),
    ]);
    const stored = await this.reads.stored(
      context,
      writes.flatMap(({ found }) => found?.id ?? []),
    );
    const changes = new Map<string, { events: SkuEvent[] }>();
    const answers = writes.map(({ upsert, found }) => {
      const refusal = refusalOf(upsert, found);
      if (refusal) return refusal;
      const { product_id } = upsert;
      const command = this.commandOf(context, upsert, found, check);
      const before = stored.get(command.id);
      const events = decideSku(command, { product: products.get(product_id)?.state, stored: before });
      if (isRefused(events)) return events;
      const change = changes.get(product_id) ?? { events: [] };
      change.events.push(...events);
      if (events.length > 0) changes.set(product_id, change);
      return skuAfter(events, before);
    });
    try {
      await this.products.commitMany(
        null,
        context,
        [...changes].map(([streamId, { events }]) => {
          const { state, version: expectedVersion, epoch: expectedEpoch } = products.get(streamId)!;
          const rows = events.map((event) => rowChangeOf(project.id, event));
          return { streamId, state, expectedVersion, expectedEpoch, events, rows };
        }),
      );
      return answers;
    } catch (error) {
      const collided =
        error instanceof VersionConflict || error instanceof UniqueViolation || error instanceof StaleRow;
      if (!collided) throw error;
      return null;
    }
  }

  private async writeEach(
    context: RequestContext,
    writes: readonly SkuWrite[],
    {
      answers,
      check,
      ids,
    }: { answers: (SkuSnapshot | CatalogRefusal | null)[]; check: CheckMetadata; ids: IdSource },
  ): Promise<void> {
    const ofProducts = new Map<string, SkuWrite[]>();
    for (const write of writes) {
      const { product_id } = write.upsert;
      ofProducts.set(product_id, [...(ofProducts.get(product_id) ?? []), write]);
    }
    const work = ofProducts.values();
    const lane = async (): Promise<void> => {
      for (const ofProduct of work)
        await Promise.all(
          ofProduct.map(async ({ upsert, index, found }) => {
            answers[index] = await this.write(context, ids, { upsert, found }, check);
          }),
        );
    };
    await Promise.all(Array.from({ length: productsAtOnce }, lane));
  }

  /** Null: another call took the id or source id of a SKU that was about to be created. */
  private async write(
    context: RequestContext,
    ids: IdSource,
    { upsert, found }: Pick<SkuWrite, 'upsert' | 'found'>,
    check: CheckMetadata,
  ): Promise<SkuSnapshot | CatalogRefusal | null> {
    const refusal = refusalOf(upsert, found);
    if (refusal) return refusal;
    const { id, source_id } = upsert;
    try {
      return await this.execute(context, this.commandOf(context, upsert, found, check), { ids });
    } catch (error) {
      const taken = error instanceof UniqueViolation ? error.constraint : null;
      if (taken === 'skus_pkey') return null;
      if (taken !== 'skus_source_id') throw error;
      return id === null ? null : duplicate('sku', 'source_id', source_id!);
    }
  }

  private async execute(
    context: RequestContext,
    command: SkuCommand,
    { rowsBeside = () => [], ids }: { rowsBeside?: RowsBeside; ids?: IdSource } = {},
  ): Promise<SkuSnapshot | CatalogRefusal> {
    try {
      return await this.products.executeLocked({
        context,
        streamId: command.product_id,
        eventIds: ids,
        repeated: (_, [row]) => {
          const stored = storedIn(row);
          return stored?.status === 'LIVE' ? stored.sku : notFound('sku', command.id);
        },
        sideRows: { of: skuRows, ids: [command.id] },
        decide: (product, [row]) => {
          const decision = this.decided(context, command, product, storedIn(row));
          return isRefused(decision)
            ? decision
            : { ...decision, rows: [...(decision.rows ?? []), ...rowsBeside(decision.events)] };
        },
      });
    } catch (error) {
      if (!(error instanceof UniqueViolation) || error.constraint !== 'skus_sku') throw error;
      const name = 'fields' in command ? command.fields.sku : null;
      return duplicate('sku', 'sku', name ?? '');
    }
  }

  private decided(
    { project }: RequestContext,
    command: SkuCommand,
    product: ProductState | undefined,
    stored: StoredSku | undefined,
  ): Decision<ProductEvent, SkuSnapshot> | CatalogRefusal {
    const events = decideSku(command, { product, stored });
    if (isRefused(events)) return events;
    const rows = events.map((event) => rowChangeOf(project.id, event));
    return { events, rows, answer: skuAfter(events, stored) };
  }

  private commandOf(
    context: RequestContext,
    { product_id, id, source_id, new_id, fields, override }: SkuUpsert,
    found: FoundSku | null,
    check: CheckMetadata,
  ): UpsertSku {
    const command = { type: 'UpsertSku', product_id, source_id, fields, override, check } as const;
    return { ...command, id: found?.id ?? id ?? new_id, now: this.now(context) };
  }

  private now({ project }: RequestContext): string {
    return this.clock.now(project).toISOString();
  }
}
