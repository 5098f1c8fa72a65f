import type { RegisteredContext } from '../registered-context';
import { bulk, client, server, upload } from '../route-row';
import { topic } from '../topic';

export const customers = {
  name: 'customers',
  owns: 'customers (personal data encrypted with a key each), their consents and activity, orders, claims on orders, segments',
  topics: {
    customer: topic('customers', 'customer'),
    order: topic('customers', 'order'),
    segment: topic('customers', 'segment'),
    customerTask: topic('customers', 'task'),
  },
  routes: [
    server('POST /v1/customers', 'customers'),
    server('GET /v1/customers', 'customers'),
    server('GET /v1/customers/{customerId}', 'customers'),
    server('PUT /v1/customers/{customerId}', 'customers'),
    server('DELETE /v1/customers/{customerId}', 'customers'),
    server('POST /v1/customers/{customerId}/permanent-deletion', 'customers', { passwordAgain: true }),
    bulk('POST /v1/customers/bulk/async', 'customers'),
    bulk('POST /v1/customers/metadata/async', 'customers'),
    upload('POST /v1/customers/importCSV', 'customers'),
    server('GET /v1/customers/{customerId}/segments', 'customers'),
    server('GET /v1/customers/{customerId}/activity', 'customers'),
    server('GET /v1/customers/{customerId}/activities', 'customers'),
    server('GET /v1/consents', 'consents'),
    server('PUT /v1/customers/{customerId}/consents', 'consents'),
    client('POST /client/v1/customers', 'client_customers', {
      clientSwitch: 'client_create_customer_enabled',
    }),
    client('GET /client/v1/consents', 'client_consents'),
    client('PUT /client/v1/customers/{customerId}/consents', 'client_consents'),
    server('POST /v1/segments', 'segments'),
    server('GET /v1/segments', 'segments'),
    server('GET /v1/segments/{segmentId}', 'segments'),
    server('GET /v1/segments/{segmentId}/activities', 'segments'),
    server('PUT /v1/segments/{segmentId}', 'segments'),
    server('DELETE /v1/segments/{segmentId}', 'segments'),
    server('POST /v1/orders', 'orders'),
    bulk('POST /v1/orders/import', 'orders'),
    server('GET /v1/orders', 'orders'),
    server('GET /v1/orders/{orderId}', 'orders'),
    server('PUT /v1/orders/{orderId}', 'orders'),
  ],
} as const satisfies RegisteredContext;
