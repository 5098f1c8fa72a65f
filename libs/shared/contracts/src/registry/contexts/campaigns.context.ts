import type { RegisteredContext } from '../registered-context';
import { open, server } from '../route-row';
import { topic } from '../topic';

export const campaigns = {
  name: 'campaigns',
  owns: 'campaigns, vouchers, code generation, claims on vouchers',
  topics: {
    campaign: topic('campaigns', 'campaign'),
    voucher: topic('campaigns', 'voucher'),
    campaignTask: topic('campaigns', 'task'),
  },
  routes: [
    server('POST /v1/campaigns', 'campaigns'),
    server('GET /v1/campaigns', 'campaigns'),
    server('GET /v1/campaigns/{campaignId}', 'campaigns'),
    server('POST /v1/campaigns/{campaignId}/vouchers', 'campaigns'),
    server('POST /v1/campaigns/{campaignId}/vouchers/{code}', 'campaigns'),
    server('GET /v1/vouchers', 'vouchers'),
    server('GET /v1/vouchers/{code}', 'vouchers'),
    open('GET /v1/assets/qr/{id}'),
    open('GET /v1/assets/barcode/{id}'),
  ],
} as const satisfies RegisteredContext;
