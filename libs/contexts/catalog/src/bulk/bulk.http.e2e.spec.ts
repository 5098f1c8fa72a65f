import { sharedScrip, type SharedScrip, taskEnds } from '@scrip/testing';

describe('products in bulk over HTTP', () => {
  let scrip: SharedScrip;

  beforeAll(async () => {
    scrip = await sharedScrip();
  }, 240_000);

  const product = (sourceId: string) =>
    scrip.ask<any>('GET', `/v1/products/${encodeURIComponent(sourceId)}?hide=sku`);
  const order = async (path: string, body: unknown): Promise<any> => {
    const answer = await scrip.call('POST', path, body as object);
    expect([answer.status, answer.body]).toEqual([202, { async_action_id: expect.stringMatching(/^aa_p/) }]);
    const { async_action_id } = answer.body as { async_action_id: string };
    return taskEnds(scrip, async_action_id);
  };

  it('creates and changes products, each in the order of the list, and reports on each', async () => {
    const single = await scrip.ask<any>('POST', '/v1/products', {
      source_id: 'bulk-1',
      name: 'One',
      metadata: { a: 1 },
    });
    const task = await order('/v1/products/bulk/async', [
      { source_id: 'bulk-1', price: 5, metadata: { b: 2 } },
      { source_id: 'bulk-2', name: 'Two', attributes: ['color'] },
      { source_id: 'bulk-2', price: 7 },
      { source_id: 'bulk-1', price: 5 },
    ]);
    expect(task).toMatchObject({
      type: 'PRODUCTS.BULK_UPDATE',
      status: 'DONE',
      operation_status: 'SUCCESS',
      progress: 100,
      result: { done_count: 4, failed_count: 0, errors: [], reports_available_till: expect.any(String) },
    });
    expect(await product('bulk-1')).toMatchObject({
      id: single.id,
      name: 'One',
      price: 5,
      metadata: { a: 1, b: 2 },
    });
    expect(await product('bulk-2')).toMatchObject({ name: 'Two', price: 7, attributes: ['color'] });
    const report = await fetch(task.result.reports[0]);
    expect(await report.text()).toBe(
      'source_id,found,updated,error\r\nbulk-1,true,true,\r\nbulk-2,false,true,\r\nbulk-2,true,true,\r\nbulk-1,true,false,\r\n',
    );
  });

  it('drops the values of attributes that a product no longer declares', async () => {
    await scrip.ask('POST', '/v1/products', { source_id: 'declares', attributes: ['color', 'size'] });
    await scrip.ask('POST', '/v1/products/declares/skus', {
      source_id: 'declared',
      attributes: { color: 'red', size: 'L' },
    });
    await order('/v1/products/bulk/async', [{ source_id: 'declares', attributes: ['size'] }]);
    expect(await scrip.ask('GET', '/v1/skus/declared')).toMatchObject({ attributes: { size: 'L' } });
  });

  it('merges metadata into products, and creates those that are missing', async () => {
    await scrip.ask('POST', '/v1/products', { source_id: 'meta-1', metadata: { a: 1, kept: true } });
    const task = await order('/v1/products/metadata/async', {
      source_ids: ['meta-1', 'meta-2'],
      metadata: { a: 2 },
    });
    expect(task).toMatchObject({
      type: 'PRODUCTS.METADATA_UPDATE',
      result: { done_count: 2, failed_count: 0 },
    });
    expect((await product('meta-1')).metadata).toEqual({ a: 2, kept: true });
    expect((await product('meta-2')).metadata).toEqual({ a: 2 });
  });

  it('tells of those that fail, while the others succeed', async () => {
    await scrip.ask('POST', '/v1/products', { source_id: 'named', name: 'Taken' });
    await scrip.ask('POST', '/v1/products', { source_id: 'in the bin' });
    await scrip.call('DELETE', '/v1/products/in%20the%20bin');
    const { result } = await order('/v1/products/bulk/async', [
      { source_id: 'twin', name: 'Taken' },
      { source_id: 'in the bin', price: 1 },
      { source_id: 'prod_5h1pp1ng', price: 1 },
      { source_id: 'named', name: 'Free again' },
      { source_id: 'heir', name: 'Taken' },
    ]);
    expect(result).toMatchObject({ done_count: 2, failed_count: 3 });
    expect(result.errors.map(({ key, details }: any) => [key, details])).toEqual([
      ['duplicate_found', 'Duplicated product exists with name Taken'],
      [
        'duplicate_found',
        expect.stringMatching(
          /^Duplicated product exists with source_id in the bin\. It lies in the trash bin: GET /,
        ),
      ],
      ['resource_protected', 'Cannot change product with id prod_5h1pp1ng: every project has it'],
    ]);
    expect(await product('heir')).toMatchObject({ name: 'Taken' });
  });

  test.each<[string, unknown, string]>([
    ['/v1/products/bulk/async', {}, 'Payload must be array'],
    ['/v1/products/bulk/async', [], 'Payload should NOT have fewer than 1 items'],
    ['/v1/products/bulk/async', [{ name: 'x' }], "Property [0] must have required property 'source_id'"],
    ['/v1/products/bulk/async', [{ source_id: 'a', price: -1 }], 'Property [0].price must be >= 0'],
    ['/v1/products/metadata/async', { metadata: {} }, "Payload must have required property 'source_ids'"],
    ['/v1/products/metadata/async', { source_ids: ['a'] }, "Payload must have required property 'metadata'"],
  ])('%s refuses %j', async (path, body, details) => {
    expect(await scrip.call('POST', path, body as object)).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details },
    });
  });
});
