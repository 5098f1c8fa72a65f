export type { CustomerBlocks } from './customer-blocks';
export type { CustomerAddress, CustomerInput, CustomerSnapshot } from './customer.snapshot';
export type {
  CustomerCreated,
  CustomerDeleted,
  CustomerErased,
  CustomerErasure,
  CustomerEvent,
  CustomerUpdated,
} from './customer.events';
export { customersNamedIn, type ErasedCustomer, erasedCustomers, erasedIn } from './erased-customer';
export { type OrderRedemption, orderBytesMax, type OrderSnapshot, type OrderStatus } from './order.snapshot';
export type {
  OrderCanceled,
  OrderCreated,
  OrderEvent,
  OrderFulfilled,
  OrderPaid,
  OrderUpdated,
} from './order.events';
export { type CustomersPort, customersPort, storedUnder, type StoredOrder } from './customers.port';
export { orderUpcasters } from './order.upcasters';
export type {
  SegmentCreated,
  SegmentDeleted,
  SegmentEntered,
  SegmentEvent,
  SegmentLeft,
  SegmentMembersAdded,
  SegmentSnapshot,
  SegmentType,
  SegmentUpdated,
} from './segment.events';
