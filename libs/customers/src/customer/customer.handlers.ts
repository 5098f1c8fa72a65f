import { Injectable } from '@nestjs/common';
import type { CustomerEvent, CustomerInput, CustomerSnapshot } from '@scrip/contracts';
import {
  type AggregateStore,
  type Decision,
  type EventStore,
  InjectEventStore,
  UniqueViolation,
} from '@scrip/event-store';
import { type Clock, Fault, type Refusal, type RequestContext, isRefused, refuse } from '@scrip/kernel';
import { InjectClock } from '@scrip/service';
import { customerAggregate } from './customer.aggregate';
import { type CustomerState, evolveCustomer, upsertCustomer, upsertEvents } from './customer.decider';
import { type CustomerName, CustomerLookup, type FoundCustomer } from './customer-lookup';
import { emptyProfile, mergeProfile, snapshotOf } from './customer-profile';
import { CustomerVault } from './customer-vault';

/** Lost races for one source id before giving up: each means that somebody else's creation was seen and gone again. */
const creationTries = 3;

const unknown = (id: string): Refusal =>
  refuse('not_found', `Cannot find customer with id ${id}`, { resourceId: id, resourceType: 'customer' });

/** What a call may say of a customer whom it may only name. */
const identityOf = ({ id, source_id }: CustomerInput): CustomerInput => ({
  ...(id === undefined ? {} : { id }),
  ...(source_id === undefined ? {} : { source_id }),
});

const foundSnapshot = ({ state, profile }: FoundCustomer): CustomerSnapshot =>
  snapshotOf(state.id, profile, { created_at: state.created_at, updated_at: state.updated_at });

/** Finds, creates and merges customers. */
@Injectable()
export class CustomerHandlers {
  private readonly customers: AggregateStore<CustomerState, CustomerEvent>;

  constructor(
    @InjectEventStore('customers') eventStore: EventStore,
    @InjectClock() private readonly clock: Clock,
    private readonly lookup: CustomerLookup,
    private readonly vault: CustomerVault,
  ) {
    this.customers = eventStore.aggregate(customerAggregate);
  }

  /** See `CustomersPort.resolve`. One round trip, shared with concurrent callers, when nothing changes. */
  async resolve(
    context: RequestContext,
    { customer: sent, store, new_id }: { customer: CustomerInput; store: boolean; new_id: string },
  ): Promise<CustomerSnapshot | Refusal> {
    const customer = context.inlineCustomersOnlyIdentify ? identityOf(sent) : sent;
    for (let tries = 1; ; tries++) {
      const found = await this.named(context.project.id, customer);
      if (!found && customer.id) return unknown(customer.id);
      if (!store) return this.overlaid(found, customer);
      if (found) return this.merge(context, found, customer);
      try {
        return await this.create(context, customer, new_id);
      } catch (error) {
        // Somebody else created the customer of this source id meanwhile: theirs is the one to merge into.
        if (!(error instanceof UniqueViolation) || tries === creationTries) throw error;
      }
    }
  }

  /** Those of the ids that exist and are not erased. */
  async loadMany(context: RequestContext, ids: readonly string[]): Promise<CustomerSnapshot[]> {
    const projectId = context.project.id;
    const found = await Promise.all([...new Set(ids)].map((id) => this.lookup.find({ projectId, id })));
    return found.filter((customer) => customer !== null).map(foundSnapshot);
  }

  private async named(projectId: string, { id, source_id }: CustomerInput): Promise<FoundCustomer | null> {
    const name: CustomerName | null = id
      ? { projectId, id }
      : source_id
        ? { projectId, sourceHash: this.vault.sourceHash(projectId, source_id) }
        : null;
    return name && this.lookup.find(name);
  }

  private overlaid(found: FoundCustomer | null, customer: CustomerInput): CustomerSnapshot {
    if (found) return { ...foundSnapshot(found), ...mergeProfile(found.profile, customer) };
    const profile = mergeProfile({ ...emptyProfile, source_id: customer.source_id || null }, customer);
    return snapshotOf('', profile, { created_at: this.clock.now().toISOString(), updated_at: null });
  }

  private async merge(
    context: RequestContext,
    found: FoundCustomer,
    customer: CustomerInput,
  ): Promise<CustomerSnapshot | Refusal> {
    if (upsertCustomer(found.profile, customer).change === 'none') return foundSnapshot(found);
    const { id } = found.state;
    return this.customers.execute<CustomerSnapshot>({
      context,
      streamId: id,
      // Decided on the committed state, not on what the lookup saw: merges of other keys must not be lost.
      decide: (state) => (state ? this.decideMerge(context, state, found.key, customer) : unknown(id)),
    });
  }

  private decideMerge(
    context: RequestContext,
    state: CustomerState,
    key: Buffer,
    customer: CustomerInput,
  ): Decision<CustomerEvent, CustomerSnapshot> {
    const address = { projectId: context.project.id, customerId: state.id };
    const upsert = upsertCustomer(this.vault.open(state.sealed, key, address), customer);
    const events = upsertEvents(upsert, {
      customer_id: state.id,
      sealed: upsert.change === 'none' ? state.sealed : this.vault.seal(upsert.profile, key, address),
      at: this.clock.now().toISOString(),
    });
    const after = events.reduce(evolveCustomer, state);
    return { events, answer: foundSnapshot({ key, state: after, profile: upsert.profile }) };
  }

  private async create(
    context: RequestContext,
    customer: CustomerInput,
    newId: string,
  ): Promise<CustomerSnapshot> {
    const address = { projectId: context.project.id, customerId: newId };
    const { key, wrapped } = this.vault.newKey(address);
    const upsert = upsertCustomer(undefined, customer);
    const [created] = upsertEvents(upsert, {
      customer_id: newId,
      sealed: this.vault.seal(upsert.profile, key, address),
      at: this.clock.now().toISOString(),
    });
    if (!created) throw new Error('a new customer without an event');
    const answer = foundSnapshot({ key, state: evolveCustomer(undefined, created), profile: upsert.profile });
    const { source_id } = upsert.profile;
    const keyRow = {
      project_id: address.projectId,
      customer_id: newId,
      wrapped_key: wrapped,
      source_hash: source_id === null ? null : this.vault.sourceHash(address.projectId, source_id),
    };
    const executed = await this.customers.execute<CustomerSnapshot | null>({
      context,
      streamId: newId,
      decide: (state) =>
        state
          ? { events: [], answer: null }
          : { events: [created], rows: [{ insert: 'customer_keys', values: keyRow }], answer },
    });
    if (isRefused(executed)) throw new Fault('unavailable', `the creation of ${newId} was refused`);
    return executed ?? this.createdBefore(context, newId);
  }

  /** The same command ran before under this id: its customer is the answer. */
  private async createdBefore(context: RequestContext, id: string): Promise<CustomerSnapshot> {
    const found = await this.lookup.find({ projectId: context.project.id, id });
    if (!found) throw new Error(`customer ${id} exists without its key`);
    return foundSnapshot(found);
  }
}
