import type { DocumentedCaller } from './documented-caller.fixture';

export const askSegments = async ({ send }: DocumentedCaller): Promise<void> => {
  const { answer: segment } = await send('POST', '/v1/segments', {
    body: { name: 'Londoners', type: 'passive', filter: { city: { conditions: { $is: ['London'] } } } },
  });
  const { answer: fixed } = await send('POST', '/v1/segments', { body: { name: 'Fixed', customers: [] } });
  const segmentId = segment.id as string;
  await send('PUT', '/v1/segments/{segmentId}', { parameters: { segmentId }, body: { name: 'Of London' } });
  await send('GET', '/v1/segments/{segmentId}', { parameters: { segmentId } });
  await send('GET', '/v1/segments/{segmentId}/activities', { parameters: { segmentId } });
  await send('GET', '/v1/segments', {
    query: `?ids[]=${segmentId}&filters[type][conditions][$is]=passive`,
  });
  await send('GET', '/v1/customers/{customerId}/segments', { parameters: { customerId: 'ada' } });
  await send('DELETE', '/v1/segments/{segmentId}', { parameters: { segmentId: fixed.id as string } });
};
