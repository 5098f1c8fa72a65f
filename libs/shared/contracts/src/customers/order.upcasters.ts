import type { OrderSnapshot } from './order.snapshot';

type Data = Record<string, unknown>;

/** Version 1 had the whole order, as the event before it has it. */
const statusOnly = (data: Data): Data => {
  const { id, status } = data['order'] as OrderSnapshot;
  return { order_id: id, status };
};

/** Steps from stored versions of order events to the newest, by event type, oldest first. */
export const orderUpcasters: Record<string, readonly ((data: Data) => Data)[]> = {
  OrderPaid: [statusOnly],
  OrderCanceled: [statusOnly],
  OrderFulfilled: [statusOnly],
};
