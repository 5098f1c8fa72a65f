import type { DocumentedCaller } from './documented-caller.fixture';

export const askProducts = async ({ send }: DocumentedCaller): Promise<void> => {
  const [one, skus] = ['/v1/products/{productId}', '/v1/products/{productId}/skus'];
  const { answer: product } = await send('POST', '/v1/products', {
    body: { name: 'One', attributes: ['color'], metadata: { a: 1 } },
  });
  const parameters = { productId: product.id as string };
  await send('PUT', one, { parameters, body: { price: 5, image_url: 'https://shop.example.com/a.png' } });
  const { answer: sku } = await send('POST', skus, {
    parameters,
    body: { source_id: 'described', sku: 'Blue', attributes: { color: 'blue' } },
  });
  const ofSku = { ...parameters, skuId: sku.id as string };
  await send('PUT', `${skus}/{skuId}`, { parameters: ofSku, body: { price: 6, currency: 'EUR' } });
  await send('PUT', `${skus}/{skuId}`, { parameters: ofSku, body: { attributes: { size: 'M' } } });
  await send('GET', '/v1/products', { query: '?limit=5' });
  await send('GET', skus, { parameters });
  await send('GET', '/v1/skus/{skuId}', { parameters: { skuId: 'described' } });
  await send('GET', one, { parameters });
  await send('GET', one, { parameters, query: '?hide=sku' });
  await send('DELETE', `${skus}/{skuId}`, { parameters: ofSku });
  const { answer: bin } = await send('GET', '/v1/trash-bin', {
    query: '?filters[resource_type][conditions][$is]=sku',
  });
  const entries = bin.data as { id: string }[];
  await send('DELETE', '/v1/trash-bin/{binEntryId}', { parameters: { binEntryId: entries[0]!.id } });
  await send('DELETE', one, { parameters, query: '?force=true' });
  await send('GET', one, { parameters });
  await send('POST', '/v1/products/bulk/async', { body: [{ source_id: 'many', name: 'Many' }] });
  await send('POST', '/v1/products/metadata/async', { body: { source_ids: ['many'], metadata: { b: 2 } } });
  await send('POST', '/v1/products/importCSV', { body: { file: 'name,source_id\nOf a file,of-a-file\n' } });
  await send('POST', '/v1/skus/importCSV', { body: { file: 'product_id,source_id\nmany,sku-of-a-file\n' } });
};
