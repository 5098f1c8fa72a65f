import { Injectable } from '@nestjs/common';
import type { ProductEvent, SkuSnapshot } from '@scrip/contracts/catalog';
import {
  type AggregateStore,
  type Decision,
  type EventStore,
  InjectEventStore,
  UniqueViolation,
} from '@scrip/event-store';
import { type BusinessClock, isRefused, type RequestContext } from '@scrip/kernel';
import { InjectBusinessClock } from '@scrip/service';
import { type CatalogRefusal, duplicate } from '../catalog.refusals';
import { productAggregate } from '../product/product.aggregate';
import type { ProductState } from '../product/product.decider';
import type { SkuCommand, SkuFields } from './sku.commands';
import { decideSku, skuOfAnotherProduct, type StoredSku } from './sku.decider';
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

/** Decides commands on SKUs, under the lock of their product, and commits what was decided. */
@Injectable()
export class SkuHandlers {
  private readonly products: AggregateStore<ProductState, ProductEvent>;

  constructor(
    @InjectEventStore('catalog') store: EventStore,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly reads: SkuReads,
  ) {
    this.products = store.aggregate(productAggregate);
  }

  /** Creates or changes a SKU. Refuses `not_found` (product), `invalid_sku`, `resource_in_use`, `duplicate_found` (name,
   *  source id, or either id of a SKU in the bin) and `invalid_payload`. Source: reference 07 §6. */
  async upsert(context: RequestContext, upsert: SkuUpsert): Promise<SkuSnapshot | CatalogRefusal> {
    const [sku] = await this.upsertMany(context, [upsert]);
    if (!sku) throw new Error('an upsert has no answer');
    return sku;
  }

  /** As `upsert`, for many, each on its own: answers in their order. One statement looks all of them up, and those of one
   *  product are written together. */
  async upsertMany(
    context: RequestContext,
    upserts: readonly SkuUpsert[],
  ): Promise<(SkuSnapshot | CatalogRefusal)[]> {
    const answers: (SkuSnapshot | CatalogRefusal | null)[] = upserts.map(() => null);
    for (let left = tries; left > 0 && answers.includes(null); left -= 1) {
      const open = upserts.map((upsert, index) => ({ upsert, index })).filter(({ index }) => !answers[index]);
      const found = await this.reads.findSought(
        context,
        open.map(({ upsert }) => upsert),
      );
      const writes = open.map(({ upsert, index }, place) => ({ upsert, index, found: found[place] ?? null }));
      const ofProducts = new Map<string, typeof writes>();
      for (const write of writes) {
        const { product_id } = write.upsert;
        ofProducts.set(product_id, [...(ofProducts.get(product_id) ?? []), write]);
      }
      const work = ofProducts.values();
      const lane = async (): Promise<void> => {
        for (const ofProduct of work)
          await Promise.all(
            ofProduct.map(async (write) => {
              answers[write.index] = await this.write(context, write.upsert, write.found);
            }),
          );
      };
      await Promise.all(Array.from({ length: productsAtOnce }, lane));
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
    return this.execute(context, { type: 'UpdateSku', id, product_id, fields, now: this.now(context) });
  }

  /** Deletes a SKU, for good or into the bin; answers it as it was. Refuses `not_found`. */
  async delete(
    context: RequestContext,
    { id, product_id }: Pick<SkuSnapshot, 'id' | 'product_id'>,
    { permanent }: { permanent: boolean },
  ): Promise<SkuSnapshot | CatalogRefusal> {
    return this.execute(context, { type: 'DeleteSku', id, product_id, permanent, now: this.now(context) });
  }

  /** Null: another call took the id or source id of a SKU that was about to be created. */
  private async write(
    context: RequestContext,
    { product_id, id, source_id, new_id, fields, override }: SkuUpsert,
    found: FoundSku | null,
  ): Promise<SkuSnapshot | CatalogRefusal | null> {
    if (found && !found.live)
      return id === null ? duplicate('sku', 'source_id', source_id!) : duplicate('sku', 'id', id);
    if (found && found.product_id !== product_id) return skuOfAnotherProduct(found);
    const command = { type: 'UpsertSku', product_id, source_id, fields, override } as const;
    try {
      return await this.execute(context, {
        ...command,
        id: found?.id ?? id ?? new_id,
        now: this.now(context),
      });
    } catch (error) {
      const taken = error instanceof UniqueViolation ? error.constraint : null;
      if (taken === 'skus_pkey') return null;
      if (taken !== 'skus_source_id') throw error;
      return id === null ? null : duplicate('sku', 'source_id', source_id!);
    }
  }

  private async execute(context: RequestContext, command: SkuCommand): Promise<SkuSnapshot | CatalogRefusal> {
    try {
      return await this.products.executeLocked({
        context,
        streamId: command.product_id,
        sideRows: { of: skuRows, ids: [command.id] },
        decide: (product, [row]) => this.decided(context, command, product, storedIn(row)),
      });
    } catch (error) {
      if (!(error instanceof UniqueViolation) || error.constraint !== 'skus_sku') throw error;
      const name = command.type === 'DeleteSku' ? null : command.fields.sku;
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
    const answer = events.at(-1)?.data.sku ?? stored?.sku;
    if (!answer) throw new Error(`nothing was decided on SKU ${command.id}, which is not stored`);
    return { events, rows: events.map((event) => rowChangeOf(project.id, event)), answer };
  }

  private now({ project }: RequestContext): string {
    return this.clock.now(project).toISOString();
  }
}
