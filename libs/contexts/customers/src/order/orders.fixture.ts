import type { ObjectVerdict } from '@scrip/contracts/claims';
import type { OrderSnapshot, StoredOrder } from '@scrip/contracts/customers';
import { isRefused, newId } from '@scrip/kernel';
import { type CustomersProcess, draftOf, requestContext, startCustomers } from '../customers.fixture';

/** Ids of one redemption and of its claim on an order. */
export interface Redemption {
  redemption_id: string;
  claim_id: string;
}

export const redemption = (): Redemption => ({ redemption_id: newId('r_'), claim_id: newId('clm_') });

/** What orders go through, on a database of its own; two processes. */
export const startOrders = async (name: string) => {
  const customers = await startCustomers(name);
  const other = await customers.second();
  const { coordinator, dataSource, eventStore, port } = customers;

  const claim = async (
    { redemption_id, claim_id }: Redemption,
    order: OrderSnapshot,
    {
      baseVersion = null,
      after,
      replaces = [],
      process = customers,
    }: {
      baseVersion?: number | null;
      after?: string | undefined;
      replaces?: string[];
      process?: CustomersProcess;
    } = {},
  ) => {
    const asks = { order: { order, base_version: baseVersion, ...(after === undefined ? {} : { after }) } };
    const [answer] = await process.port.claim(requestContext(`v-${redemption_id}`), {
      redemption_id,
      claims: [{ claim_id, object_id: order.id, asks, replaces }],
      at_refusal: 'STOP',
    });
    return answer!;
  };

  const record = (ids: Redemption) => coordinator.record(ids.redemption_id, ids.claim_id);
  const abandon = (ids: Redemption) => coordinator.abandon(ids.redemption_id);

  /** The verdict that stands. */
  const verdictOn = ({ redemption_id, claim_id }: Redemption, orderId: string): ObjectVerdict => {
    const outcome = coordinator.outcomes.get(redemption_id);
    if (!outcome) throw new Error('no verdict yet');
    const verdict = outcome.claims.includes(claim_id) ? 'RECORDED' : 'ABANDONED';
    return { redemption_id, claim_id, object_id: orderId, verdict };
  };

  /** Tells it. */
  const settle = (ids: Redemption, orderId: string, process: CustomersProcess = customers) =>
    process.port.settle(requestContext(), { verdicts: [verdictOn(ids, orderId)] });

  const load = async (named: { id?: string; source_id?: string }): Promise<StoredOrder> => {
    const read = await port.loadOrder(requestContext(), named);
    if (read === null || isRefused(read)) throw new Error(`not loaded: ${JSON.stringify(read)}`);
    return read;
  };

  const eventsOf = async (orderId: string): Promise<string[]> =>
    (await eventStore.readStream('order', 'proj_1', orderId)).map(({ type }) => type);

  const stateOf = async ({ redemption_id, claim_id }: Redemption): Promise<string | undefined> => {
    const rows = await dataSource.query<{ state: string }[]>(
      'SELECT state FROM order_claims WHERE redemption_id = $1 AND claim_id = $2',
      [redemption_id, claim_id],
    );
    return rows[0]?.state;
  };

  /** A stored order, PAID by a first redemption of 100. */
  const storedOrder = async (
    fields: Partial<OrderSnapshot> = {},
  ): Promise<StoredOrder & { ids: Redemption }> => {
    const ids = redemption();
    const order = draftOf(ids.redemption_id, fields);
    await claim(ids, order);
    record(ids);
    await settle(ids, order.id);
    return { ids, ...(await load({ id: order.id })) };
  };

  return {
    customers,
    other,
    claim,
    record,
    abandon,
    verdictOn,
    settle,
    load,
    eventsOf,
    stateOf,
    storedOrder,
  };
};
