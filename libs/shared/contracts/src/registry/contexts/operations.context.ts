import type { RegisteredContext } from '../registered-context';
import { open, server } from '../route-row';

export const operations = {
  name: 'operations',
  owns: 'the list of asynchronous actions, their reports, exports, the log of API calls, the trash bin',
  topics: {},
  routes: [
    server('GET /v1/async-actions', 'async-actions'),
    server('GET /v1/async-actions/{asyncActionId}', 'async-actions'),
    open('GET /v1/task-results/{id}'),
    server('POST /v1/exports', 'exports', { permission: 'export' }),
    server('GET /v1/exports', 'exports', { permission: 'export' }),
    server('GET /v1/exports/{exportId}', 'exports', {
      permission: 'export',
      opensByToken: true,
      produces: [],
    }),
    server('DELETE /v1/exports/{exportId}', 'exports'),
    server('POST /v1/orders/export', 'orders', { permission: 'export' }),
    server('POST /v1/vouchers/{code}/transactions/export', 'vouchers', { permission: 'export' }),
    server('POST /v1/campaigns/{campaignId}/transactions/export', 'campaigns', { permission: 'export' }),
    server('GET /v1/trash-bin', 'trash-bin'),
    server('DELETE /v1/trash-bin/{binEntryId}', 'trash-bin', { passwordAgain: true }),
  ],
} as const satisfies RegisteredContext;
