import type { RegisteredContext } from '../registered-context';
import { topic } from '../topic';

export const customers = {
  name: 'customers',
  owns: 'customers (personal data encrypted with a key each), orders, claims on orders',
  topics: { customer: topic('customers', 'customer'), order: topic('customers', 'order') },
  routes: [],
} as const satisfies RegisteredContext;
