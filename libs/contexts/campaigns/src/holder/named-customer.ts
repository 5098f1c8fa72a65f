import type { CustomerSnapshot, CustomersPort } from '@scrip/contracts/customers';
import { isRefused, type RequestContext } from '@scrip/kernel';

type Customers = Pick<CustomersPort, 'loadCustomers' | 'resolve'>;

/** The customer that is named by id or source id; undefined where there is none. `deleted`: by id also one that was deleted. */
export const customerNamed = async (
  customers: Customers,
  context: RequestContext,
  sent: string,
  { deleted = false } = {},
): Promise<CustomerSnapshot | undefined> => {
  const [byId] = await customers.loadCustomers(context, { ids: [sent], ...(deleted ? { deleted } : {}) });
  if (byId) return byId;
  const named = { customer: { source_id: sent }, store: false, new_id: '' };
  const found = await customers.resolve(context, named);
  return isRefused(found) || found.id === '' ? undefined : found;
};

/** The id of a customer named by id or source id, deleted ones by their id; what was sent where there is none, which nothing
 *  refers to. */
export const customerIdOf = async (
  customers: Customers,
  context: RequestContext,
  sent: string,
): Promise<string> => (await customerNamed(customers, context, sent, { deleted: true }))?.id ?? sent;
