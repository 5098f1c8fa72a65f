import type { CustomerInput } from '@scrip/contracts/customers';
import { failureOfRefusal } from '@scrip/edge';
import { isRefused, newId, type RequestContext } from '@scrip/kernel';
import type { CheckMetadata } from '@scrip/metadata-schemas';
import type { ItemOutcome } from '@scrip/tasks';
import type { EntityManager } from 'typeorm';
import type { UpsertCustomers } from '../customer/upsert-customers';

type Upserted = Awaited<ReturnType<UpsertCustomers['upsertIn']>>[number];

const outcomeOf = (upserted: Upserted): ItemOutcome => {
  if (!isRefused(upserted)) return { found: upserted.found, updated: upserted.updated };
  const { key = '', message, details = '' } = failureOfRefusal(upserted);
  return { found: false, updated: false, failure: { key, message, details } };
};

/** Upserts customers of a task, without webhooks; an outcome for each. `replace`: what is not sent is forgotten. `check`: the
 *  project's schema of customers. */
export const storeCustomers = async (
  customers: UpsertCustomers,
  manager: EntityManager,
  context: RequestContext,
  items: readonly CustomerInput[],
  { replace = false, check }: { replace?: boolean; check?: CheckMetadata | undefined } = {},
): Promise<ItemOutcome[]> => {
  const set = items.map((customer) => ({ customer, new_id: newId('cust_') }));
  return (await customers.upsertIn(manager, context, set, { bulk: true, replace, check })).map(outcomeOf);
};
