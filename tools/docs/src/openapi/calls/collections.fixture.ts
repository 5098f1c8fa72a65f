import type { DocumentedCaller } from './documented-caller.fixture';

export const askCollections = async ({ send }: DocumentedCaller): Promise<void> => {
  const [all, one] = ['/v1/product-collections', '/v1/product-collections/{productCollectionId}'];
  const filter = { junction: 'and', price: { conditions: { $less_than: [1_000] } } };
  const { answer: collection } = await send('POST', all, {
    body: { name: 'Below ten', type: 'AUTO_UPDATE', filter },
  });
  const parameters = { productCollectionId: collection.id as string };
  await send('POST', all, { body: { name: 'Two', type: 'STATIC', products: [] } });
  await send('PUT', one, { parameters, body: { name: 'Less than ten', filter } });
  await send('GET', all);
  await send('GET', one, { parameters });
  await send('GET', `${one}/products`, { parameters });
  await send('DELETE', one, { parameters });
};
