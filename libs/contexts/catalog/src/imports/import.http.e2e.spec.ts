import { sharedScrip, type SharedScrip, taskEnds } from '@scrip/testing';

describe('files of products over HTTP', () => {
  let scrip: SharedScrip;

  beforeAll(async () => {
    scrip = await sharedScrip();
  }, 240_000);

  const product = (name: string) => scrip.ask<any>('GET', `/v1/products/${name}`);
  const imported = async (lines: readonly string[], fields: Record<string, string> = {}): Promise<any> => {
    const answer = await scrip.upload('/v1/products/importCSV', `${lines.join('\n')}\n`, fields);
    expect([answer.status, answer.body]).toEqual([200, { async_action_id: expect.stringMatching(/^aa_p/) }]);
    return taskEnds(scrip, answer.body.async_action_id);
  };

  it('create products with prices in major units, and change the names only of those that are there', async () => {
    await scrip.ask('POST', '/v1/products', {
      source_id: 'csv-1',
      name: 'Old',
      price: 100,
      metadata: { kept: 1 },
    });
    const task = await imported([
      'name,source_id,price,attributes,image_url,genre',
      'New,csv-1,99.99,,,other',
      'Engine,csv-2,14.5,"binding, language",https://example.com/a.png,classic',
      'Nameless,,0.07,,,',
    ]);
    expect(task).toMatchObject({
      type: 'PRODUCTS.IMPORT_CSV',
      status: 'DONE',
      result: { message: '3 product(s) imported successfully, 0 failed.', failed: [] },
    });
    expect(await product('csv-1')).toMatchObject({ name: 'New', price: 100, metadata: { kept: 1 } });
    expect(await product('csv-2')).toMatchObject({
      name: 'Engine',
      price: 1_450,
      attributes: ['binding', 'language'],
      image_url: 'https://example.com/a.png',
      metadata: { genre: 'classic' },
    });
    const { products } = await scrip.ask<any>('GET', '/v1/products?limit=100');
    expect(products.find(({ name }: any) => name === 'Nameless')).toMatchObject({
      source_id: null,
      price: 7,
    });
  });

  it('tell which rows failed, and why', async () => {
    const task = await imported([
      'name,source_id,price,image_url',
      'Row one,fail-1,1.005,',
      ',fail-2,1,',
      'Row three,fail-3,1,http://example.com/a.png',
      'Row four,fail-4,1,',
      'Row four,fail-5,1,',
    ]);
    expect(task.result.message).toBe('1 product(s) imported successfully, 4 failed.');
    expect(task.result.failed).toEqual([
      {
        source_id: 'fail-1',
        row: 1,
        reason: 'Property .price must be an amount with up to two decimals, such as 14.50',
      },
      { source_id: 'fail-2', row: 2, reason: 'name is required' },
      { source_id: 'fail-3', row: 3, reason: expect.stringMatching(/^Property \.image_url /) },
      { source_id: 'fail-5', row: 5, reason: 'Duplicated product exists with name Row four' },
    ]);
  });

  it('may be tried, and are refused without their names', async () => {
    const task = await imported(['name,source_id', 'Tried,tried-1'], { dry_run: 'true' });
    expect(task.result.message).toBe('Dry run: 1 product(s) can be imported, 0 cannot.');
    expect((await scrip.call('GET', '/v1/products/tried-1')).status).toBe(404);
    expect(await scrip.upload('/v1/products/importCSV', 'source_id\na\n')).toMatchObject({
      status: 400,
      body: { details: 'Property .file must have the column name' },
    });
  });
});
