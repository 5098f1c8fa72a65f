export {
  type Reader,
  clearable,
  day,
  described,
  filledText,
  flag,
  identifier,
  integerFrom,
  jsonObject,
  listOf,
  namedShape,
  notLowerThan,
  nullable,
  oneOf,
  parsePayload,
  required,
  shape,
  text,
  unsupported,
} from './payload-reader';
export { customerRequest } from './customer-request';
export { type OrderRequest, orderItemRequest, orderItemsMax, orderRequest } from './order-request';
