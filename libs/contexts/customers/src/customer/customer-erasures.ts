import { Injectable } from '@nestjs/common';
import type { CustomerErasure, CustomerEvent } from '@scrip/contracts/customers';
import { type AggregateStore, type EventStore, InjectEventStore, type RowChange } from '@scrip/event-store';
import { type Refusal, type RequestContext, isRefused, notFound } from '@scrip/kernel';
import { erasedNameRows } from '@scrip/tasks';
import type { EntityManager } from 'typeorm';
import { customerAggregate } from './customer.aggregate';
import { type CustomerState, decideCustomer, isLive } from './customer.decider';
import { CustomerReads } from './customer.reads';
import { type CustomerAddress, CustomerVault } from './customer-vault';
import { CustomerWriting } from './customer-writing';
import { erasedCounts } from './erased-counts.reads';

/** What a tracking id is refused by for good once its customer is erased. Source: ADR 156. */
const erasedSourceRows = ({
  projectId,
  customerId,
  sourceKey,
}: CustomerAddress & { sourceKey: string | null }): RowChange[] =>
  sourceKey === null
    ? []
    : [
        {
          insert: 'erased_source_ids',
          values: { project_id: projectId, customer_id: customerId, source_key: sourceKey },
        },
      ];

/** Erases customers. */
@Injectable()
export class CustomerErasures {
  private readonly customers: AggregateStore<CustomerState, CustomerEvent>;

  constructor(
    @InjectEventStore('customers') eventStore: EventStore,
    private readonly reads: CustomerReads,
    private readonly vault: CustomerVault,
    private readonly writing: CustomerWriting,
  ) {
    this.customers = eventStore.aggregate(customerAggregate);
  }

  /** Destroys the key of a customer, live or deleted, named by its id (a live one also by its source id): what was sealed with
   *  it opens never again. Hashes, source id and the row of the key go in the same statement, so that it is done or not
   *  done. Refuses `not_found`, also for an erased customer, unless it was erased under `deletionId`.
   *  Source: reference 07 §3, architecture §4. */
  async erase(
    context: RequestContext,
    idOrSourceId: string,
    deletionId: string,
  ): Promise<(CustomerErasure & { customer_id: string }) | Refusal<'not_found'>> {
    const projectId = context.project.id;
    const customer_id = await this.customerToErase(projectId, idOrSourceId, deletionId);
    return this.customers.executeLocked<CustomerErasure & { customer_id: string }, 'not_found'>({
      context,
      streamId: customer_id,
      decide: async (state, read) => {
        if (!state) return notFound('customer', idOrSourceId);
        const erasure = state.erasure ?? {
          id: deletionId,
          erased_at: this.writing.now(context),
          ...(await erasedCounts(read, projectId, customer_id)),
        };
        const command = {
          type: 'EraseCustomer',
          customer_id,
          erasure: { ...erasure, id: deletionId },
        } as const;
        const events = decideCustomer(command, state);
        if (isRefused(events)) return events;
        const rows = events.length > 0 ? await this.erasureRows(read, projectId, state) : [];
        return { events, rows, answer: { ...erasure, customer_id } };
      },
    });
  }

  /** A repetition finds the customer of its first execution, which may have been killed before its answer was stored. */
  private async customerToErase(
    projectId: string,
    idOrSourceId: string,
    deletionId: string,
  ): Promise<string> {
    const erased = await this.reads.erasedUnder(projectId, idOrSourceId, deletionId);
    if (erased !== null) return erased;
    const found =
      (await this.reads.findAlsoDeleted({ projectId, id: idOrSourceId })) ??
      (await this.reads.findNamed(projectId, idOrSourceId));
    return found?.state.id ?? idOrSourceId;
  }

  /** Returns the rows of an erasure, read under the lock of the customer: no other call deletes its key or frees its source id meanwhile. */
  private async erasureRows(
    read: EntityManager,
    projectId: string,
    state: CustomerState,
  ): Promise<RowChange[]> {
    const customerId = state.id;
    const sourceId = await this.reads.sourceIdIn(read, { projectId, customerId }, state);
    const sourceKey = sourceId && this.vault.taskKey(projectId, sourceId);
    return [
      { delete: 'customer_keys', key: { project_id: projectId, customer_id: customerId } },
      ...erasedSourceRows({ projectId, customerId, sourceKey }),
      ...erasedNameRows({
        ...{ projectId, customerId },
        sourceKey,
        until: isLive(state) ? null : await this.reads.deletedAt(read, projectId, customerId),
      }),
    ];
  }
}
