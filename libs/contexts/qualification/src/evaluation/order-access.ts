import type { CustomersPort } from '@scrip/contracts/customers';
import { isFromBrowser, notFound, type RequestContext, isRefused, refuse } from '@scrip/kernel';
import type { QualificationRefusal } from '../qualification.refusals';
import type { OrderRequest } from '@scrip/wire/requests';
import type { RequestOrder } from './request-order';

type Stored = RequestOrder['stored'];
type Owners = Pick<CustomersPort, 'loadOrder' | 'loadCustomers'>;

const takenSourceId = (sourceId: string): QualificationRefusal =>
  refuse(
    'invalid_order',
    `The order with source id ${sourceId} cannot be used here: send the encoded tracking id of its customer.`,
  );

const leftSourceId = (sourceId: string): QualificationRefusal =>
  refuse(
    'invalid_order',
    `The order with source id ${sourceId} cannot be used: its customer was deleted. Send another source id.`,
  );

const named = ({ id, source_id }: OrderRequest): { id: string } | { source_id: string } | null => {
  if (id !== undefined) return { id };
  return source_id === undefined ? null : { source_id };
};

const belongsTo = async (
  identity: string,
  context: RequestContext,
  stored: NonNullable<Stored>,
  owners: Owners,
): Promise<boolean> => {
  const { customer_id } = stored.order;
  if (customer_id === null) return false;
  const [owner] = await owners.loadCustomers(context, { ids: [customer_id] });
  return owner?.source_id === identity;
};

/** The stored order that a request names; null: none. From a browser only the order of the customer whose identity is
 *  proven (`proven`) is there: another's id is refused like an unknown one. Another's source id names nothing in a
 *  validation and is refused (`invalid_order`) where an order would be stored (`store`). So it is with the source
 *  id of a deleted customer's order, which servers cannot use at all (`invalid_order`). Who may store an order has the owner
 *  settle first what an earlier redemption left on it. Source: reference 03 §3.3, ADR 45, ADR 70. */
export const namedOrder = async (
  owners: Owners,
  context: RequestContext,
  order: OrderRequest,
  { proven, store }: { proven: string | null; store: boolean },
): Promise<Stored | QualificationRefusal> => {
  const name = named(order);
  if (!name) return null;
  const another = (sourceId: string): null | QualificationRefusal => (store ? takenSourceId(sourceId) : null);
  const look = async (settle: boolean): Promise<Stored | QualificationRefusal> => {
    const found = await owners.loadOrder(context, { ...name, settle });
    if (!isRefused(found)) return found;
    if (found.refused === 'not_found' || 'id' in name) return null;
    return isFromBrowser(context) ? another(name.source_id) : leftSourceId(name.source_id);
  };
  const mayUse = async (stored: Stored): Promise<boolean> =>
    stored === null ||
    !isFromBrowser(context) ||
    (proven !== null && (await belongsTo(proven, context, stored, owners)));
  const shown = await look(false);
  if (isRefused(shown)) return shown;
  const showsDraft = shown?.after !== undefined;
  const stored = store && showsDraft && (await mayUse(shown)) ? await look(true) : shown;
  if (isRefused(stored)) return stored;
  const isTheirs = await mayUse(stored);
  if ('id' in name) return stored !== null && isTheirs ? stored : notFound('order', name.id);
  if (isTheirs) return stored;
  return another(name.source_id);
};
