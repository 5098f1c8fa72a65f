import { waitUntil } from '@scrip/testing';
import type { DocumentedCaller, Json } from './documented-caller.fixture';

/** Asks of an endpoint before and after `work`, whose webhooks it gets. */
export const askWebhooks = async ({ send }: DocumentedCaller, work: () => Promise<void>): Promise<void> => {
  const hooks = '/management/v1/projects/{projectId}/webhooks';
  const { answer: webhook } = await send('POST', hooks, {
    body: {
      target_url: 'https://127.0.0.1:1/hooks',
      events: ['redemption.succeeded'],
      headers: { 'x-till': '3' },
    },
  });
  const named = { webhookId: webhook.id as string };
  await send('PUT', `${hooks}/{webhookId}`, {
    parameters: named,
    body: { target_url: webhook.target_url, events: ['*'], active: true },
  });
  await send('GET', `${hooks}/{webhookId}`, { parameters: named });
  await send('GET', hooks);

  await work();

  const log = '/management/v1/projects/{projectId}/webhook-sendouts';
  await waitUntil(
    async () =>
      ((await send('GET', log, { query: '?limit=3' })).answer.data as Json[]).some(
        ({ attempts_count: count }) => count > 0,
      ),
    { what: 'a delivery' },
  );
  const { answer: sendouts } = await send('GET', log, { query: '?limit=1' });
  const sendoutId = (sendouts.data as Json[])[0]!.id as string;
  await send('GET', `${log}/{sendoutId}`, { parameters: { sendoutId } });
  // Refused while it is being delivered.
  const retry = () => send('POST', `${log}/{sendoutId}/retry`, { parameters: { sendoutId } });
  await waitUntil(async () => (await retry()).status === 202, { what: 'a retry between two attempts' });
  await send('POST', '/management/v1/projects/{projectId}/webhook-token/rotate', {
    body: { grace_period_hours: 1 },
  });
  await send('DELETE', `${hooks}/{webhookId}`, { parameters: named });
};
