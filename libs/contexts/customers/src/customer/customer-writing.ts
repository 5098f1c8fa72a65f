import { Injectable } from '@nestjs/common';
import type { CustomerEvent, CustomerInput } from '@scrip/contracts/customers';
import type { Instant, Metadata } from '@scrip/contracts/snapshot';
import type { RowChange } from '@scrip/event-store';
import { type BusinessClock, type Refusal, type RequestContext, isRefused } from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import type { CheckMetadata } from '@scrip/metadata-schemas';
import { InjectBusinessClock } from '@scrip/service';
import { type CustomerState, decideCustomer } from './customer.decider';
import { listingOf, sameListing, unlisted } from './customer-listing';
import {
  type CustomerProfile,
  deletedProfile,
  newProfile,
  profileMustFit,
  sameProfile,
  textMustFit,
} from './customer-profile';
import { CustomerVault } from './customer-vault';

/** What storing a customer refuses with. */
export type CustomerRefusal = Refusal<'not_found' | 'invalid_payload' | 'metadata_validation_failed'>;

/** What becomes of a customer: its events, the row of its key, and the profile that it has then. */
export interface CustomerWrite {
  events: CustomerEvent[];
  rows: RowChange[];
  key: Buffer;
  profile: CustomerProfile;
}

/** Whose write it is. `bulk`: no webhook tells of it. `check`: the project's schema of customers. `at`: when it is, ISO; absent: when it
 *  is decided. */
export interface Written {
  context: RequestContext;
  bulk: boolean;
  check: CheckMetadata;
  at?: Instant;
}

/** Seals what becomes of customers, and says what lists find them by. */
@Injectable()
export class CustomerWriting {
  constructor(
    private readonly vault: CustomerVault,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly metadata: MetadataSchemas,
  ) {}

  /** What `creation` and `change` of one call go by. */
  async writtenBy(context: RequestContext, bulk = false): Promise<Written> {
    return { context, bulk, check: await this.metadata.checkOf(context, 'customer') };
  }

  /** A new customer with a key of its own. `sourceHash`: of its source id, where the caller knows it. */
  creation(
    { context, bulk, check, at }: Written,
    customer: CustomerInput,
    customer_id: string,
    sourceHash: string | null = this.sourceHashOf(context, customer),
  ): CustomerWrite | CustomerRefusal {
    const address = { projectId: context.project.id, customerId: customer_id };
    const profile = newProfile(customer);
    const text = JSON.stringify(profile);
    const refusal = textMustFit(text) ?? check(profile.metadata);
    if (refusal) return refusal;
    const { key, wrapped } = this.vault.newKey(address);
    const [sealed, now] = [this.vault.sealOnce(text, key, address), at ?? this.now(context)];
    const events = decideCustomer({ type: 'CreateCustomer', customer_id, sealed, bulk, now }, undefined);
    if (isRefused(events)) return events;
    const values = {
      project_id: address.projectId,
      customer_id,
      wrapped_key: wrapped,
      source_hash: sourceHash,
      ...listingOf(this.vault, address.projectId, profile, now),
    };
    return { events, rows: [{ insert: 'customer_keys', values }], key, profile };
  }

  /** The change of a customer to what `next` makes of its profile; without events where that is the same. `sent`: the
   *  metadata that the call carries, if it does. */
  change(
    { context, bulk, check, at }: Written,
    { state, key }: { state: CustomerState; key: Buffer },
    next: (profile: CustomerProfile) => CustomerProfile,
    sent: Metadata | null,
  ): CustomerWrite | CustomerRefusal {
    const address = { projectId: context.project.id, customerId: state.id };
    const stored = this.vault.open(state.sealed, key, address);
    const profile = next(stored);
    // The same profile sealed again would be another text.
    if (sameProfile(stored, profile)) return { events: [], rows: [], key, profile: stored };
    const refusal = profileMustFit(profile) ?? (sent && check(profile.metadata, sent));
    if (refusal) return refusal;
    const [sealed, now] = [this.vault.seal(profile, key, address), at ?? this.now(context)];
    const events = decideCustomer(
      { type: 'UpdateCustomer', customer_id: state.id, sealed, bulk, now },
      state,
    );
    if (isRefused(events)) return events;
    const set = listingOf(this.vault, address.projectId, profile, state.created_at);
    const rows = sameListing(stored, profile) ? [] : [{ update: 'customer_keys', key: rowOf(address), set }];
    return { events, rows, key, profile };
  }

  /** The deletion of a customer: its source id is free, and nothing but its id finds it. */
  deletion(
    { context }: Pick<Written, 'context'>,
    { state, key }: { state: CustomerState; key: Buffer },
  ): CustomerWrite | Refusal<'not_found'> {
    const address = { projectId: context.project.id, customerId: state.id };
    const now = this.now(context);
    const profile = deletedProfile(this.vault.open(state.sealed, key, address), now);
    const sealed = this.vault.seal(profile, key, address);
    const events = decideCustomer({ type: 'DeleteCustomer', customer_id: state.id, sealed, now }, state);
    if (isRefused(events)) return events;
    const set = { source_hash: null, ...unlisted };
    return { events, rows: [{ update: 'customer_keys', key: rowOf(address), set }], key, profile };
  }

  /** What a customer is found by whose source id the input names; null where it names none. */
  sourceHashOf({ project }: RequestContext, { source_id }: Pick<CustomerInput, 'source_id'>): string | null {
    return source_id ? this.vault.sourceHash(project.id, source_id) : null;
  }

  /** ISO, of the project's business clock. */
  now({ project }: RequestContext): string {
    return this.clock.now(project).toISOString();
  }
}

const rowOf = ({ projectId, customerId }: { projectId: string; customerId: string }) => ({
  project_id: projectId,
  customer_id: customerId,
});
