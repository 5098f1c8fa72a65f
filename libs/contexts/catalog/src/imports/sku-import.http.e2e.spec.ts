import { sharedScrip, type SharedScrip, taskEnds, waitUntil } from '@scrip/testing';

describe('files of SKUs over HTTP', () => {
  let scrip: SharedScrip;

  beforeAll(async () => {
    scrip = await sharedScrip();
    for (const source_id of ['shirt', 'hat'])
      await scrip.ask('POST', '/v1/products', { source_id, attributes: ['color', 'size'] });
  }, 240_000);

  const sku = (name: string) => scrip.ask<any>('GET', `/v1/skus/${name}`);
  const imported = async (lines: readonly string[], fields: Record<string, string> = {}): Promise<any> => {
    const answer = await scrip.upload('/v1/skus/importCSV', `${lines.join('\n')}\n`, fields);
    expect([answer.status, answer.body]).toEqual([200, { async_action_id: expect.stringMatching(/^aa_p/) }]);
    return taskEnds(scrip, answer.body.async_action_id);
  };

  it('create SKUs of products named by id or source id, and change name and price of those that are there', async () => {
    const { id } = await scrip.ask<any>('GET', '/v1/products/shirt');
    await scrip.ask('POST', '/v1/products/shirt/skus', {
      source_id: 'csv-1',
      sku: 'Old',
      price: 100,
      attributes: { color: 'red' },
      metadata: { kept: 1 },
    });
    const task = await imported([
      'product_id,source_id,sku,price,attributes,image_url,stock',
      `shirt,csv-1,New,99.99,{'color':'blue'},https://example.com/a.png,3`,
      `${id},csv-2,Blue,14.5,"{'color':'blue','size':'M'}",https://example.com/a.png,3`,
      'hat,csv-3,Blue,,,,',
    ]);
    expect(task).toMatchObject({
      type: 'SKUS.IMPORT_CSV',
      status: 'DONE',
      result: { message: '3 sku(s) imported successfully, 0 failed.', failed: [] },
    });
    expect(await sku('csv-1')).toMatchObject({
      sku: 'New',
      price: 9_999,
      attributes: { color: 'red' },
      image_url: null,
      metadata: { kept: 1 },
    });
    expect(await sku('csv-2')).toMatchObject({
      product_id: id,
      sku: 'Blue',
      price: 1_450,
      attributes: { color: 'blue', size: 'M' },
      image_url: 'https://example.com/a.png',
      metadata: { stock: '3' },
    });
    expect(await sku('csv-3')).toMatchObject({ sku: 'Blue', price: null, attributes: {}, metadata: {} });
  });

  it('tell which rows failed, by their number, and why', async () => {
    const taken = await scrip.ask<any>('POST', '/v1/products/hat/skus', { source_id: 'taken' });
    const gone = await scrip.ask<any>('POST', '/v1/products/hat/skus', { source_id: 'binned' });
    expect((await scrip.call('DELETE', `/v1/products/hat/skus/${gone.id}`)).status).toBe(204);
    const hat = await scrip.ask<any>('GET', '/v1/products/hat');
    const shirt = await scrip.ask<any>('GET', '/v1/products/shirt');
    const task = await imported([
      'product_id,source_id,sku,price,attributes',
      'unknown,fail-1,,,',
      ',fail-2,,,',
      'shirt,,,,',
      'shirt,fail-4,,1.005,',
      `shirt,fail-5,,,{'weight':'1'}`,
      'shirt,fail-6,,,blue',
      'shirt,taken,,,',
      'hat,binned,,,',
      'shirt,good,Name,,',
      'shirt,fail-10,Name,,',
      'prod_5h1pp1ng,fail-11,,,',
      'shirt,fail-12',
    ]);
    expect(task.result.message).toBe('1 sku(s) imported successfully, 11 failed.');
    expect(task.result.failed).toEqual([
      { row: 1, reason: 'Cannot find product with id unknown' },
      { row: 2, reason: 'product_id is required' },
      { row: 3, reason: 'source_id is required' },
      { row: 4, reason: 'Property .price must be an amount with up to two decimals, such as 14.50' },
      {
        row: 5,
        reason: `Attribute weight is not declared in the attributes of product ${shirt.id}`,
      },
      { row: 6, reason: "Property .attributes must be an object, such as {'color':'blue'}" },
      { row: 7, reason: `Resource sku with id ${taken.id} is in use by products with ids [${hat.id}]` },
      {
        row: 8,
        reason: expect.stringMatching(
          /^Duplicated sku exists with source_id binned\. It lies in the trash bin: GET /,
        ) as string,
      },
      { row: 10, reason: 'Duplicated sku exists with sku Name' },
      { row: 11, reason: 'Cannot change product with id prod_5h1pp1ng: every project has it' },
      { row: 12, reason: 'The row has another number of cells (2) than the header (5)' },
    ]);
  });

  it('let names go from one SKU to another, and a later row stand above an earlier one', async () => {
    for (const [source_id, name] of [
      ['swap-1', 'One'],
      ['swap-2', 'Two'],
    ])
      await scrip.ask('POST', '/v1/products/shirt/skus', { source_id, sku: name });
    const task = await imported([
      'product_id,source_id,sku,price',
      'shirt,swap-1,Three,',
      'shirt,swap-2,One,',
      'shirt,twice,First,1',
      'shirt,twice,Second,',
    ]);
    expect(task.result).toMatchObject({ done_count: 4, failed_count: 0 });
    expect([await sku('swap-1'), await sku('swap-2'), await sku('twice')]).toMatchObject([
      { sku: 'Three' },
      { sku: 'One' },
      { sku: 'Second', price: 100 },
    ]);
  });

  it('may be tried, have the columns that the caller says, and are refused without those they need', async () => {
    const task = await imported(['Product,Number,Remarks', 'shirt,tried-1,x'], {
      dry_run: 'true',
      mapping: JSON.stringify({ Product: 'product_id', Number: 'source_id', Remarks: null }),
    });
    expect(task.result.message).toBe('Dry run: 1 sku(s) can be imported, 0 cannot.');
    expect((await scrip.call('GET', '/v1/skus/tried-1')).status).toBe(404);
    for (const [header, missing] of [
      ['source_id', 'product_id'],
      ['product_id', 'source_id'],
    ])
      expect(await scrip.upload('/v1/skus/importCSV', `${header}\na\n`)).toMatchObject({
        status: 400,
        body: { details: `Property .file must have the column ${missing}` },
      });
  });

  it('follow the schema of products', async () => {
    const project = await sharedScrip();
    await project.ask('POST', '/v1/products', { source_id: 'cup' });
    await project.ask('POST', '/v1/metadata-schemas', {
      related_object: 'product',
      properties: { stock: { type: 'number', optional: true, gte: 0 } },
    });
    const { body } = await project.upload(
      '/v1/skus/importCSV',
      'product_id,source_id,stock\ncup,cup-1,12\ncup,cup-2,-1\n',
    );
    await waitUntil(
      async () =>
        (await project.ask<any>('GET', `/v1/async-actions/${body.async_action_id}`)).status === 'DONE',
      { what: 'the end of the import', timeoutMs: 60_000 },
    );
    expect((await project.ask<any>('GET', '/v1/skus/cup-1')).metadata).toEqual({ stock: 12 });
    expect((await project.call('GET', '/v1/skus/cup-2')).status).toBe(404);
  });
});
