import {
  type SharedScrip,
  sharedScrip,
  taskEnds,
  waitUntil,
  type WebhookSink,
  webhookSink,
} from '@scrip/testing';

describe('customers in bulk over HTTP', () => {
  let scrip: SharedScrip;
  let sink: WebhookSink;

  beforeAll(async () => {
    scrip = await sharedScrip();
    sink = await webhookSink();
    await scrip.manage('POST', `/management/v1/projects/${scrip.credentials.project_id}/webhooks`, {
      target_url: sink.url,
      events: ['customer.created', 'customer.updated'],
    });
  }, 240_000);
  afterAll(() => sink?.close());

  const customer = (sourceId: string) =>
    scrip.ask<any>('GET', `/v1/customers/${encodeURIComponent(sourceId)}`);
  const ended = (id: string) => taskEnds(scrip, id);
  const order = async (path: string, body: unknown) => {
    const answer = await scrip.call('POST', path, body as object);
    expect([answer.status, answer.body]).toEqual([202, { async_action_id: expect.stringMatching(/^aa_u/) }]);
    return ended((answer.body as { async_action_id: string }).async_action_id);
  };

  it('names no customer any more who was deleted permanently, within seconds', async () => {
    const task = await order('/v1/customers/bulk/async', [
      { source_id: 'erased-in-bulk', name: 'Ada' },
      { source_id: 'kept-in-bulk', name: 'Grace' },
    ]);
    const report = async () => (await fetch(task.result.reports[0])).text();
    expect(await report()).toContain('erased-in-bulk');
    const { status } = await scrip.call('POST', '/v1/customers/erased-in-bulk/permanent-deletion');
    expect(status).toBe(200);
    await waitUntil(async () => !(await report()).includes('erased-in-bulk'), {
      what: 'a report without the erased customer',
    });
    expect(await report()).toContain('kept-in-bulk');
  });

  it('creates and changes customers, and reports on each, without webhooks', async () => {
    const single = await scrip.ask<any>('POST', '/v1/customers', {
      source_id: 'bulk-1',
      name: 'Ada',
      metadata: { a: 1 },
    });
    const task = await order('/v1/customers/bulk/async', [
      { source_id: 'bulk-1', email: 'ada@example.com', metadata: { b: 2 } },
      { source_id: 'bulk-2', name: 'Grace', birthdate: '1906-12-09' },
    ]);
    expect(task).toMatchObject({
      type: 'CUSTOMERS.BULK_UPDATE',
      status: 'DONE',
      operation_status: 'SUCCESS',
      progress: 100,
      result: { done_count: 2, failed_count: 0, errors: [], reports_available_till: expect.any(String) },
    });
    expect(await customer('bulk-1')).toMatchObject({
      id: single.id,
      name: 'Ada',
      email: 'ada@example.com',
      metadata: { a: 1, b: 2 },
    });
    expect(await customer('bulk-2')).toMatchObject({ name: 'Grace', birthdate: '1906-12-09' });
    const report = await fetch(task.result.reports[0]);
    expect(await report.text()).toBe(
      'source_id,found,updated,error\r\nbulk-1,true,true,\r\nbulk-2,false,true,\r\n',
    );
    await scrip.ask('PUT', '/v1/customers/bulk-2', { name: 'Grace Hopper' });
    const after = await customer('bulk-2');
    // Those of two customers come in any order.
    const webhooks = await sink.waitFor(2, {
      filter: (webhook) => [single.id, after.id].includes(webhook.json().event.entity_id),
      what: 'the webhooks of both single calls',
    });
    const told = webhooks.map((webhook) => webhook.json().event.entity_id as string);
    expect(told.sort()).toEqual([single.id, after.id].sort());
  });

  it('merges metadata into customers, and creates those that are missing', async () => {
    await scrip.ask('POST', '/v1/customers', {
      source_id: 'meta-1',
      metadata: { tier: 'silver', kept: true },
    });
    const task = await order('/v1/customers/metadata/async', {
      source_ids: ['meta-1', 'meta-2'],
      metadata: { tier: 'gold' },
    });
    expect(task).toMatchObject({
      type: 'CUSTOMERS.METADATA_UPDATE',
      result: { done_count: 2, failed_count: 0 },
    });
    expect((await customer('meta-1')).metadata).toEqual({ tier: 'gold', kept: true });
    expect((await customer('meta-2')).metadata).toEqual({ tier: 'gold' });
  });

  it('tells of one that fails, while the others succeed', async () => {
    const part = (n: number) => ({ [`part ${n}`]: 'x'.repeat(60_000) });
    const large = Array.from({ length: 5 }, (_, n) => ({ source_id: 'large', metadata: part(n) }));
    const task = await order('/v1/customers/bulk/async', [...large, { source_id: 'not large' }]);
    expect(task.result).toMatchObject({
      done_count: 5,
      failed_count: 1,
      errors: [
        {
          key: 'invalid_payload',
          message: 'Invalid payload',
          details: 'A customer holds at most 262144 characters of JSON',
          source_id: 'large',
        },
      ],
    });
    const report = await (await fetch(task.result.reports[0])).text();
    expect(report).toContain(
      'large,false,false,Invalid payload: A customer holds at most 262144 characters of JSON\r\n',
    );
  });

  it('does it once for one Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'bulk once' };
    const body = [{ source_id: 'keyed' }];
    const first = await scrip.call('POST', '/v1/customers/bulk/async', body, headers);
    const second = await scrip.call('POST', '/v1/customers/bulk/async', body, headers);
    expect(second.body).toEqual(first.body);
  });

  test.each<[string, unknown, string]>([
    ['/v1/customers/bulk/async', {}, 'Payload must be array'],
    ['/v1/customers/bulk/async', [], 'Payload should NOT have fewer than 1 items'],
    ['/v1/customers/bulk/async', ['a'], 'Property [0] must be object'],
    ['/v1/customers/bulk/async', [{ name: 'x' }], "Property [0] must have required property 'source_id'"],
    [
      '/v1/customers/bulk/async',
      [{ source_id: 'a' }, { source_id: 'b', email: 1 }],
      'Property [1].email must be string',
    ],
    [
      '/v1/customers/bulk/async',
      [{ source_id: 'a', address: { city: 1 } }],
      'Property [0].address.city must be string',
    ],
    [
      '/v1/customers/bulk/async',
      [{ source_id: '' }],
      'Property [0].source_id should NOT be shorter than 1 characters',
    ],
    ['/v1/customers/metadata/async', { metadata: {} }, "Payload must have required property 'source_ids'"],
    ['/v1/customers/metadata/async', { source_ids: ['a'] }, "Payload must have required property 'metadata'"],
    [
      '/v1/customers/metadata/async',
      { source_ids: [], metadata: {} },
      'Property .source_ids should NOT have fewer than 1 items',
    ],
  ])('%s refuses %j', async (path, body, details) => {
    expect(await scrip.call('POST', path, body as object)).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details },
    });
  });
});
