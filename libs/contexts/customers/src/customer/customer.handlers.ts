import { Injectable } from '@nestjs/common';
import type { CustomerEvent, CustomerInput, CustomerSnapshot } from '@scrip/contracts/customers';
import type { Metadata } from '@scrip/contracts/snapshot';
import {
  type AggregateStore,
  type Decision,
  type EventStore,
  InjectEventStore,
  UniqueViolation,
  decisionOf,
} from '@scrip/event-store';
import {
  Fault,
  type IdSource,
  idsDerivedFrom,
  type Refusal,
  randomIds,
  type RequestContext,
  isRefused,
  notFound,
} from '@scrip/kernel';
import { customerAggregate } from './customer.aggregate';
import { type CustomerState, isLive } from './customer.decider';
import { type CustomerName, CustomerReads, type FoundCustomer } from './customer.reads';
import {
  type CustomerProfile,
  emptyProfile,
  mergeProfile,
  replaceProfile,
  sameProfile,
  snapshotOf,
} from './customer-profile';
import { CustomerVault } from './customer-vault';
import { type CustomerRefusal, type CustomerWrite, CustomerWriting, type Written } from './customer-writing';

/** Creations that may fail because another call took the source id; after each but the last that customer is looked up. */
const creationTries = 3;

/** How an upsert stores. `bulk`: no webhook tells of it. `replace`: what is not sent is cleared, metadata too. */
export interface UpsertOptions {
  bulk?: boolean;
  replace?: boolean;
}

/** A customer to store. `keyed`: a repetition of the call has the same `new_id`. `tracking_id`: the encoded one that the source id
 *  was read out of. */
interface CustomerUpsert {
  customer: CustomerInput;
  new_id: string;
  keyed?: boolean | undefined;
  tracking_id?: string | undefined;
}

/** A customer as an upsert left it. */
export interface UpsertedCustomer {
  customer: CustomerSnapshot;
  /** Whether it was there before. */
  found: boolean;
  /** Whether it was created or changed. */
  updated: boolean;
}

/** What a call may say of a customer that it may only name. */
const identityOf = ({ id, source_id }: CustomerInput): CustomerInput => ({
  ...(id === undefined ? {} : { id }),
  ...(source_id === undefined ? {} : { source_id }),
});

/** The customer that was found, as others see it. */
export const foundSnapshot = ({
  state,
  profile,
}: Pick<FoundCustomer, 'state' | 'profile'>): CustomerSnapshot =>
  snapshotOf(state.id, profile, { created_at: state.created_at, updated_at: state.updated_at });

/** The metadata that an upsert carries; null: none. */
export const sentMetadata = (
  { metadata }: CustomerInput,
  { replace = false }: UpsertOptions,
): Metadata | null => metadata ?? (replace ? {} : null);

/** What an upsert makes of a profile. */
export const upsertedProfile = (
  profile: CustomerProfile,
  customer: CustomerInput,
  { replace = false }: UpsertOptions,
): CustomerProfile => (replace ? replaceProfile(profile, customer) : mergeProfile(profile, customer));

/** Finds, creates, merges and deletes customers. */
@Injectable()
export class CustomerHandlers {
  private readonly customers: AggregateStore<CustomerState, CustomerEvent>;

  constructor(
    @InjectEventStore('customers') eventStore: EventStore,
    private readonly reads: CustomerReads,
    private readonly vault: CustomerVault,
    private readonly writing: CustomerWriting,
  ) {
    this.customers = eventStore.aggregate(customerAggregate);
  }

  /** See `CustomersPort.resolve`. One round trip, shared with concurrent callers, when nothing changes. */
  async resolve(
    context: RequestContext,
    { customer: sent, store, tracking_id, ...under }: CustomerUpsert & { store: boolean },
  ): Promise<CustomerSnapshot | CustomerRefusal> {
    const customer = context.inlineCustomersOnlyIdentify ? identityOf(sent) : sent;
    if (store) {
      const upserted = await this.upsert(context, { customer, tracking_id, ...under });
      return isRefused(upserted) ? upserted : upserted.customer;
    }
    const found = await this.named(context.project.id, customer);
    if (!found && customer.id) return notFound('customer', customer.id);
    if (tracking_id !== undefined && (await this.isOfErased(context, found, customer)))
      return notFound('customer', tracking_id);
    return this.overlaid(context, found, customer);
  }

  /** Creates or changes the customer of that id, else of that source id, else a new one under `new_id`. `keyed`: a repetition of the
   *  call has the same `new_id`; what was stored under it is answered as it is, and not stored again. Refuses `not_found` for an
   *  unknown id, and for a `tracking_id` of an erased customer that the source id was read out of, and `invalid_payload` for a
   *  customer that would become too large. Source: reference 07 §3, ADR 156, ADR 157. */
  async upsert(
    context: RequestContext,
    { customer, new_id, keyed = false, tracking_id }: CustomerUpsert,
    options: UpsertOptions = {},
  ): Promise<UpsertedCustomer | CustomerRefusal> {
    const ids = keyed ? idsDerivedFrom(new_id) : randomIds;
    for (let tries = 1; ; tries++) {
      const found = await this.named(context.project.id, customer);
      if (!found && customer.id) return notFound('customer', customer.id);
      if (tracking_id !== undefined && (await this.isOfErased(context, found, customer)))
        return notFound('customer', tracking_id);
      if (found) {
        const merged = await this.merge(context, ids, { found, customer, options });
        // Deleted since it was found: its source id is free, and a new customer gets it.
        if (!isRefused(merged) || merged.refused !== 'not_found' || customer.id || tries === creationTries)
          return merged;
        continue;
      }
      try {
        return await this.create(context, ids, { customer, newId: new_id, options });
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
    if (!found) return notFound('customer', idOrSourceId);
    const merged = await this.merge(context, randomIds, { found, customer: sent });
    return isRefused(merged) ? merged : merged.customer;
  }

  /** Hides a customer from all reads and frees its source id. Refuses `not_found`. Source: reference 07 §3. */
  async delete(context: RequestContext, idOrSourceId: string): Promise<null | Refusal<'not_found'>> {
    const found = await this.reads.findNamed(context.project.id, idOrSourceId);
    if (!found) return notFound('customer', idOrSourceId);
    const { id } = found.state;
    return this.customers.execute<null, 'not_found'>({
      context,
      streamId: id,
      decide: (state) => {
        if (!isLive(state)) return notFound('customer', id);
        const write = this.writing.deletion({ context }, { state, key: found.key });
        return isRefused(write) ? write : { events: write.events, rows: write.rows, answer: null };
      },
    });
  }

  /** Whether no live customer was found, and an erased one had the source id. */
  private async isOfErased(
    { project }: RequestContext,
    found: FoundCustomer | null,
    { source_id }: CustomerInput,
  ): Promise<boolean> {
    if (found || !source_id) return false;
    return this.reads.isErasedSource(project.id, this.vault.taskKey(project.id, source_id));
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
    context: RequestContext,
    found: FoundCustomer | null,
    customer: CustomerInput,
  ): CustomerSnapshot {
    if (found) return { ...foundSnapshot(found), ...mergeProfile(found.profile, customer) };
    const profile = mergeProfile({ ...emptyProfile, source_id: customer.source_id || null }, customer);
    return snapshotOf('', profile, { created_at: this.writing.now(context), updated_at: null });
  }

  private async merge(
    context: RequestContext,
    ids: IdSource,
    {
      found,
      customer,
      options = {},
    }: { found: FoundCustomer; customer: CustomerInput; options?: UpsertOptions },
  ): Promise<UpsertedCustomer | CustomerRefusal> {
    if (sameProfile(found.profile, upsertedProfile(found.profile, customer, options)))
      return { customer: foundSnapshot(found), found: true, updated: false };
    const { id } = found.state;
    const written = await this.writing.writtenBy(context, options.bulk);
    return this.customers.execute({
      context,
      streamId: id,
      eventIds: ids,
      repeated: (state) =>
        isLive(state) ? this.unchanged(written, { state, key: found.key }) : notFound('customer', id),
      // Decided on the committed state, not on what was read before: merges of other keys must not be lost.
      decide: (state) =>
        isLive(state)
          ? this.decideMerge(written, { state, key: found.key }, customer, options)
          : notFound('customer', id),
    });
  }

  private unchanged(
    written: Written,
    stored: { state: CustomerState; key: Buffer },
  ): UpsertedCustomer | CustomerRefusal {
    const kept = this.decideMerge(written, stored, {}, {});
    return isRefused(kept) ? kept : kept.answer;
  }

  private decideMerge(
    written: Written,
    stored: { state: CustomerState; key: Buffer },
    customer: CustomerInput,
    options: UpsertOptions,
  ): Decision<CustomerEvent, UpsertedCustomer> | CustomerRefusal {
    const write = this.writing.change(
      written,
      stored,
      (profile) => upsertedProfile(profile, customer, options),
      sentMetadata(customer, options),
    );
    return isRefused(write) ? write : this.decided(stored.state, write, true);
  }

  private async create(
    context: RequestContext,
    ids: IdSource,
    {
      customer,
      newId,
      options: { bulk },
    }: { customer: CustomerInput; newId: string; options: UpsertOptions },
  ): Promise<UpsertedCustomer | CustomerRefusal> {
    const written = await this.writing.writtenBy(context, bulk);
    const write = this.writing.creation(written, customer, newId);
    if (isRefused(write)) return write;
    const executed = await this.customers.execute<UpsertedCustomer | null, CustomerRefusal['refused']>({
      context,
      streamId: newId,
      eventIds: ids,
      repeated: () => null,
      decide: (state) => (state ? { events: [], answer: null } : this.decided(undefined, write, false)),
    });
    if (isRefused(executed)) throw new Fault('unavailable', `the creation of ${newId} was refused`);
    return executed ?? this.createdBefore(context, newId);
  }

  private decided(
    state: CustomerState | undefined,
    { events, rows, profile }: CustomerWrite,
    found: boolean,
  ): Decision<CustomerEvent, UpsertedCustomer> | CustomerRefusal {
    const decision = decisionOf<CustomerState, CustomerEvent, UpsertedCustomer, CustomerRefusal['refused']>(
      customerAggregate,
      state,
      events,
      (after) => ({
        customer: foundSnapshot({ state: after, profile }),
        found,
        updated: events.length > 0,
      }),
    );
    return isRefused(decision) ? decision : { ...decision, rows };
  }

  /** The same command ran before under this id: its customer is the answer, unless it was deleted since. */
  private async createdBefore(
    context: RequestContext,
    id: string,
  ): Promise<UpsertedCustomer | Refusal<'not_found'>> {
    const found = await this.reads.find({ projectId: context.project.id, id });
    return found ? { customer: foundSnapshot(found), found: false, updated: true } : notFound('customer', id);
  }
}
