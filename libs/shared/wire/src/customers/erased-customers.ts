import type { CustomerErased } from '@scrip/contracts/customers';
import { rewriteAnswers } from '@scrip/edge';
import type { EntityManager } from 'typeorm';
import { erasedIn } from './erased-customer';

/** A customer of a project that was deleted permanently. */
export interface ErasedCustomer {
  projectId: string;
  customerId: string;
}

/** Returns the customers that a batch of events says were deleted permanently. */
export const erasedCustomers = (
  events: readonly { type: string; projectId: string; data: unknown }[],
): ErasedCustomer[] =>
  events
    .filter(({ type }) => type === 'CustomerErased')
    .map(({ projectId, data }) => ({ projectId, customerId: (data as CustomerErased['data']).customer_id }));

/** Takes erased customers out of the answers that a context keeps for repeated calls. Source: reference 06 §9.3. */
export const eraseFromAnswers = async (
  manager: EntityManager,
  erased: readonly ErasedCustomer[],
): Promise<void> => {
  for (const { projectId, customerId: id } of erased)
    await rewriteAnswers(manager, { projectId, id, rewrite: (answer) => erasedIn(answer, id) });
};
