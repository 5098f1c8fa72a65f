import type { RegisteredContext } from '../registered-context';
import { server } from '../route-row';
import { topic } from '../topic';

export const customers = {
  name: 'customers',
  owns: 'customers (personal data encrypted with a key each), orders, claims on orders',
  topics: { customer: topic('customers', 'customer'), order: topic('customers', 'order') },
  routes: [
    server('POST /v1/customers', 'customers'),
    server('GET /v1/customers', 'customers'),
    server('GET /v1/customers/{customerId}', 'customers'),
    server('PUT /v1/customers/{customerId}', 'customers'),
    server('DELETE /v1/customers/{customerId}', 'customers'),
  ],
} as const satisfies RegisteredContext;
