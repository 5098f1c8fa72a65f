import { Injectable } from '@nestjs/common';
import type { CustomerEvent, CustomerInput, CustomerSnapshot } from '@scrip/contracts/customers';
import {
  type AggregateStore,
  type Decision,
  type EventStore,
  InjectEventStore,
  UniqueViolation,
  decisionOf,
} from '@scrip/event-store';
import {
  notFound,
  type BusinessClock,
  Fault,
  type Refusal,
  type RequestContext,
  isRefused,
} from '@scrip/kernel';
import { InjectBusinessClock } from '@scrip/service';
import { customerAggregate } from './customer.aggregate';
import { type CustomerState, decideCustomer, isLive } from './customer.decider';
import { type CustomerName, CustomerReads, type FoundCustomer } from './customer.reads';
import {
  deletedProfile,
  emptyProfile,
  mergeProfile,
  newProfile,
  profileMustFit,
  sameProfile,
  snapshotOf,
} from './customer-profile';
import { CustomerVault } from './customer-vault';

/** Creations that may fail because another call took the source id; after each but the last that customer is looked up. */
const creationTries = 3;

/** What storing a customer refuses with. */
type CustomerRefusal = Refusal<'not_found' | 'invalid_payload'>;

/** What a call may say of a customer that it may only name. */
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
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly reads: CustomerReads,
    private readonly vault: CustomerVault,
  ) {
    this.customers = eventStore.aggregate(customerAggregate);
  }

  /** See `CustomersPort.resolve`. One round trip, shared with concurrent callers, when nothing changes. */
  async resolve(
    context: RequestContext,
    { customer: sent, store, new_id }: { customer: CustomerInput; store: boolean; new_id: string },
  ): Promise<CustomerSnapshot | CustomerRefusal> {
    const customer = context.inlineCustomersOnlyIdentify ? identityOf(sent) : sent;
    for (let tries = 1; ; tries++) {
      const found = await this.named(context.project.id, customer);
      if (!found && customer.id) return notFound('customer', customer.id);
      if (!store) return this.overlaid(context, found, customer);
      if (found) {
        const merged = await this.merge(context, found, customer);
        // Deleted since it was found: its source id is free, and a new customer gets it.
        if (!isRefused(merged) || merged.refused !== 'not_found' || customer.id || tries === creationTries)
          return merged;
        continue;
      }
      try {
        return await this.create(context, customer, new_id);
      } catch (error) {
        // Another call created the customer of this source id meanwhile: this call merges into that one.
        if (!(error instanceof UniqueViolation) || tries === creationTries) throw error;
      }
    }
  }

  /** Those of the ids that exist and are not erased; `deleted`: deleted ones too. */
  async loadMany(
    context: RequestContext,
    { ids, deleted = false }: { ids: readonly string[]; deleted?: boolean },
  ): Promise<CustomerSnapshot[]> {
    const projectId = context.project.id;
    const found = await Promise.all(
      [...new Set(ids)].map((id) => this.reads.findAlsoDeleted({ projectId, id })),
    );
    return found
      .filter((customer) => customer !== null)
      .filter(({ state }) => deleted || isLive(state))
      .map(foundSnapshot);
  }

  /** By id or source id, the id first. Refuses `not_found`. Source: reference 07 §3. */
  async get(
    { project }: RequestContext,
    idOrSourceId: string,
  ): Promise<CustomerSnapshot | Refusal<'not_found'>> {
    const found = await this.reads.findNamed(project.id, idOrSourceId);
    return found ? foundSnapshot(found) : notFound('customer', idOrSourceId);
  }

  /** Merges what was sent into a customer named by id or source id. Refuses `not_found`, and `invalid_payload` for one
   *  that would become too large. Source: reference 07 §3. */
  async update(
    context: RequestContext,
    idOrSourceId: string,
    sent: CustomerInput,
  ): Promise<CustomerSnapshot | CustomerRefusal> {
    const found = await this.reads.findNamed(context.project.id, idOrSourceId);
    return found ? this.merge(context, found, sent) : notFound('customer', idOrSourceId);
  }

  /** Hides a customer from all reads and frees its source id. Refuses `not_found`. Source: reference 07 §3. */
  async delete(context: RequestContext, idOrSourceId: string): Promise<null | Refusal<'not_found'>> {
    const found = await this.reads.findNamed(context.project.id, idOrSourceId);
    if (!found) return notFound('customer', idOrSourceId);
    const { id } = found.state;
    const address = { projectId: context.project.id, customerId: id };
    return this.customers.execute<null, 'not_found'>({
      context,
      streamId: id,
      decide: (state) => {
        if (!isLive(state)) return notFound('customer', id);
        const now = this.now(context);
        const profile = deletedProfile(this.vault.open(state.sealed, found.key, address), now);
        const sealed = this.vault.seal(profile, found.key, address);
        const events = decideCustomer({ type: 'DeleteCustomer', customer_id: id, sealed, now }, state);
        if (isRefused(events)) return events;
        const key = { project_id: address.projectId, customer_id: id };
        return { events, rows: [{ update: 'customer_keys', key, set: { source_hash: null } }], answer: null };
      },
    });
  }

  private async named(projectId: string, { id, source_id }: CustomerInput): Promise<FoundCustomer | null> {
    const name: CustomerName | null = id
      ? { projectId, id }
      : source_id
        ? { projectId, sourceHash: this.vault.sourceHash(projectId, source_id) }
        : null;
    return name && this.reads.find(name);
  }

  private overlaid(
    { project }: RequestContext,
    found: FoundCustomer | null,
    customer: CustomerInput,
  ): CustomerSnapshot {
    if (found) return { ...foundSnapshot(found), ...mergeProfile(found.profile, customer) };
    const profile = mergeProfile({ ...emptyProfile, source_id: customer.source_id || null }, customer);
    return snapshotOf('', profile, { created_at: this.clock.now(project).toISOString(), updated_at: null });
  }

  private async merge(
    context: RequestContext,
    found: FoundCustomer,
    customer: CustomerInput,
  ): Promise<CustomerSnapshot | CustomerRefusal> {
    if (sameProfile(found.profile, mergeProfile(found.profile, customer))) return foundSnapshot(found);
    const { id } = found.state;
    return this.customers.execute({
      context,
      streamId: id,
      // Decided on the committed state, not on what was read before: merges of other keys must not be lost.
      decide: (state) =>
        isLive(state) ? this.decideMerge(context, state, found.key, customer) : notFound('customer', id),
    });
  }

  private decideMerge(
    context: RequestContext,
    state: CustomerState,
    key: Buffer,
    customer: CustomerInput,
  ): Decision<CustomerEvent, CustomerSnapshot> | CustomerRefusal {
    const address = { projectId: context.project.id, customerId: state.id };
    const stored = this.vault.open(state.sealed, key, address);
    const profile = mergeProfile(stored, customer);
    const tooLarge = profileMustFit(profile);
    if (tooLarge) return tooLarge;
    // The same profile sealed again would be another text.
    const sealed = sameProfile(stored, profile) ? state.sealed : this.vault.seal(profile, key, address);
    const command = {
      type: 'UpdateCustomer',
      customer_id: state.id,
      sealed,
      now: this.now(context),
    } as const;
    return decisionOf(customerAggregate, state, decideCustomer(command, state), (after) =>
      foundSnapshot({ key, state: after, profile }),
    );
  }

  private async create(
    context: RequestContext,
    customer: CustomerInput,
    newId: string,
  ): Promise<CustomerSnapshot | CustomerRefusal> {
    const address = { projectId: context.project.id, customerId: newId };
    const { key, wrapped } = this.vault.newKey(address);
    const profile = newProfile(customer);
    const tooLarge = profileMustFit(profile);
    if (tooLarge) return tooLarge;
    const command = {
      type: 'CreateCustomer',
      customer_id: newId,
      sealed: this.vault.seal(profile, key, address),
      now: this.now(context),
    } as const;
    const { source_id } = profile;
    const keyRow = {
      project_id: address.projectId,
      customer_id: newId,
      wrapped_key: wrapped,
      source_hash: source_id === null ? null : this.vault.sourceHash(address.projectId, source_id),
    };
    const executed = await this.customers.execute<CustomerSnapshot | null, 'not_found'>({
      context,
      streamId: newId,
      decide: (state) => {
        if (state) return { events: [], answer: null };
        const decision = decisionOf(customerAggregate, state, decideCustomer(command, state), (after) =>
          foundSnapshot({ key, state: after, profile }),
        );
        return isRefused(decision)
          ? decision
          : { ...decision, rows: [{ insert: 'customer_keys', values: keyRow }] };
      },
    });
    if (isRefused(executed)) throw new Fault('unavailable', `the creation of ${newId} was refused`);
    return executed ?? this.createdBefore(context, newId);
  }

  private now({ project }: RequestContext): string {
    return this.clock.now(project).toISOString();
  }

  /** The same command ran before under this id: its customer is the answer, unless it was deleted since. */
  private async createdBefore(
    context: RequestContext,
    id: string,
  ): Promise<CustomerSnapshot | Refusal<'not_found'>> {
    const found = await this.reads.find({ projectId: context.project.id, id });
    return found ? foundSnapshot(found) : notFound('customer', id);
  }
}
