export {
  type CustomerBlocks,
  type CustomerResponse,
  type SimpleCustomer,
  emptyBlocks,
  renderCustomer,
  simpleCustomer,
} from './customer.wire';
export { type OrderResponse, type ShownOrder, renderOrder, simpleOrder } from './order.wire';
