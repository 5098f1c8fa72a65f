export { type SimpleCustomer, renderCustomer, simpleCustomer } from './customer.wire';
export { type OrderResponse, type ShownOrder, renderOrder, simpleOrder } from './order.wire';
