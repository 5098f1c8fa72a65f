import type { RegisteredContext } from '../registered-context';
import { management, ofFeature } from '../route-row';
import { topic } from '../topic';

const project = '/management/v1/projects/{projectId}';

export const webhooks = {
  name: 'webhooks',
  owns: "endpoints, deliveries, the project's signing token",
  topics: { endpoint: topic('webhooks', 'endpoint') },
  routes: [
    ...ofFeature('webhooks', [
      management(`POST ${project}/webhooks`),
      management(`GET ${project}/webhooks`),
      management(`GET ${project}/webhooks/{webhookId}`),
      management(`PUT ${project}/webhooks/{webhookId}`),
      management(`DELETE ${project}/webhooks/{webhookId}`),
      management(`GET ${project}/webhook-sendouts`),
      management(`GET ${project}/webhook-sendouts/{sendoutId}`),
      management(`POST ${project}/webhook-sendouts/{sendoutId}/retry`),
      management(`POST ${project}/webhook-token/rotate`, { secret: true, passwordAgain: true }),
    ]),
  ],
} as const satisfies RegisteredContext;
