import { waitUntil } from '@scrip/testing';
import type { DocumentedCaller } from './documented-caller.fixture';

export const askExports = async ({ send }: DocumentedCaller): Promise<void> => {
  const { answer: made } = await send('POST', '/v1/exports', {
    body: { exported_object: 'customer', parameters: { fields: ['id', 'name'], order: 'created_at' } },
  });
  const parameters = { exportId: made.id as string };
  await send('POST', '/v1/orders/export', { body: {} });
  await send('GET', '/v1/exports');
  await waitUntil(
    async () => (await send('GET', '/v1/exports/{exportId}', { parameters })).answer.status === 'DONE',
    { what: 'the file' },
  );
  await send('DELETE', '/v1/exports/{exportId}', { parameters });
};
