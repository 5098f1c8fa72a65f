import {
  type SharedScrip,
  type WebhookSink,
  campaignOf,
  sharedScrip,
  waitUntil,
  webhookSink,
} from '@scrip/testing';

describe('customers over HTTP', () => {
  let scrip: SharedScrip;
  let sink: WebhookSink;

  beforeAll(async () => {
    scrip = await sharedScrip();
    sink = await webhookSink();
    await scrip.manage('POST', `/management/v1/projects/${scrip.credentials.project_id}/webhooks`, {
      target_url: sink.url,
      events: ['customer.created', 'customer.updated', 'customer.deleted'],
    });
  }, 240_000);
  afterAll(() => sink?.close());

  const upsert = async (body: object) => (await scrip.ask<any>('POST', '/v1/customers', body)) as any;
  const path = (named: string) => `/v1/customers/${encodeURIComponent(named)}`;
  const get = (named: string) => scrip.call('GET', path(named));
  const told = (id: string, count: number) =>
    sink
      .waitFor(count, {
        filter: (webhook) => webhook.json().event.entity_id === id,
        what: `${count} webhooks about ${id}`,
      })
      .then((webhooks) => webhooks.map((webhook) => webhook.json()));
  const refusedWith = (status: number, key: string, details: string) => ({
    status,
    body: { code: status, key, details },
  });

  it('creates a customer with zeroed blocks, and shows it under its id and its source id', async () => {
    const created = await upsert({
      source_id: 'shop / 1',
      name: 'Ada',
      description: 'first',
      email: 'ada@example.com',
      phone: '+44 20',
      birthdate: '1815-12-10T00:00:00Z',
      birthday: '1815-12-11',
      address: { city: 'London', line_1: 'Square 1', line_2: null },
      metadata: { vip: true, nested: { a: 1 } },
    });
    expect(created).toEqual({
      id: expect.stringMatching(/^cust_[0-9a-f]{32}$/),
      source_id: 'shop / 1',
      name: 'Ada',
      description: 'first',
      email: 'ada@example.com',
      phone: '+44 20',
      birthdate: '1815-12-10',
      birthday: '1815-12-11',
      address: { city: 'London', line_1: 'Square 1' },
      summary: {
        redemptions: {
          total_redeemed: 0,
          total_failed: 0,
          total_succeeded: 0,
          total_rolled_back: 0,
          total_rollback_failed: 0,
          total_rollback_succeeded: 0,
          gift: { redeemed_amount: 0, amount_to_go: 0 },
          loyalty_card: { redeemed_points: 0, points_to_go: 0 },
        },
        orders: { total_amount: 0, total_count: 0, average_amount: 0, last_order_amount: 0 },
      },
      loyalty: { points: 0, referred_customers: 0, campaigns: {} },
      referrals: { total: 0, campaigns: [] },
      metadata: { vip: true, nested: { a: 1 } },
      created_at: expect.stringMatching(/Z$/),
      object: 'customer',
    });
    for (const named of [created.id, 'shop / 1']) expect((await get(named)).body).toEqual(created);
  });

  it('changes by id, by source id, or creates: in this order', async () => {
    const first = await upsert({ source_id: 'order-1', name: 'Ada' });
    expect(await upsert({ source_id: 'order-1', email: 'a@example.com' })).toMatchObject({
      id: first.id,
      name: 'Ada',
      email: 'a@example.com',
      updated_at: expect.any(String),
    });
    expect(await upsert({ id: first.id, source_id: 'order-2', phone: '1' })).toMatchObject({
      id: first.id,
      source_id: 'order-1',
      phone: '1',
    });
    expect((await upsert({ name: 'Ada' })).id).not.toBe(first.id);
    expect(
      await scrip.call('POST', '/v1/customers', { id: 'cust_none', source_id: 'order-1' }),
    ).toMatchObject(refusedWith(404, 'not_found', 'Cannot find customer with id cust_none'));
  });

  it('takes the customer of an id before one of that source id', async () => {
    const first = await upsert({ name: 'by id' });
    await upsert({ source_id: first.id, name: 'by source id' });
    expect((await get(first.id)).body.name).toBe('by id');
  });

  it('PUT merges metadata by its top-level keys, replaces an address, clears by null, and never changes a source id', async () => {
    const { id } = await upsert({
      source_id: 'put',
      name: 'Ada',
      address: { city: 'London', country: 'GB' },
      metadata: { a: { x: 1 }, b: 1 },
    });
    const { body } = await scrip.call('PUT', path('put'), {
      source_id: 'other',
      name: null,
      address: { city: 'Paris' },
      metadata: { a: { y: 2 }, c: null },
    });
    expect(body).toMatchObject({
      id,
      source_id: 'put',
      address: { city: 'Paris' },
      metadata: { a: { y: 2 }, b: 1, c: null },
    });
    expect(body).not.toHaveProperty('name');
    expect(body.address).toEqual({ city: 'Paris' });
    expect((await scrip.call('PUT', path(id), {})).body).toEqual(body);
    expect((await get(id)).body).toEqual(body);
  });

  it('DELETE hides a customer and frees its source id', async () => {
    const { id } = await upsert({ source_id: 'leaving', name: 'Ada' });
    expect(await scrip.call('DELETE', path('leaving'))).toMatchObject({ status: 204, body: null });
    for (const named of [id, 'leaving'])
      for (const [method, body] of [['GET'], ['PUT', { name: 'Eve' }], ['DELETE']] as const)
        expect(await scrip.call(method, path(named), body)).toMatchObject(
          refusedWith(404, 'not_found', `Cannot find customer with id ${named}`),
        );
    expect((await scrip.call('POST', '/v1/customers', { id })).status).toBe(404);
    const again = await upsert({ source_id: 'leaving' });
    expect(again.id).not.toBe(id);
    expect(again).not.toHaveProperty('name');
  });

  it.each<[string, object, string]>([
    ['name', { name: 7 }, 'Property .name must be string'],
    ['birthdate', { birthdate: '2026-02-30' }, 'Property .birthdate cannot be recognized as a ISO-8601'],
    ['birthday', { birthday: 'tomorrow' }, 'Property .birthday cannot be recognized as a ISO-8601'],
    ['address', { address: 'London' }, 'Property .address must be object'],
    ['city', { address: { city: [] } }, 'Property .address.city must be string'],
    ['metadata', { metadata: [] }, 'Property .metadata must be object'],
    ['source_id', { source_id: 'x'.repeat(513) }, 'Property .source_id should NOT be longer than 512'],
  ])('refuses a wrong %s', async (_, body, details) => {
    const answer = await scrip.call('POST', '/v1/customers', body);
    expect(answer).toMatchObject({ status: 400, body: { key: 'invalid_payload' } });
    expect(answer.body.details).toContain(details);
  });

  it('refuses what would make a customer too large for its events', async () => {
    const { id } = await upsert({ metadata: { a: 'x'.repeat(60_000) } });
    const answers = [];
    for (const key of ['b', 'c', 'd', 'e'])
      answers.push(await scrip.call('PUT', path(id), { metadata: { [key]: 'x'.repeat(60_000) } }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 400]);
    expect(answers.at(-1)?.body.details).toBe('A customer holds at most 262144 characters of JSON');
    const large = Object.fromEntries(['description', 'name'].map((field) => [field, 'x'.repeat(4_096)]));
    expect((await scrip.call('PUT', path(id), large)).status).toBe(200);
  });

  it('50 simultaneous creations of one source id give one record, and all succeed', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        scrip.call('POST', '/v1/customers', { source_id: 'rush', metadata: { [`key${index}`]: index } }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(Object.keys((await get('rush')).body.metadata)).toHaveLength(50);
  });

  describe('in a list', () => {
    const list = (query: string) => scrip.call('GET', `/v1/customers?${query}`);
    const namesOf = ({ body }: { body: any }) => body.customers.map(({ name }: { name: string }) => name);
    let ids: string[];

    beforeAll(async () => {
      ids = [];
      for (const name of ['L1', 'L2', 'L3', 'L4', 'L5'])
        ids.push((await upsert({ source_id: `list ${name}`, name, address: { city: 'Listed' } })).id);
      await scrip.call('PUT', path(ids[1]!), { email: 'l2@example.com' });
    });

    it('are found by e-mail address, name and city, and say how many there are', async () => {
      const { body } = await list('city=Listed&limit=2');
      expect(body).toMatchObject({ object: 'list', data_ref: 'customers', total: 5, has_more: true });
      expect(namesOf({ body })).toEqual(['L5', 'L4']);
      expect(namesOf(await list('city=Listed&limit=2&page=3'))).toEqual(['L1']);
      expect((await list('city=Listed&limit=2&page=3')).body.has_more).toBe(false);
      expect(namesOf(await list('email=l2%40example.com'))).toEqual(['L2']);
      expect(namesOf(await list('city=Listed&name=L3'))).toEqual(['L3']);
      expect((await list('city=listed')).body).toMatchObject({ customers: [], total: 0, has_more: false });
      expect(body.customers[0]).toEqual((await get(ids[4]!)).body);
    });

    it('come in the order asked for, ties by id', async () => {
      expect(namesOf(await list('city=Listed&order=created_at'))).toEqual(['L1', 'L2', 'L3', 'L4', 'L5']);
      expect(namesOf(await list('city=Listed&order=-updated_at'))).toEqual(['L2', 'L5', 'L4', 'L3', 'L1']);
      expect(namesOf(await list('city=Listed&order=-source_id'))).toEqual(['L5', 'L4', 'L3', 'L2', 'L1']);
    });

    it('are within times, and behind one', async () => {
      const { created_at: third } = (await get(ids[2]!)).body;
      const ofCity = (query: string) => list(`city=Listed&${query}`).then(namesOf);
      expect(await ofCity(`created_at[after]=${third}&order=created_at`)).toEqual(['L4', 'L5']);
      expect(await ofCity(`created_at[before]=${third}`)).toEqual(['L2', 'L1']);
      expect(await ofCity(`[updated_at][before]=${third}&order=created_at`)).toEqual(['L1']);
      expect(await ofCity(`starting_after=${third}`)).toEqual(['L2', 'L1']);
      expect(await ofCity(`starting_after=${third}&order=created_at`)).toEqual(['L4', 'L5']);
    });

    it.each(['created_at', '-created_at', 'updated_at', '-updated_at', 'source_id', '-source_id'])(
      'go on behind a customer in the order %s, each of them once',
      async (order) => {
        const seen: string[] = [];
        for (let after = ''; ;) {
          const { body } = await list(`city=Listed&limit=2&order=${order}${after}`);
          seen.push(...namesOf({ body }));
          expect(body.total).toBe(5);
          if (!body.has_more) break;
          after = `&starting_after_id=${body.customers.at(-1).id}`;
        }
        expect(seen).toEqual(namesOf(await list(`city=Listed&order=${order}`)));
        expect(seen).toHaveLength(5);
      },
    );

    it.each<[string, string]>([
      ['starting_after_id=cust_x', 'Property .starting_after_id names no customer of the list: cust_x'],
      ['starting_after_id=cust_x&page=2', 'Only one of .page and .starting_after_id can be given'],
      [
        'starting_after_id=cust_x&starting_after=2026-01-01',
        'Only one of .starting_after and .starting_after_id can be given',
      ],
      [
        'starting_after=2026-01-01&order=source_id',
        'Property .starting_after cannot go with the order source_id',
      ],
    ])('are refused for %s', async (query, details) => {
      const names = query.startsWith('starting_after_id=cust_x&') ? query.replace('cust_x', ids[0]!) : query;
      expect(await list(names)).toMatchObject(refusedWith(400, 'invalid_query_params', details));
    });

    it('are those of a segment that keeps its customers', async () => {
      const members = { name: 'Listed', type: 'static', customers: [ids[0], ids[2], ids[3]] };
      const { id } = (await scrip.call('POST', '/v1/segments', members)).body;
      expect(namesOf(await list(`segment_id=${id}&order=created_at`))).toEqual(['L1', 'L3', 'L4']);
      expect(namesOf(await list(`segment_id=${id}&order=source_id&limit=2&page=2`))).toEqual(['L4']);
      expect((await list(`segment_id=${id}&name=L3`)).body).toMatchObject({ total: 1, has_more: false });
      expect((await list(`segment_id=seg_none`)).body).toMatchObject({ customers: [], total: 0 });
      const filter = { city: { conditions: { $is: ['Listed'] } } };
      const passive = (await scrip.call('POST', '/v1/segments', { name: 'Passive', filter })).body.id;
      const details = `Property .segment_id names a passive segment, whose customers are not kept: ${passive}`;
      expect(await list(`segment_id=${passive}`)).toMatchObject(
        refusedWith(400, 'invalid_query_params', details),
      );
    });

    it('have 99 pages', async () => {
      expect((await list('page=99')).status).toBe(200);
      expect((await list('page=100')).body.key).toBe('page_over_limit');
    });
  });

  it('shows what it redeemed and ordered', async () => {
    await campaignOf(scrip, 'Summed', 2);
    const code = async (at: number) =>
      ((await scrip.call('GET', '/v1/vouchers?campaign=Summed')).body.vouchers[at] as { code: string }).code;
    const redeem = async (at: number) =>
      scrip.call('POST', '/v1/redemptions', {
        redeemables: [{ object: 'voucher', id: await code(at) }],
        customer: { source_id: 'summed' },
        order: { amount: 1_000 },
      });
    const [first] = [await redeem(0), await redeem(1)];
    expect(first.status).toBe(200);
    await scrip.call('POST', `/v1/redemptions/${first.body.redemptions[0].id}/rollback`);
    const summary = await waitUntil(
      async () => {
        const shown = (await get('summed')).body.summary;
        return shown.redemptions.total_rolled_back === 1 && shown.orders.total_count === 1 && shown;
      },
      { what: 'the summary of the customer' },
    );
    expect(summary).toMatchObject({
      redemptions: { total_succeeded: 2, total_rollback_succeeded: 1 },
      orders: {
        total_amount: 900,
        average_amount: 900,
        last_order_amount: 900,
        last_order_date: expect.any(String),
      },
    });
  });

  it('are created by browsers of a project that allows it, which see nothing that was stored before', async () => {
    const { client_app_id, client_token, project_id } = scrip.credentials;
    const origin = 'https://shop.example.com';
    const headers = { 'X-Client-Application-Id': client_app_id, 'X-Client-Token': client_token, origin };
    const fromBrowser = (method: string, to: string, body?: object) =>
      scrip.call(method, `/client/v1${to}`, body, headers);
    const allow = (allowed: boolean) =>
      scrip.manage('PUT', `/management/v1/projects/${project_id}`, {
        client_trusted_domains: [origin],
        client_create_customer_enabled: allowed,
      });
    await allow(false);
    expect(await fromBrowser('POST', '/customers', { name: 'Eve' })).toMatchObject({
      status: 403,
      body: { key: 'forbidden', details: expect.stringContaining('client_create_customer_enabled') },
    });
    await allow(true);
    const { id } = await upsert({ source_id: 'visitor', name: 'Ada', email: 'ada@example.com' });
    const { status, body } = await fromBrowser('POST', '/customers', { source_id: 'visitor', phone: '1' });
    expect({ status, body }).toMatchObject({ status: 200, body: { id, source_id: 'visitor', phone: '1' } });
    for (const field of ['name', 'email']) expect(body).not.toHaveProperty(field);
    expect((await get('visitor')).body).toMatchObject({ name: 'Ada', phone: '1' });
    for (const named of ['visitor', 'never-seen'])
      expect(await fromBrowser('PUT', `/customers/${named}/consents`, { newsletter: true })).toMatchObject({
        ...{ status: 204, body: null },
      });
    expect((await get('never-seen')).status).toBe(404);
    expect((await fromBrowser('GET', '/consents')).body).toMatchObject({ data: [], total: 0 });
  });

  it('repeats a keyed creation under its key', async () => {
    const headers = { 'idempotency-key': 'create-once' };
    const first = await scrip.call('POST', '/v1/customers', { name: 'Once' }, headers);
    expect((await scrip.call('POST', '/v1/customers', { name: 'Once' }, headers)).body).toEqual(first.body);
  });

  it('tells of creation, of changes that change something, and of deletion', async () => {
    const { id } = await upsert({ source_id: 'told', name: 'Ada' });
    await upsert({ source_id: 'told', name: 'Ada' });
    await scrip.call('PUT', path(id), { email: 'ada@example.com' });
    await scrip.call('PUT', path(id), { email: 'ada@example.com', metadata: {} });
    await scrip.call('DELETE', path(id));
    const webhooks = await told(id, 3);
    expect(webhooks.map(({ type }) => type)).toEqual([
      'customer.created',
      'customer.updated',
      'customer.deleted',
    ]);
    expect(webhooks.at(-1).data.customer).toMatchObject({
      id,
      name: 'Ada',
      email: 'ada@example.com',
      source_id: expect.stringMatching(/^told_deleted\d{13}$/),
      object: 'customer',
    });
  });
});
