import type { CustomerInput } from '@scrip/contracts';
import { type Reader, clearable, day, identifier, jsonObject, nullable, shape, text } from './payload-reader';

const address = shape({
  city: clearable(text),
  state: clearable(text),
  line_1: clearable(text),
  line_2: clearable(text),
  country: clearable(text),
  postal_code: clearable(text),
});

/** A customer as a request names or describes it. Source: spec 03 §3.2. */
export const customerRequest: Reader<CustomerInput> = shape({
  id: nullable(text),
  source_id: nullable(identifier),
  name: clearable(text),
  description: clearable(text),
  email: clearable(text),
  phone: clearable(text),
  birthdate: clearable(day),
  birthday: clearable(day),
  address: clearable(address),
  metadata: nullable(jsonObject),
});
