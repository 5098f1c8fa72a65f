import type { CustomerCreated, CustomerDeleted, CustomerUpdated } from '@scrip/contracts/customers';
import { erasedCustomer, renderCustomer } from '@scrip/wire/customers';
import { type Relations, rendererOf } from '../renderer';

const full = (id: string, relations: Relations) => {
  const customer = relations.customer(id);
  return customer && { entityId: id, data: { customer: renderCustomer(customer) } };
};

/** Kinds about customers. Of an erased one only the deletion is told, without the person. Source: reference 06 §3. */
export const customerRenderers = [
  rendererOf<CustomerCreated>({
    kind: 'customer.created',
    of: 'CustomerCreated',
    customers: ({ customer_id, bulk }) => (bulk ? [] : [customer_id]),
    render: ({ customer_id, bulk }, relations) => (bulk ? null : full(customer_id, relations)),
  }),
  rendererOf<CustomerUpdated>({
    kind: 'customer.updated',
    of: 'CustomerUpdated',
    customers: ({ customer_id, bulk }) => (bulk ? [] : [customer_id]),
    render: ({ customer_id, bulk }, relations) => (bulk ? null : full(customer_id, relations)),
  }),
  rendererOf<CustomerDeleted>({
    kind: 'customer.deleted',
    of: 'CustomerDeleted',
    customers: ({ customer_id }) => [customer_id],
    render: ({ customer_id, created_at, deleted_at }, relations) =>
      full(customer_id, relations) ?? {
        entityId: customer_id,
        data: { customer: erasedCustomer(customer_id, created_at ?? deleted_at) },
      },
  }),
];
