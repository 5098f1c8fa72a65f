import { type ScripAnswer, type SharedScrip, sharedScrip, waitUntil } from '@scrip/testing';

describe('exports over HTTP', () => {
  let scrip: SharedScrip;

  beforeAll(async () => {
    scrip = await sharedScrip();
  }, 240_000);

  const order = (exported_object: string, parameters: object = {}): Promise<ScripAnswer> =>
    scrip.call('POST', '/v1/exports', { exported_object, parameters });
  const ended = async (id: string): Promise<any> => {
    let found: any;
    await waitUntil(
      async () => {
        found = (await scrip.call('GET', `/v1/exports/${id}`)).body;
        return found.status === 'DONE' || found.status === 'ERROR';
      },
      { what: `the end of ${id}` },
    );
    return found;
  };
  const exported = async (kind: string, parameters: object = {}): Promise<any> => {
    const { status, body } = await order(kind, parameters);
    expect([status, body]).toMatchObject([200, { status: 'SCHEDULED', result: null }]);
    return ended(body.id);
  };
  const fileOf = async (kind: string, parameters: object = {}): Promise<string> => {
    const { status, result } = await exported(kind, parameters);
    expect(status).toBe('DONE');
    return (await fetch(result.url)).text();
  };

  describe('of orders', () => {
    let ids: string[];

    beforeAll(async () => {
      ids = [];
      for (const [source_id, amount, channel] of [
        ['o-1', 1_000, 'web'],
        ['o-2', 2_500, '=1+1'],
        ['o-3', 700, 'shop, "old"'],
      ]) {
        const { id } = await scrip.ask<{ id: string }>('POST', '/v1/orders', {
          source_id,
          amount,
          status: source_id === 'o-2' ? 'PAID' : 'CREATED',
          metadata: { channel, nested: { deep: source_id } },
        });
        ids.push(id);
      }
    });

    it('have default fields, newest first', async () => {
      expect(await fileOf('order')).toBe(
        `ID,Source ID,Status\r\n${ids[2]},o-3,CREATED\r\n${ids[1]},o-2,PAID\r\n${ids[0]},o-1,CREATED\r\n`,
      );
    });

    it('have the fields, the order and the filters of the call', async () => {
      const file = await fileOf('order', {
        fields: ['source_id', 'amount', 'total_discount_amount', 'metadata.channel', 'metadata.nested.deep'],
        order: 'created_at',
        filters: {
          amount: { conditions: { $more_than: [800] } },
          status: { conditions: { $in: ['PAID', 'CREATED'] } },
        },
      });
      expect(file).toBe(
        "Source ID,Amount,Total Discount Amount,channel,nested.deep\r\no-1,1000,,web,o-1\r\no-2,2500,,'=1+1,o-2\r\n",
      );
    });

    it('take the filter under its other name, and metadata in one column where no keys are defined', async () => {
      const filter = { junction: 'OR', source_id: { conditions: { $is: 'o-3' } } };
      expect(await fileOf('order', { fields: ['source_id', 'metadata'], filter })).toBe(
        `Source ID,Metadata\r\no-3,"{""channel"":""shop, \\""old\\"""",""nested"":{""deep"":""o-3""}}"\r\n`,
      );
    });

    it('are ordered by their shortcut, too', async () => {
      const { status, body } = await scrip.call('POST', '/v1/orders/export', {
        parameters: { fields: ['source_id'], filters: { status: { conditions: { $is: ['PAID'] } } } },
      });
      expect([status, body]).toEqual([
        200,
        {
          id: expect.stringMatching(/^exp_/),
          object: 'export',
          created_at: expect.stringMatching(/Z$/),
          status: 'SCHEDULED',
          channel: 'API',
          exported_object: 'order',
          parameters: {
            order: '-created_at',
            fields: ['source_id'],
            filters: { junction: 'and', status: { conditions: { $is: ['PAID'] } } },
          },
          result: null,
          user_id: scrip.credentials.app_id,
        },
      ]);
      const { result } = await ended(body.id);
      expect(await (await fetch(result.url)).text()).toBe('Source ID\r\no-2\r\n');
    });

    it('are changed by nobody once they are written', async () => {
      const { result } = await exported('order', { fields: ['source_id', 'status'], order: 'created_at' });
      await scrip.ask('PUT', '/v1/orders/o-1', { status: 'CANCELED' });
      expect(await (await fetch(result.url)).text()).toContain('o-1,CREATED');
      expect(await fileOf('order', { fields: ['source_id', 'status'], order: 'created_at' })).toContain(
        'o-1,CANCELED',
      );
    });
  });

  it('name the rules that a voucher obeys: its own, then those of its campaign', async () => {
    const ruleOf = async (name: string) =>
      (await scrip.ask<{ id: string }>('POST', '/v1/validation-rules', { name })).id;
    const [own, second, inherited] = [await ruleOf('Own'), await ruleOf('Second'), await ruleOf('Inherited')];
    const discount = { type: 'PERCENT', percent_off: 10 };
    const campaign = await scrip.ask<{ id: string }>('POST', '/v1/campaigns', {
      name: 'Ruled',
      campaign_type: 'DISCOUNT_COUPONS',
      voucher: { type: 'DISCOUNT_VOUCHER', discount },
      validation_rules: [inherited],
    });
    const validation_rules = [own, second];
    await scrip.ask('POST', `/v1/campaigns/${campaign.id}/vouchers/RULED`, {});
    await scrip.ask('POST', '/v1/vouchers', { code: 'RULED-ALONE', discount, validation_rules });
    const { id } = await scrip.ask<{ id: string }>('GET', '/v1/vouchers/RULED');
    await scrip.ask('POST', `/v1/validation-rules/${own}/assignments`, { related_object_id: id });
    const filters = { code: { conditions: { $in: ['RULED', 'RULED-ALONE'] } } };
    const fields = ['code', 'validation_rules_id'];
    expect(await fileOf('voucher', { fields, filters, order: 'code' })).toBe(
      `Code,Validation Rules ID\r\nRULED,"${own},${inherited}"\r\nRULED-ALONE,"${own},${second}"\r\n`,
    );
  });

  it('finds vouchers by when their first window begins', async () => {
    const discount = { type: 'PERCENT', percent_off: 10 };
    const windows = { validity_timeframe: { interval: 'P1D', duration: 'PT1H' } };
    const start_date = '2026-01-01';
    await scrip.ask('POST', '/v1/vouchers', { code: 'WINDOWS', discount, start_date, ...windows });
    await scrip.ask('POST', '/v1/vouchers', { code: 'NO-WINDOWS', discount, start_date });
    const filters = { validity_timeframe: { conditions: { $before: ['2026-01-02'] } } };
    expect(await fileOf('voucher', { fields: ['code'], filters })).toBe('Code\r\nWINDOWS\r\n');
  });

  it.each([
    ['voucher', { order: '-code' }],
    [
      'redemption',
      { fields: ['id', 'customer_name', 'customer_source_id', 'metadata'], order: 'voucher_code' },
    ],
    ['redemption', { fields: ['id', 'tracking_id'], order: 'tracking_id' }],
    ['customer', { order: 'source_id' }],
    ['product', { order: '-updated_at' }],
    ['redemption', { filters: { status: { conditions: { $is: ['SUCCESS'] } } } }],
    ['sku', { order: 'updated_at' }],
  ])('exports what there is of %s', async (kind, parameters) => {
    const { status, result } = await exported(kind, parameters);
    expect(status).toBe('DONE');
    const response = await fetch(result.url);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect((await response.text()).split('\r\n').length).toBeGreaterThan(1);
  });

  it.each([
    [
      'order',
      { fields: ['id', 'colour'] },
      'invalid_export_fields',
      'Unsupported field used. Allowed fields: id, source_id,',
    ],
    [
      'order',
      { order: 'name' },
      'invalid_payload',
      'Property .parameters.order should be equal to one of the allowed values [ created_at, -created_at,',
    ],
    [
      'customer',
      { order: 'phone' },
      'invalid_payload',
      'Property .parameters.order should be equal to one of the allowed values [ name, -name, id, -id, email, -email,',
    ],
    [
      'order',
      { filters: { colour: { conditions: { $is: 'red' } } } },
      'invalid_payload',
      "Property .parameters.filters has an unknown field 'colour'.",
    ],
    [
      'order',
      { filters: { status: { conditions: { $is: 'LOST' } } } },
      'invalid_payload',
      'Property .parameters.filters.status.conditions.$is should be equal to one of the allowed values',
    ],
    [
      'customer',
      { filters: { name: { conditions: { $after: 'x' } } } },
      'invalid_payload',
      'Property .parameters.filters.name.conditions has an operator',
    ],
    [
      'customer',
      { campaign_id: 'camp_1' },
      'invalid_payload',
      'Property .parameters.campaign_id goes with vouchers only',
    ],
    [
      'api_log',
      {},
      'invalid_payload',
      'Property .exported_object cannot be api_log: this server keeps no log of API calls.',
    ],
    [
      'points_expiration',
      {},
      'invalid_payload',
      'Property .exported_object should be equal to one of the allowed values [ order, voucher,',
    ],
  ])('refuses of %s what it does not have: %p', async (kind, parameters, key, details) => {
    const { status, body } = await order(kind, parameters);
    expect([status, body.key, body.details]).toEqual([400, key, expect.stringContaining(details)]);
    if (key === 'invalid_export_fields') expect(body.message).toBe('Invalid Export');
  });

  describe('as files', () => {
    it('are downloaded with the token alone, from a fresh link each time', async () => {
      const first = await exported('product');
      const second = (await scrip.call('GET', `/v1/exports/${first.id}`)).body;
      expect(second.result.url).not.toBe(first.result.url);
      for (const { result } of [first, second]) {
        const response = await fetch(result.url, {
          headers: { 'X-App-Id': 'wrong', 'X-App-Token': 'wrong' },
        });
        expect([response.status, response.headers.get('content-disposition')]).toEqual([
          200,
          `attachment; filename="${first.id}.csv"`,
        ]);
        expect(await response.text()).toContain('ID,Name,Price,Image URL,Source ID,Attributes,Created At');
      }
    });

    it('are not downloaded with a wrong token, nor with that of another export', async () => {
      const [one, another] = [await exported('product'), await exported('sku')];
      const token = new URL(another.result.url).search;
      for (const search of ['?token=', '?token=wrong', token]) {
        const response = await fetch(`${scrip.origin}/v1/exports/${one.id}${search}`);
        expect([response.status, ((await response.json()) as { key: string }).key]).toEqual([
          401,
          'unauthorized',
        ]);
      }
      expect((await fetch(`${scrip.origin}/v1/exports/${one.id}`)).status).toBe(401);
    });

    it('go with their export', async () => {
      const { id, result } = await exported('product');
      expect((await scrip.call('DELETE', `/v1/exports/${id}`)).status).toBe(204);
      expect((await fetch(result.url)).status).toBe(404);
      for (const method of ['GET', 'DELETE']) {
        const { status, body } = await scrip.call(method, `/v1/exports/${id}`);
        expect([status, body]).toMatchObject([
          404,
          { key: 'not_found', resource_id: id, resource_type: 'export' },
        ]);
      }
    });

    it('are listed by pages', async () => {
      const made = [await exported('sku'), await exported('sku')].map(({ id }) => id as string);
      const page = (query: string) => scrip.ask<any>('GET', `/v1/exports?${query}`);
      const newest = await page('limit=2');
      expect(newest).toMatchObject({ object: 'list', data_ref: 'exports', total: expect.any(Number) });
      expect(newest.exports.map(({ id }: { id: string }) => id)).toEqual([made[1], made[0]]);
      const next = await page('limit=1&page=2');
      expect(next.exports[0].id).toBe(made[0]);
      const byStatus = await page('limit=100&order=status');
      const statuses = byStatus.exports.map(({ status }: { status: string }) => status);
      expect(statuses).toEqual([...statuses].sort());
    });
  });

  it('order customers by name and email, which are sealed: by code points, who has none first, ties by id', async () => {
    const metadata = { team: 'ordered' };
    const ids: Record<string, string> = {};
    for (const [source_id, name, email] of [
      ['small', 'ada', 'c@example.com'],
      ['twin-1', 'Ada', undefined],
      ['other', 'Łukasz', 'B@example.com'],
      ['nameless', undefined, 'a@example.com'],
      ['last', 'Zoe', undefined],
      ['twin-2', 'Ada', 'd@example.com'],
      ['gone', 'Ada', 'a@example.com'],
    ] as [string, string?, string?][]) {
      const { id } = await scrip.ask<{ id: string }>('POST', '/v1/customers', {
        source_id,
        name,
        email,
        metadata,
      });
      ids[source_id] = id;
    }
    await scrip.ask('POST', '/v1/customers', { source_id: 'stranger', name: 'Ada', email: 'a@example.com' });
    await scrip.call('DELETE', '/v1/customers/gone');
    const filters = { 'metadata.team': { conditions: { $is: ['ordered'] } } };
    const sorted = async (order: string): Promise<string[]> => {
      const file = await fileOf('customer', { fields: ['source_id'], order, filters });
      return file.trimEnd().split('\r\n').slice(1);
    };
    const byId = (...names: string[]) => names.sort((one, other) => (ids[one]! < ids[other]! ? -1 : 1));
    const byName = ['nameless', ...byId('twin-1', 'twin-2'), 'last', 'small', 'other'];
    const byEmail = [...byId('twin-1', 'last'), 'other', 'nameless', 'small', 'twin-2'];
    expect(await sorted('name')).toEqual(byName);
    expect(await sorted('-name')).toEqual([...byName].reverse());
    expect(await sorted('email')).toEqual(byEmail);
    expect(await sorted('-email')).toEqual([...byEmail].reverse());
    for (const name of [...byName, 'stranger'])
      expect((await scrip.call('DELETE', `/v1/customers/${name}`)).status).toBe(204);
  });

  it('forget customers that are erased: files that tell of people go, others stay', async () => {
    const ada = await scrip.ask<any>('POST', '/v1/customers', {
      source_id: 'ada',
      name: 'Ada',
      metadata: { vip: true },
    });
    await scrip.ask('POST', '/v1/customers', {
      source_id: 'grace',
      name: 'Grace',
      email: 'grace@example.com',
    });
    const parameters = { fields: ['source_id', 'name', 'email'], order: 'source_id' };
    const people = await exported('customer', parameters);
    const products = await exported('product');
    expect(await (await fetch(people.result.url)).text()).toBe(
      'Source ID,Name,Email\r\nada,Ada,\r\ngrace,Grace,grace@example.com\r\n',
    );
    const filters = { email: { conditions: { $has_value: [true] } } };
    expect(await fileOf('customer', { ...parameters, filters })).toBe(
      'Source ID,Name,Email\r\ngrace,Grace,grace@example.com\r\n',
    );
    await scrip.ask('POST', `/v1/customers/${ada.id}/permanent-deletion`);
    await waitUntil(async () => (await fetch(people.result.url)).status === 404, {
      what: 'the deletion of a file with an erased customer',
    });
    expect((await scrip.call('GET', `/v1/exports/${people.id}`)).status).toBe(404);
    expect((await fetch(products.result.url)).status).toBe(200);
    expect(await fileOf('customer', parameters)).toBe(
      'Source ID,Name,Email\r\ngrace,Grace,grace@example.com\r\n',
    );
  });
});
