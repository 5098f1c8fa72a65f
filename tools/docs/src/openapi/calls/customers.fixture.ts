import type { DocumentedCaller } from './documented-caller.fixture';

export const askCustomers = async ({ send }: DocumentedCaller): Promise<void> => {
  const one = '/v1/customers/{customerId}';
  const { answer } = await send('POST', '/v1/customers', {
    body: {
      source_id: 'described',
      birthdate: '1815-12-10',
      address: { city: 'London' },
      metadata: { a: 1 },
    },
  });
  const parameters = { customerId: answer.id as string };
  await send('PUT', one, { parameters, body: { name: 'Ada', address: null } });
  await send('GET', one, { parameters: { customerId: 'described' } });
  await send('GET', `${one}/activity`, { parameters });
  await send('GET', `${one}/activities`, { parameters });
  await send('GET', '/v1/consents');
  await send('PUT', `${one}/consents`, { parameters, body: { newsletter: true } });
  await send('POST', '/client/v1/customers', { body: { source_id: 'described' } });
  await send('GET', '/client/v1/consents');
  await send('PUT', '/client/v1/customers/{customerId}/consents', { parameters, body: { newsletter: true } });
  await send('GET', '/v1/customers', { query: '?limit=2&order=-updated_at&city=London' });
  await send('DELETE', one, { parameters });
  await send('GET', one, { parameters });
  await send('POST', `${one}/permanent-deletion`, { parameters });
  const body = [{ source_id: 'described', metadata: { a: 1 } }];
  await send('POST', '/v1/customers/bulk/async', { body });
  await send('POST', '/v1/customers/metadata/async', {
    body: { source_ids: ['described'], metadata: { b: 2 } },
  });
  await send('POST', '/v1/customers/importCSV', { body: { file: 'Source_id,Name\nbea,Bea\n' } });
};
