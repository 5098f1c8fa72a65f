import type { CustomerInput } from '@scrip/contracts/customers';
import { newId, type RequestContext } from '@scrip/kernel';
import type { CheckMetadata } from '@scrip/metadata-schemas';
import { type ItemOutcome, outcomeOf } from '@scrip/tasks';
import type { EntityManager } from 'typeorm';
import type { UpsertCustomers, UpsertItem } from '../customer/upsert-customers';

/** A customer of a set, who gets an id in case that it is new. */
export const inSet = (customer: CustomerInput): UpsertItem => ({ customer, new_id: newId('cust_') });

/** Upserts customers of a task, without webhooks; an outcome for each. `replace`: what is not sent is forgotten. `check`: the
 *  project's schema of customers. */
export const storeCustomers = async (
  customers: UpsertCustomers,
  manager: EntityManager,
  context: RequestContext,
  set: readonly UpsertItem[],
  { replace = false, check }: { replace?: boolean; check?: CheckMetadata | undefined } = {},
): Promise<ItemOutcome[]> => {
  const upserted = await customers.upsertIn(manager, context, set, { bulk: true, replace, check });
  return upserted.map((answer) => outcomeOf(answer));
};
