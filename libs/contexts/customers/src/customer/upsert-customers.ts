import { Injectable } from '@nestjs/common';
import type { CustomerEvent, CustomerInput } from '@scrip/contracts/customers';
import {
  type AggregateStore,
  type EventStore,
  InjectEventStore,
  UniqueViolation,
  VersionConflict,
} from '@scrip/event-store';
import { type RequestContext, isRefused, notFound } from '@scrip/kernel';
import { customerAggregate } from './customer.aggregate';
import type { CustomerState } from './customer.decider';
import {
  CustomerHandlers,
  foundSnapshot,
  upsertedProfile,
  type UpsertOptions,
  type UpsertedCustomer,
} from './customer.handlers';
import { CustomerReads, type FoundCustomer } from './customer.reads';
import { snapshotOf } from './customer-profile';
import { CustomerVault } from './customer-vault';
import { type CustomerRefusal, type CustomerWrite, CustomerWriting } from './customer-writing';

/** One customer of a set. `new_id`: what it is called if it is created; the same whenever the set is upserted again. */
export interface UpsertItem {
  customer: CustomerInput;
  new_id: string;
}

type Answer = UpsertedCustomer | CustomerRefusal;

interface Planned {
  index: number;
  found: FoundCustomer | null;
  write: CustomerWrite;
}

const identityOf = ({ customer: { id, source_id }, new_id }: UpsertItem): string =>
  id ? `id ${id}` : source_id ? `source ${source_id}` : `new ${new_id}`;

/** Upserts customers by the set, for imports and other background work. */
@Injectable()
export class UpsertCustomers {
  private readonly customers: AggregateStore<CustomerState, CustomerEvent>;

  constructor(
    @InjectEventStore('customers') eventStore: EventStore,
    private readonly reads: CustomerReads,
    private readonly vault: CustomerVault,
    private readonly writing: CustomerWriting,
    private readonly handlers: CustomerHandlers,
  ) {
    this.customers = eventStore.aggregate(customerAggregate);
  }

  /** Upserts each as `CustomerHandlers.upsert` does, in the order of the set: one query finds all, one statement creates
   *  what is new, one changes what is there. Where another call is in the way, and for a customer that the set names
   *  again, they go one by one. Done again with the same `new_id`s it changes nothing. Returns an answer for each item:
   *  a refusal stops no other. Source: reference 07 §3. */
  async upsertMany(
    context: RequestContext,
    items: readonly UpsertItem[],
    options: UpsertOptions,
  ): Promise<Answer[]> {
    const named = new Set<string>();
    const [first, again] = [[] as number[], [] as number[]];
    for (const [index, item] of items.entries()) {
      const identity = identityOf(item);
      (named.has(identity) ? again : first).push(index);
      named.add(identity);
    }
    const answers = new Map<number, Answer>();
    await this.upsertTogether(context, items, first, options, answers);
    for (const index of [...first, ...again]) {
      if (!answers.has(index))
        answers.set(index, await this.handlers.upsert(context, items[index]!, options));
    }
    return items.map((_, index) => answers.get(index)!);
  }

  private async upsertTogether(
    context: RequestContext,
    items: readonly UpsertItem[],
    indexes: readonly number[],
    options: UpsertOptions,
    answers: Map<number, Answer>,
  ): Promise<void> {
    const planned = await this.plan(context, items, indexes, options, answers);
    const creations = planned.filter(({ found }) => !found);
    // Named by its id and by its source id, a customer is twice in the set: the second one goes by itself.
    const changed = new Set<string>();
    const changes = planned.filter(({ found }) => {
      if (!found || changed.has(found.state.id)) return false;
      changed.add(found.state.id);
      return true;
    });
    await this.together(creations, answers, () =>
      this.customers.createTogether(
        context,
        creations.map(({ index, write }) => ({
          streamId: items[index]!.new_id,
          events: write.events,
          rows: write.rows,
        })),
      ),
    );
    await this.together(changes, answers, () =>
      this.customers.commitMany(
        null,
        context,
        changes.map(({ found, write }) => ({
          streamId: found!.state.id,
          expectedVersion: found!.version,
          expectedEpoch: found!.epoch,
          state: found!.state,
          events: write.events,
          rows: write.rows,
        })),
      ),
    );
  }

  /** What has to be written; answers those that are refused or stay as they are. */
  private async plan(
    context: RequestContext,
    items: readonly UpsertItem[],
    indexes: readonly number[],
    options: UpsertOptions,
    answers: Map<number, Answer>,
  ): Promise<Planned[]> {
    const found = await Promise.all(indexes.map((index) => this.find(context, items[index]!)));
    return indexes.flatMap((index, nth) => {
      const { customer, new_id } = items[index]!;
      const stored = found[nth]!;
      if (!stored && customer.id) {
        answers.set(index, notFound('customer', customer.id));
        return [];
      }
      const written = { context, bulk: options.bulk };
      const write = stored
        ? this.writing.change(written, stored, (profile) => upsertedProfile(profile, customer, options))
        : this.writing.creation(written, customer, new_id);
      if (isRefused(write)) answers.set(index, write);
      else if (stored && write.events.length === 0)
        answers.set(index, { customer: foundSnapshot(stored), found: true, updated: false });
      else return [{ index, found: stored, write }];
      return [];
    });
  }

  private async together(
    planned: readonly Planned[],
    answers: Map<number, Answer>,
    write: () => Promise<void>,
  ): Promise<void> {
    if (planned.length === 0) return;
    try {
      await write();
    } catch (error) {
      // Another call created or changed one of them meanwhile: nothing was written, and each goes by itself.
      if (error instanceof UniqueViolation || error instanceof VersionConflict) return;
      throw error;
    }
    for (const { index, found, write: written } of planned)
      answers.set(index, { customer: writtenSnapshot(found, written), found: found !== null, updated: true });
  }

  private async find(
    { project }: RequestContext,
    { customer: { id, source_id } }: UpsertItem,
  ): Promise<FoundCustomer | null> {
    if (id) return this.reads.find({ projectId: project.id, id });
    if (!source_id) return null;
    return this.reads.find({
      projectId: project.id,
      sourceHash: this.vault.sourceHash(project.id, source_id),
    });
  }
}

const writtenSnapshot = (found: FoundCustomer | null, { events: [event], profile }: CustomerWrite) => {
  if (event?.type === 'CustomerCreated')
    return snapshotOf(event.data.customer_id, profile, {
      created_at: event.data.created_at,
      updated_at: null,
    });
  if (event?.type !== 'CustomerUpdated' || !found) throw new Error('a customer was written without an event');
  const { customer_id, updated_at } = event.data;
  return snapshotOf(customer_id, profile, { created_at: found.state.created_at, updated_at });
};
