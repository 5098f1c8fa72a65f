import { sharedScrip, type SharedScrip, taskEnds, waitUntil } from '@scrip/testing';

const discount = { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } };

describe('imports into campaigns over HTTP', () => {
  let scrip: SharedScrip;

  beforeAll(async () => {
    scrip = await sharedScrip();
  }, 240_000);

  const campaign = (name: string, fields: object = {}) =>
    scrip.ask<any>('POST', '/v1/campaigns', {
      name,
      campaign_type: 'DISCOUNT_COUPONS',
      voucher: discount,
      ...fields,
    });
  const voucher = (code: string) => scrip.ask<any>('GET', `/v1/vouchers/${encodeURIComponent(code)}`);

  const ended = (id: string) => taskEnds(scrip, id);

  const imported = async (name: string, items: unknown): Promise<any> => {
    const answer = await scrip.call('POST', `/v1/campaigns/${name}/import`, items as object);
    expect([answer.status, answer.body]).toEqual([202, { async_action_id: expect.stringMatching(/^aa_c/) }]);
    return ended((answer.body as { async_action_id: string }).async_action_id);
  };

  it('bring codes that inherit what the campaign says, or have what they say themselves', async () => {
    const { id } = await campaign('import-1', {
      category: 'Inherited',
      metadata: { season: 'spring', old: true },
      expiration_date: '2099-12-31',
      voucher: { ...discount, redemption: { quantity: 3 } },
    });
    const task = await imported(id, [
      { code: 'plain-1' },
      {
        code: 'own/1 %',
        active: false,
        category: 'Own',
        metadata: { old: false, shop: 'Rome' },
        redemption: { quantity: 7 },
        additional_info: 'from paper',
        start_date: '2030-01-01T10',
        expiration_date: '2030-02-01',
      },
    ]);
    expect(task).toMatchObject({
      type: 'CAMPAIGN.VOUCHERS_IMPORT',
      status: 'DONE',
      operation_status: 'SUCCESS',
      progress: 100,
      result: {
        message: '2 voucher(s) imported successfully, 0 failed.',
        done_count: 2,
        failed_count: 0,
        failed: [],
      },
    });
    expect(await voucher('plain-1')).toMatchObject({
      campaign_id: id,
      campaign: 'import-1',
      category: 'Inherited',
      active: true,
      metadata: { season: 'spring', old: true },
      redemption: { quantity: 3, redeemed_quantity: 0 },
      expiration_date: '2099-12-31T00:00:00.000Z',
      discount: { type: 'PERCENT', percent_off: 10 },
      updated_at: null,
    });
    expect(await voucher('own/1 %')).toMatchObject({
      campaign_id: id,
      category: 'Own',
      active: false,
      additional_info: 'from paper',
      metadata: { season: 'spring', old: false, shop: 'Rome' },
      redemption: { quantity: 7, redeemed_quantity: 0 },
      start_date: '2030-01-01T10:00:00.000Z',
      expiration_date: '2030-02-01T00:00:00.000Z',
      updated_at: null,
    });
    expect((await scrip.ask<any>('GET', '/v1/campaigns/import-1')).vouchers_count).toBe(2);
    const { vouchers } = await scrip.ask<any>('GET', '/v1/vouchers?category=Own');
    expect(vouchers.map(({ code }: any) => code)).toEqual(['own/1 %']);
  });

  it('take the categories of rows by name or id, and create a name once', async () => {
    await campaign('import-2');
    await imported('import-2', [
      { code: 'cat-1', category: 'New one' },
      { code: 'cat-2', category: 'New one' },
    ]);
    const [one, two] = [await voucher('cat-1'), await voucher('cat-2')];
    expect(one.category_id).toMatch(/^cat_/);
    expect(two.category_id).toBe(one.category_id);
    await imported('import-2', [{ code: 'cat-3', category: one.category_id }]);
    expect(await voucher('cat-3')).toMatchObject({ category: 'New one', category_id: one.category_id });
  });

  it('fail row by row later, and tell which and why', async () => {
    await campaign('import-3', { start_date: '2030-01-01' });
    const task = await imported('import-3', [
      { code: 'rows-1' },
      { code: 'rows-2', expiration_date: '2029-12-31' },
    ]);
    expect(task).toMatchObject({
      status: 'DONE',
      operation_status: 'SUCCESS',
      result: {
        message: '1 voucher(s) imported successfully, 1 failed.',
        done_count: 1,
        failed_count: 1,
        failed: [
          {
            code: 'rows-2',
            reason: 'Property .expiration_date must not be before .start_date (2030-01-01T00:00:00.000Z)',
          },
        ],
      },
    });
    expect((await scrip.call('GET', '/v1/vouchers/rows-2')).status).toBe(404);
    expect((await scrip.ask<any>('GET', '/v1/campaigns/import-3')).vouchers_count).toBe(1);
  });

  it('follow the schema of vouchers', async () => {
    const project = await sharedScrip();
    await project.ask('POST', '/v1/metadata-schemas', {
      related_object: 'voucher',
      properties: { shop: { type: 'string', optional: false } },
    });
    await project.ask('POST', '/v1/campaigns', {
      name: 'typed',
      campaign_type: 'DISCOUNT_COUPONS',
      voucher: discount,
      metadata: { shop: 'Rome' },
    });
    const { async_action_id } = await project.ask<any>('POST', '/v1/campaigns/typed/import', [
      { code: 'typed-1' },
      { code: 'typed-2', metadata: { shop: 1 } },
    ]);
    let task: any;
    await waitUntil(
      async () =>
        (task = await project.ask<any>('GET', `/v1/async-actions/${async_action_id}`)).status === 'DONE',
      { what: 'the end of the import', timeoutMs: 60_000 },
    );
    expect(task.result.failed).toEqual([
      { code: 'typed-2', reason: "shop: must be a string, property is required (actual value is '1')" },
    ]);
    expect((await project.ask<any>('GET', '/v1/vouchers/typed-1')).metadata).toEqual({ shop: 'Rome' });
  });

  it('are told on the campaign once, as added codes', async () => {
    await campaign('import-4');
    const { id } = await imported('import-4', [{ code: 'told-1' }, { code: 'told-2' }]);
    expect(await ended(id)).toMatchObject({ result: { done_count: 2 } });
    await imported('import-4', [{ code: 'told-3' }]);
    expect((await scrip.ask<any>('GET', '/v1/campaigns/import-4')).vouchers_count).toBe(3);
  });

  describe('are refused as a whole', () => {
    beforeAll(async () => {
      await campaign('import-5');
      await scrip.ask('POST', '/v1/campaigns/import-5/vouchers/taken', {});
      await campaign('generic', { type: 'STANDALONE', voucher: { ...discount, code: 'GENERIC' } });
    });

    test.each<[string, string, unknown, object]>([
      [
        'codes are missing',
        'import-5',
        [{ code: 'a' }, {}, { code: null }],
        {
          key: 'invalid_voucher',
          message: 'Invalid Voucher',
          details: "Found 2 voucher(s) without 'code' value",
        },
      ],
      [
        'codes exist or repeat',
        'import-5',
        [{ code: 'taken' }, { code: 'b' }, { code: 'b' }],
        {
          key: 'duplicate_key',
          message: 'Duplicate codes',
          details: '2 voucher codes(s) already exist. taken, b',
        },
      ],
      [
        'many repeat',
        'import-5',
        ['r', 's', 't', 'u', 'v', 'w', 'x'].flatMap((code) => [{ code }, { code }]),
        { key: 'duplicate_key', details: '7 voucher codes(s) already exist. r, s, t, u, v and 2 more' },
      ],
      [
        'the body is no list',
        'import-5',
        { code: 'a' },
        { key: 'invalid_payload', details: 'Payload should be array' },
      ],
      [
        'the list is empty',
        'import-5',
        [],
        { key: 'invalid_payload', details: 'Payload should NOT have fewer than 1 items' },
      ],
      [
        'an item is none',
        'import-5',
        [{ code: 'c' }, 'd'],
        { key: 'invalid_payload', details: 'Property [1] should be object' },
      ],
      [
        'a field has another type',
        'import-5',
        [{ code: 'c' }, { code: 'd', redemption: { quantity: 'x' } }],
        { key: 'invalid_payload', details: 'Property [1].redemption.quantity should be number,null' },
      ],
      [
        'an item is of another kind',
        'import-5',
        [{ code: 'c', type: 'GIFT_VOUCHER' }],
        { key: 'invalid_payload', details: 'Property [0].type should be DISCOUNT_VOUCHER' },
      ],
      [
        'the campaign has one generic code',
        'generic',
        [{ code: 'c' }],
        { key: 'invalid_campaign', details: 'You can not import vouchers to STANDALONE type campaign.' },
      ],
      [
        'there is no such campaign',
        'unknown',
        [{ code: 'c' }],
        { key: 'not_found', details: 'Cannot find campaign with id unknown' },
      ],
    ])('where %s', async (_, name, items, body) => {
      const answer = await scrip.call('POST', `/v1/campaigns/${name}/import`, items as object);
      expect(answer).toMatchObject({ status: 'key' in body && body.key === 'not_found' ? 404 : 400, body });
      for (const code of ['a', 'b', 'c', 'd'])
        expect((await scrip.call('GET', `/v1/vouchers/${code}`)).status).toBe(404);
    });
  });
});
