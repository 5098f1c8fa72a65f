import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { CustomerEvent, CustomerInput, CustomerSnapshot } from '@scrip/contracts/customers';
import {
  type AggregateStore,
  type EventStore,
  InjectEventStore,
  type Loaded,
  type NewStream,
  type RowChange,
  runQuery,
  type StreamChange,
  UniqueViolation,
} from '@scrip/event-store';
import { type IdSource, idsDerivedFrom, type RequestContext, isRefused, notFound } from '@scrip/kernel';
import type { CheckMetadata } from '@scrip/metadata-schemas';
import type { DataSource, EntityManager } from 'typeorm';
import { customerAggregate } from './customer.aggregate';
import { type CustomerState, evolveCustomer, isLive } from './customer.decider';
import {
  sentMetadata,
  upsertedProfile,
  type UpsertOptions,
  type UpsertedCustomer,
} from './customer.handlers';
import type { CustomerRow } from './customer.reads';
import { type CustomerProfile, snapshotOf } from './customer-profile';
import { CustomerVault } from './customer-vault';
import { type CustomerRefusal, type CustomerWrite, CustomerWriting, type Written } from './customer-writing';

/** How often a set is tried that collides with creations by other calls. */
const triesMax = 10;

/** One customer of a set. `new_id`: what it is called if it is created. */
export interface UpsertItem {
  customer: CustomerInput;
  new_id: string;
  /** A repetition of the call has the same `new_id`, and nothing is stored under it again; of another customer than the others. */
  keyed?: boolean;
  /** What was made of it before its transaction. */
  ahead?: MadeAhead;
}

interface MadeAhead {
  sourceHash: string | null;
  /** What its creation writes; absent of a customer who is there, or whose creation is refused. */
  creation?: CustomerWrite;
}

type Answer = UpsertedCustomer | CustomerRefusal;

/** An item with what finds its customer. */
interface NamedItem extends Pick<UpsertItem, 'customer' | 'new_id' | 'keyed'> {
  /** Null where its customer is named by id, or not at all. */
  sourceHash: string | null;
  ahead: MadeAhead | undefined;
}

/** A customer while its set is being decided. */
interface Draft {
  key: Buffer;
  state: CustomerState;
  /** What is stored; null for a new customer. */
  stored: Loaded<CustomerState> | null;
  events: CustomerEvent[];
  row: RowChange | null;
  /** Of the keyed item that changes it. */
  eventIds?: IdSource;
}

type LockedRow = CustomerRow & { source_hash: string | null };

// In the order of ids, so that sets never wait for each other in a circle.
const lockSql = `
  SELECT k.project_id, k.customer_id, k.source_hash, k.wrapped_key, c.version::int AS version, c.epoch, c.state
  FROM customer_keys k JOIN customers c ON c.project_id = k.project_id AND c.id = k.customer_id
  WHERE k.project_id = $1 AND (k.source_hash = ANY($2) OR k.customer_id = ANY($3))
  ORDER BY c.id FOR NO KEY UPDATE OF c`;

/** One row holds what both changes leave of it: the later one names all columns that it sets. */
const bothRows = (earlier: RowChange | null, later: RowChange | undefined): RowChange | null => {
  if (!later) return earlier;
  return earlier && 'insert' in earlier && 'update' in later
    ? { ...earlier, values: { ...earlier.values, ...later.set } }
    : later;
};

/** `check`: the project's schema of customers, asked for before the transaction begins; absent: metadata is stored as sent. */
export interface CheckedUpsertOptions extends UpsertOptions {
  check?: CheckMetadata | undefined;
}

/** Leaves the transaction, which takes everything back. */
class TakenBack extends Error {
  constructor(readonly refusal: CustomerRefusal) {
    super('the set was taken back');
  }
}

/** Upserts customers by the set, for imports and other background work. */
@Injectable()
export class UpsertCustomers {
  private readonly customers: AggregateStore<CustomerState, CustomerEvent>;

  constructor(
    @InjectEventStore('customers') private readonly eventStore: EventStore,
    @InjectDataSource('customers') private readonly dataSource: DataSource,
    private readonly vault: CustomerVault,
    private readonly writing: CustomerWriting,
  ) {
    this.customers = eventStore.aggregate(customerAggregate);
  }

  /** As `upsertIn`, in a transaction of its own, which is tried again where another call is in the way. */
  upsertMany(
    context: RequestContext,
    items: readonly UpsertItem[],
    options: UpsertOptions,
  ): Promise<Answer[]> {
    return this.inTransaction(context, items, options, () => undefined);
  }

  /** `before`: looks at the answers before they are committed. */
  private async inTransaction(
    context: RequestContext,
    items: readonly UpsertItem[],
    options: UpsertOptions,
    before: (answers: readonly Answer[]) => void,
  ): Promise<Answer[]> {
    const { check } = await this.writing.writtenBy(context);
    let set = items;
    for (let tries = 1; ; tries += 1) {
      try {
        const answers = await this.dataSource.transaction(async (manager) => {
          const upserted = await this.upsertIn(manager, context, set, { ...options, check });
          before(upserted);
          return upserted;
        });
        this.eventStore.wakeReaders();
        return answers;
      } catch (error) {
        if (!(error instanceof UniqueViolation) || tries === triesMax) throw error;
        // Who seemed to be new may not be so any more.
        set = items.map(({ customer, new_id, keyed }) => ({ customer, new_id, keyed }));
      }
    }
  }

  /** Upserts all or, where one is refused, none. */
  async upsertAll(
    context: RequestContext,
    items: readonly UpsertItem[],
  ): Promise<CustomerSnapshot[] | CustomerRefusal> {
    try {
      const answers = await this.inTransaction(context, items, {}, (upserted) => {
        for (const one of upserted) if (isRefused(one)) throw new TakenBack(one);
      });
      return answers.map((one) => (one as UpsertedCustomer).customer);
    } catch (error) {
      if (error instanceof TakenBack) return error.refusal;
      throw error;
    }
  }

  /** Makes what the creations of a set write, so that `upsertIn` need not while it holds a transaction: keys and seals are most of the
   *  work. Customers who are there by now are left to `upsertIn`. It looks for none of the others again: the index of source ids
   *  refuses the creation of one who is there by then, and the set is to be made ahead again. */
  async madeAhead(
    context: RequestContext,
    items: readonly UpsertItem[],
    options: CheckedUpsertOptions,
  ): Promise<UpsertItem[]> {
    const named = items.map((item) => this.named(context, item));
    const rows = await runQuery<{ source_hash: string }>(
      this.dataSource,
      'SELECT source_hash FROM customer_keys WHERE project_id = $1 AND source_hash = ANY($2)',
      [context.project.id, named.flatMap(({ sourceHash }) => sourceHash ?? [])],
    );
    const known = new Set(rows.map(({ source_hash }) => source_hash));
    const written = this.writtenBy(context, options);
    return named.map(({ customer, new_id, sourceHash }) => {
      if (customer.id || (sourceHash !== null && known.has(sourceHash)))
        return { customer, new_id, ahead: { sourceHash } };
      if (sourceHash !== null) known.add(sourceHash);
      const creation = this.writing.creation(written, customer, new_id, sourceHash);
      return { customer, new_id, ahead: isRefused(creation) ? { sourceHash } : { sourceHash, creation } };
    });
  }

  /** Upserts each as `CustomerHandlers.upsert` does, in the order of the set and in the transaction of `manager`: one query
   *  locks those that are there, one statement creates what is new, one changes the others. Returns an answer for each item:
   *  a refusal stops no other. Throws `UniqueViolation` where another call creates one of them meanwhile, or did so since a creation
   *  was made ahead.
   *  Source: reference 07 §3. */
  async upsertIn(
    manager: EntityManager,
    context: RequestContext,
    items: readonly UpsertItem[],
    options: CheckedUpsertOptions,
  ): Promise<Answer[]> {
    const named = items.map((item) => this.named(context, item));
    const maybeThere = named.filter(({ ahead }) => !ahead?.creation);
    const drafts = await this.lock(manager, context.project.id, maybeThere);
    const written = this.writtenBy(context, options);
    const open = await this.withoutStored(manager, drafts, named);
    const answers = open.map((item) => this.upsert(written, drafts, item, options));
    const created: NewStream<CustomerEvent>[] = [];
    const changed: StreamChange<CustomerState, CustomerEvent>[] = [];
    // By what they are called: sets that create the same source ids wait for each other in one order.
    const byName = [...drafts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, draft]) => draft);
    for (const { state, stored, events, row, eventIds } of new Set(byName)) {
      if (events.length === 0) continue;
      const write = { streamId: state.id, events, eventIds, rows: row ? [row] : [] };
      if (!stored) created.push(write);
      else
        changed.push({
          ...write,
          state: stored.state,
          expectedVersion: stored.version,
          expectedEpoch: stored.epoch,
        });
    }
    if (created.length > 0) await this.customers.createMany(manager, context, created);
    if (changed.length > 0) await this.customers.commitMany(manager, context, changed);
    return answers;
  }

  /** Keyed items that were stored before say no more than whose they are. */
  private async withoutStored(
    manager: EntityManager,
    drafts: ReadonlyMap<string, Draft>,
    items: readonly NamedItem[],
  ): Promise<NamedItem[]> {
    const left: NamedItem[] = [];
    for (const item of items) {
      const draft = item.keyed ? drafts.get(nameOf(item) ?? '') : undefined;
      const isStored =
        draft && (await this.customers.wasExecuted(manager, draft.state.id, idsDerivedFrom(item.new_id)));
      left.push(isStored ? { ...item, customer: item.customer.id ? { id: item.customer.id } : {} } : item);
    }
    return left;
  }

  private async lock(
    manager: EntityManager,
    projectId: string,
    items: readonly NamedItem[],
  ): Promise<Map<string, Draft>> {
    const drafts = new Map<string, Draft>();
    if (items.length === 0) return drafts;
    const rows = await runQuery<LockedRow>(manager, lockSql, [
      projectId,
      items.flatMap(({ sourceHash }) => sourceHash ?? []),
      items.flatMap(({ customer: { id } }) => id || []),
    ]);
    for (const { customer_id, source_hash, wrapped_key, version, epoch, state } of rows) {
      if (!isLive(state)) continue;
      const key = this.vault.unwrap(wrapped_key, { projectId, customerId: customer_id });
      const draft: Draft = { key, state, stored: { state, version, epoch }, events: [], row: null };
      drafts.set(`id ${customer_id}`, draft);
      if (source_hash !== null) drafts.set(`source ${source_hash}`, draft);
    }
    return drafts;
  }

  private upsert(
    written: Written,
    drafts: Map<string, Draft>,
    item: NamedItem,
    options: CheckedUpsertOptions,
  ): Answer {
    const { customer, new_id, sourceHash, ahead } = item;
    const name = nameOf(item);
    const draft = name === null ? undefined : drafts.get(name);
    if (!draft && customer.id) return notFound('customer', customer.id);
    const write = draft
      ? this.writing.change(
          written,
          draft,
          (profile) => upsertedProfile(profile, customer, options),
          sentMetadata(customer, options),
        )
      : (ahead?.creation ?? this.writing.creation(written, customer, new_id, sourceHash));
    if (isRefused(write)) return write;
    const state = write.events.reduce<CustomerState | undefined>(evolveCustomer, draft?.state);
    if (!state) throw new Error(`customer ${new_id} was created without an event`);
    const eventIds = item.keyed ? idsDerivedFrom(new_id) : undefined;
    if (draft) {
      draft.eventIds ??= eventIds;
      draft.state = state;
      draft.events.push(...write.events);
      draft.row = bothRows(draft.row, write.rows[0]);
    } else {
      const { key, events, rows } = write;
      const added = { key, state, stored: null, events: [...events], row: rows[0] ?? null, eventIds };
      drafts.set(name ?? `id ${new_id}`, added);
    }
    return answerOf(state, write, draft !== undefined);
  }

  private named(context: RequestContext, item: UpsertItem): NamedItem {
    const { customer, new_id, keyed, ahead } = item;
    if (ahead) return { customer, new_id, keyed, ahead, sourceHash: ahead.sourceHash };
    const sourceHash = customer.id ? null : this.writing.sourceHashOf(context, customer);
    return { customer, new_id, keyed, ahead, sourceHash };
  }

  /** What is written of a set is of one instant. */
  private writtenBy(
    context: RequestContext,
    { bulk = false, check = () => null }: CheckedUpsertOptions,
  ): Written {
    return { context, bulk, check, at: this.writing.now(context) };
  }
}

/** What the customers of a set that was made ahead are found by; null where one is named by its id, as another set may name the same
 *  customer by its source id. */
export const sourceHashesOf = (items: readonly UpsertItem[]): ReadonlySet<string> | null =>
  items.some(({ customer }) => customer.id)
    ? null
    : new Set(items.flatMap(({ ahead }) => ahead?.sourceHash ?? []));

const nameOf = ({ customer: { id }, sourceHash }: NamedItem): string | null => {
  if (id) return `id ${id}`;
  return sourceHash === null ? null : `source ${sourceHash}`;
};

const answerOf = (
  { id, created_at, updated_at }: CustomerState,
  { events, profile }: Pick<CustomerWrite, 'events'> & { profile: CustomerProfile },
  found: boolean,
): UpsertedCustomer => ({
  customer: snapshotOf(id, profile, { created_at, updated_at }),
  found,
  updated: events.length > 0,
});
