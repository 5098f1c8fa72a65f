export {
  type CustomerBlocks,
  type CustomerResponse,
  type SimpleCustomer,
  emptyBlocks,
  erasedCustomer,
  renderCustomer,
  simpleCustomer,
} from './customer.wire';
export { type PermanentDeletionResponse, renderPermanentDeletion } from './permanent-deletion.wire';
export { type OrderResponse, type ShownOrder, renderOrder, simpleOrder } from './order.wire';
