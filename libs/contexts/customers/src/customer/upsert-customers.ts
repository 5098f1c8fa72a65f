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
import { type RequestContext, isRefused, notFound } from '@scrip/kernel';
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
import { type CustomerRefusal, type CustomerWrite, CustomerWriting } from './customer-writing';

/** How often a set is tried that collides with creations by other calls. */
const maxTries = 10;

/** One customer of a set. `new_id`: what it is called if it is created. */
export interface UpsertItem {
  customer: CustomerInput;
  new_id: string;
}

type Answer = UpsertedCustomer | CustomerRefusal;

/** A customer while its set is being decided. */
interface Draft {
  key: Buffer;
  state: CustomerState;
  /** What is stored; null for a new customer. */
  stored: Loaded<CustomerState> | null;
  events: CustomerEvent[];
  row: RowChange | null;
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
    for (let tries = 1; ; tries += 1) {
      try {
        const answers = await this.dataSource.transaction(async (manager) => {
          const upserted = await this.upsertIn(manager, context, items, { ...options, check });
          before(upserted);
          return upserted;
        });
        this.eventStore.wakeReaders();
        return answers;
      } catch (error) {
        if (!(error instanceof UniqueViolation) || tries === maxTries) throw error;
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

  /** Upserts each as `CustomerHandlers.upsert` does, in the order of the set and in the transaction of `manager`: one query
   *  locks those that are there, one statement creates what is new, one changes the others. Returns an answer for each item:
   *  a refusal stops no other. Throws `UniqueViolation` where another call creates one of them meanwhile.
   *  Source: reference 07 §3. */
  async upsertIn(
    manager: EntityManager,
    context: RequestContext,
    items: readonly UpsertItem[],
    options: CheckedUpsertOptions,
  ): Promise<Answer[]> {
    const drafts = await this.lock(manager, context.project.id, items);
    const answers = items.map((item) => this.upsert(context, drafts, item, options));
    const created: NewStream<CustomerEvent>[] = [];
    const changed: StreamChange<CustomerState, CustomerEvent>[] = [];
    // By what they are called: sets that create the same source ids wait for each other in one order.
    const byName = [...drafts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, draft]) => draft);
    for (const { state, stored, events, row } of new Set(byName)) {
      if (events.length === 0) continue;
      const write = { streamId: state.id, events, rows: row ? [row] : [] };
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

  private async lock(
    manager: EntityManager,
    projectId: string,
    items: readonly UpsertItem[],
  ): Promise<Map<string, Draft>> {
    const named = items.map(({ customer: { id, source_id } }) => ({ id, source_id }));
    const rows = await runQuery<LockedRow>(manager, lockSql, [
      projectId,
      named.flatMap(({ id, source_id }) =>
        !id && source_id ? [this.vault.sourceHash(projectId, source_id)] : [],
      ),
      named.flatMap(({ id }) => (id ? [id] : [])),
    ]);
    const drafts = new Map<string, Draft>();
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
    context: RequestContext,
    drafts: Map<string, Draft>,
    { customer, new_id }: UpsertItem,
    options: CheckedUpsertOptions,
  ): Answer {
    const name = this.nameOf(context.project.id, customer);
    const draft = name === null ? undefined : drafts.get(name);
    if (!draft && customer.id) return notFound('customer', customer.id);
    const { bulk = false, check = () => null } = options;
    const written = { context, bulk, check };
    const write = draft
      ? this.writing.change(
          written,
          draft,
          (profile) => upsertedProfile(profile, customer, options),
          sentMetadata(customer, options),
        )
      : this.writing.creation(written, customer, new_id);
    if (isRefused(write)) return write;
    const state = write.events.reduce<CustomerState | undefined>(evolveCustomer, draft?.state);
    if (!state) throw new Error(`customer ${new_id} was created without an event`);
    if (draft) {
      draft.state = state;
      draft.events.push(...write.events);
      draft.row = bothRows(draft.row, write.rows[0]);
    } else {
      const { key, events, rows } = write;
      const added = { key, state, stored: null, events: [...events], row: rows[0] ?? null };
      drafts.set(name ?? `id ${new_id}`, added);
    }
    return answerOf(state, write, draft !== undefined);
  }

  private nameOf(projectId: string, { id, source_id }: CustomerInput): string | null {
    if (id) return `id ${id}`;
    return source_id ? `source ${this.vault.sourceHash(projectId, source_id)}` : null;
  }
}

const answerOf = (
  { id, created_at, updated_at }: CustomerState,
  { events, profile }: Pick<CustomerWrite, 'events'> & { profile: CustomerProfile },
  found: boolean,
): UpsertedCustomer => ({
  customer: snapshotOf(id, profile, { created_at, updated_at }),
  found,
  updated: events.length > 0,
});
