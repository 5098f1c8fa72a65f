import type { CustomerInput } from '@scrip/contracts/customers';
import {
  type Reader,
  described,
  clearable,
  day,
  identifier,
  jsonObject,
  nullable,
  namedShape,
  text,
} from './payload-reader';

const address = namedShape('AddressRequest', {
  city: clearable(text),
  state: clearable(text),
  line_1: clearable(text),
  line_2: clearable(text),
  country: clearable(text),
  postal_code: clearable(text),
});

/** A customer as a request names or describes it. Source: reference 03 §3.2. */
export const customerRequest: Reader<CustomerInput> = namedShape('CustomerRequest', {
  id: nullable(text),
  source_id: nullable(described(identifier, 'Your own id of the customer. Case-sensitive.')),
  name: clearable(text),
  description: clearable(text),
  email: clearable(text),
  phone: clearable(text),
  birthdate: clearable(day),
  birthday: clearable(day),
  address: clearable(address),
  metadata: nullable(jsonObject),
});
