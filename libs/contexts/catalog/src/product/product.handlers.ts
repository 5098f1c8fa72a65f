import { Injectable } from '@nestjs/common';
import type { ProductEvent, ProductSnapshot } from '@scrip/contracts/catalog';
import {
  type AggregateStore,
  decisionOf,
  type EventStore,
  InjectEventStore,
  type RowChange,
  UniqueViolation,
} from '@scrip/event-store';
import {
  type BusinessClock,
  comesAgain,
  type IdSource,
  isRefused,
  notFound,
  randomIds,
  type Refusal,
  type RequestContext,
} from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import type { CheckMetadata } from '@scrip/metadata-schemas';
import { InjectBusinessClock } from '@scrip/service';
import { type Deletion, entryRemoved } from '@scrip/trash-bin';
import { entriesOf } from '../trash-bin/entries-of-deletion';
import { NamedDeletions } from '../deletion/named-deletions';
import { type CatalogRefusal, type CatalogRefusalKey, duplicate } from '../catalog.refusals';
import { productAggregate } from './product.aggregate';
import type { ProductCommand, ProductFields } from './product.commands';
import { decideProduct, type ProductState } from './product.decider';
import { type FoundProduct, ProductReads } from './product.reads';
import { namesShipping, shippingProtected } from './shipping';
import { withSkus } from './skus-of-product';

/** A product to create or change. */
export interface ProductUpsert {
  /** Of the product that is changed or, where it is unknown, created. */
  id: string | null;
  /** The product that is changed, where no id is given; else of a product that is created. */
  source_id: string | null;
  /** Of a product that is created without an id. */
  new_id: string;
  fields: ProductFields;
  /** See `UpsertProduct.override`. */
  override: boolean;
}

/** Tries of an upsert: after each but the last, the product is looked up that took the source id meanwhile. */
const tries = 3;

/** Whether SKUs may change with their product. */
const changesSkus = (command: ProductCommand): boolean => {
  if (command.type === 'PurgeProduct') return true;
  return command.type === 'DeleteProduct' ? command.permanent : command.fields.attributes !== undefined;
};

type RowsBeside = (events: readonly ProductEvent[]) => RowChange[];

const productOf = (state: ProductState): ProductSnapshot => {
  if (state.status === 'LIVE') return state.product;
  throw new Error(`a command left a product ${state.status}`);
};

/** What a repetition answers, of a product as it is now. */
const answeredAgain = <Answer>(
  state: ProductState,
  id: string,
  answerOf: (state: ProductState) => Answer,
): Answer | Refusal<'not_found'> => (state.status === 'LIVE' ? answerOf(state) : notFound('product', id));

/** Decides commands on products and commits what was decided. */
@Injectable()
export class ProductHandlers {
  private readonly products: AggregateStore<ProductState, ProductEvent>;

  constructor(
    @InjectEventStore('catalog') store: EventStore,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly reads: ProductReads,
    private readonly metadata: MetadataSchemas,
    private readonly deletions: NamedDeletions,
  ) {
    this.products = store.aggregate(productAggregate);
  }

  /** Creates or changes a product; once under the same `ids`: a repetition answers it as it is. Refuses `duplicate_found`
   *  (name, source id, or either id of a product in the bin), `resource_protected` for shipping, `metadata_validation_failed`,
   *  `invalid_payload`, and `not_found` where it was deleted before the repetition. Source: reference 07 §6, ADR 157. */
  async upsert(
    context: RequestContext,
    ids: IdSource,
    upsert: ProductUpsert,
  ): Promise<ProductSnapshot | CatalogRefusal> {
    if (comesAgain(ids)) {
      // Before its own name is found to be taken.
      const created = await this.products.load(context.project.id, upsert.new_id);
      if (created) return answeredAgain(created.state, upsert.new_id, productOf);
    }
    const [product] = await this.upsertMany(context, [upsert], ids);
    if (!product) throw new Error('an upsert has no answer');
    return product;
  }

  /** As `upsert`, for many, each on its own: answers in their order. One statement looks all of them up, and writes share
   *  statements. */
  async upsertMany(
    context: RequestContext,
    upserts: readonly ProductUpsert[],
    ids: IdSource = randomIds,
  ): Promise<(ProductSnapshot | CatalogRefusal)[]> {
    const check = await this.metadata.checkOf(context, 'product');
    const answers: (ProductSnapshot | CatalogRefusal | null)[] = upserts.map(({ id, source_id }) =>
      namesShipping(id, source_id) ? shippingProtected() : null,
    );
    for (let left = tries; left > 0 && answers.includes(null); left -= 1) {
      const open = upserts.map((upsert, index) => ({ upsert, index })).filter(({ index }) => !answers[index]);
      const found = await this.reads.findSought(
        context,
        open.map(({ upsert: { id, source_id, fields, override } }) => ({
          id,
          source_id,
          name: override ? null : (fields.name ?? null),
        })),
      );
      await Promise.all(
        open.map(async ({ upsert, index }, place) => {
          answers[index] = await this.write(context, ids, upsert, found[place]!, check);
        }),
      );
    }
    return answers.map(
      (answer, index) => answer ?? duplicate('product', 'source_id', upserts[index]!.source_id!),
    );
  }

  /** Changes what was sent of a product named by id or source id. Refuses `not_found`, `duplicate_found` (name),
   *  `resource_protected` for shipping, `metadata_validation_failed` and `invalid_payload`. */
  async update(
    context: RequestContext,
    idOrSourceId: string,
    fields: ProductFields,
  ): Promise<ProductSnapshot | CatalogRefusal> {
    const named = await this.reads.find(context, idOrSourceId);
    if (isRefused(named)) return named;
    const { id } = named;
    if (namesShipping(id)) return shippingProtected();
    const [found] = await this.reads.findSought(context, [
      { id, source_id: null, name: fields.name ?? null },
    ]);
    const refusal = this.nameRefusal(fields, found!);
    if (refusal) return refusal;
    const check = await this.metadata.checkOf(context, 'product');
    const command = { type: 'UpdateProduct', id, fields, check, now: this.now(context) } as const;
    return this.execute(context, command, productOf);
  }

  /** Deletes a product named by id or source id, for good or into the bin. Refuses `not_found`,
   *  `resource_in_use` where a rule names it or one of its SKUs, and `resource_protected` for shipping. */
  async delete(
    context: RequestContext,
    idOrSourceId: string,
    deletion: Deletion,
  ): Promise<CatalogRefusal | null> {
    const named = await this.reads.find(context, idOrSourceId);
    if (isRefused(named)) return named;
    if (namesShipping(named.id)) return shippingProtected();
    const permanent = deletion.bin_entry_id === null;
    const command = { type: 'DeleteProduct', id: named.id, permanent, now: this.now(context) } as const;
    return this.deletions.product(context, named, () =>
      this.execute(context, command, () => null, {
        rowsBeside: (events) => entriesOf(context, deletion, events),
      }),
    );
  }

  /** Deletes a product in the bin for good, with its SKUs and the entry `bin_entry_id`. Refuses `not_found`. Throws `StaleRow`
   *  where the product has another entry by now. */
  async purge(
    context: RequestContext,
    { id, bin_entry_id }: { id: string; bin_entry_id: string },
  ): Promise<CatalogRefusal | null> {
    const command = { type: 'PurgeProduct', id, now: this.now(context) } as const;
    return this.execute(context, command, () => null, {
      rowsBeside: () => [entryRemoved(context.project.id, bin_entry_id)],
    });
  }

  /** Null: another call took the source id of a product that was about to be created. */
  private async write(
    context: RequestContext,
    ids: IdSource,
    { id, source_id, new_id, fields, override }: ProductUpsert,
    found: FoundProduct,
    check: CheckMetadata,
  ): Promise<ProductSnapshot | CatalogRefusal | null> {
    const { stored } = found;
    if (id === null && stored?.state.status === 'BINNED')
      return duplicate('product', 'source_id', source_id!, [stored.id]);
    const refusal = override ? null : this.nameRefusal(fields, found);
    if (refusal) return refusal;
    const streamId = stored?.id ?? id ?? new_id;
    if (stored) this.products.remember(context.project.id, streamId, stored);
    const command = { type: 'UpsertProduct', id: streamId, source_id, fields, override, check } as const;
    try {
      return await this.execute(context, { ...command, now: this.now(context) }, productOf, { ids });
    } catch (error) {
      if (!(error instanceof UniqueViolation) || error.constraint !== 'products_source_id') throw error;
      return id === null ? null : duplicate('product', 'source_id', source_id!);
    }
  }

  // The index refuses a name that a direct write gave; names that orders gave may be taken by several.
  private nameRefusal({ name }: ProductFields, { stored, nameTaken }: FoundProduct): CatalogRefusal | null {
    if (!name || !nameTaken) return null;
    const keeps = stored?.state.status === 'LIVE' && stored.state.product.name === name;
    return keeps ? null : duplicate('product', 'name', name);
  }

  private execute<Answer>(
    context: RequestContext,
    command: ProductCommand,
    answerOf: (state: ProductState) => Answer,
    { rowsBeside = () => [], ids }: { rowsBeside?: RowsBeside; ids?: IdSource } = {},
  ): Promise<Answer | CatalogRefusal> {
    const at = {
      ...{ context, streamId: command.id, eventIds: ids },
      repeated: (state: ProductState) => answeredAgain(state, command.id, answerOf),
    };
    const decided = (state: ProductState | undefined) => {
      const decision = decisionOf(productAggregate, state, decideProduct(command, state), answerOf);
      return isRefused(decision) ? decision : { ...decision, rows: rowsBeside(decision.events) };
    };
    if (!changesSkus(command))
      return this.products.execute<Answer, CatalogRefusalKey>({ ...at, decide: decided });
    return this.products.executeLocked<Answer, CatalogRefusalKey>({
      ...at,
      decide: async (state, read) => {
        const decision = decided(state);
        return isRefused(decision) ? decision : withSkus(decision, { context, state, read });
      },
    });
  }

  private now({ project }: RequestContext): string {
    return this.clock.now(project).toISOString();
  }
}
