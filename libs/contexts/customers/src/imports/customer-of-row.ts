import type { CustomerInput } from '@scrip/contracts/customers';
import { readInput } from '@scrip/edge';
import type { RowValues } from '@scrip/tasks/imports';
import { CustomerBody, inputOf } from '../customer/customer.dto';

const addressFields = ['line_1', 'line_2', 'city', 'state', 'postal_code', 'country'] as const;

/** The customer that a row of a file tells. Throws `EdgeFailure` (400) as a body does, naming the field.
 *  Source: reference 07 §11. */
export const customerOfRow = ({ fields, metadata }: RowValues): CustomerInput => {
  const { line_1, line_2, city, state, postal_code, country, ...rest } = fields;
  const hasAddress = addressFields.some((field) => fields[field] !== undefined);
  const address = { line_1, line_2, city, state, postal_code, country };
  const body = readInput(CustomerBody, { ...rest, ...(hasAddress ? { address } : {}), metadata }, 'body');
  const { id, source_id, ...sent } = body;
  return { ...inputOf(sent), ...(id ? { id } : {}), ...(source_id ? { source_id } : {}) };
};
