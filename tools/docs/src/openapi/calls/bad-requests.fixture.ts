import type { Call } from '../documented-calls.fixture';
import { campaign } from './campaigns.fixture';
import { redeeming } from './redemptions.fixture';

/** Calls that the document and the API must both refuse. */
export const badRequests: readonly Pick<Call, 'method' | 'path' | 'body'>[] = [
  { method: 'POST', path: '/v1/campaigns', body: {} },
  { method: 'POST', path: '/v1/campaigns', body: { ...campaign, name: 'x'.repeat(513) } },
  { method: 'POST', path: '/v1/campaigns', body: { ...campaign, start_date: 'tomorrow' } },
  { method: 'POST', path: '/v1/campaigns', body: { ...campaign, validity_hours: {} } },
  { method: 'POST', path: '/v1/campaigns', body: { ...campaign, voucher: { discount: { type: 'FREE' } } } },
  {
    method: 'POST',
    path: '/v1/campaigns',
    body: { ...campaign, voucher: { discount: { type: 'PERCENT', percent_off: 101 } } },
  },
  { method: 'POST', path: '/v1/redemptions', body: { redeemables: [] } },
  { method: 'POST', path: '/v1/redemptions', body: { redeemables: [{ object: 'coupon', id: 'A' }] } },
  { method: 'POST', path: '/v1/redemptions', body: { ...redeeming('A'), order: { amount: 1.5 } } },
  { method: 'POST', path: '/v1/validations', body: { ...redeeming('A'), session: { type: 'HOLD' } } },
  { method: 'POST', path: '/v1/segments', body: { type: 'static', customers: [] } },
  { method: 'POST', path: '/v1/segments', body: { name: 'All', type: 'dynamic', customers: [] } },
  { method: 'POST', path: '/v1/segments', body: { name: 'All', filter: { colour: { conditions: {} } } } },
  { method: 'POST', path: '/v1/oauth/token', body: { scope: 'api' } },
  {
    method: 'POST',
    path: '/management/v1/projects',
    body: { name: 'Shop', timezone: 'UTC', currency: 'EUR' },
  },
  { method: 'POST', path: '/management/v1/projects/{projectId}/webhooks', body: { events: [] } },
  {
    method: 'POST',
    path: '/management/v1/projects/{projectId}/webhooks',
    body: { target_url: 'https://example.com', events: ['voucher.created'], headers: { a: 1 } },
  },
  { method: 'POST', path: '/v1/metadata-schemas', body: { related_object: 'order' } },
  {
    method: 'POST',
    path: '/v1/metadata-schemas',
    body: { related_object: 'order', properties: { a: { type: 'text' } } },
  },
];
