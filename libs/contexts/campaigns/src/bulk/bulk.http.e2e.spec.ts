import { sharedScrip, type SharedScrip, taskEnds, waitUntil } from '@scrip/testing';

describe('metadata of many vouchers over HTTP', () => {
  let scrip: SharedScrip;

  beforeAll(async () => {
    scrip = await sharedScrip();
    await scrip.ask('POST', '/v1/campaigns', {
      name: 'bulk',
      campaign_type: 'DISCOUNT_COUPONS',
      voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
      metadata: { season: 'spring', shop: 'none' },
    });
    for (const code of ['bulk-1', 'bulk-2', 'bulk-3'])
      await scrip.ask('POST', `/v1/campaigns/bulk/vouchers/${code}`, {});
  }, 240_000);

  const voucher = (code: string) => scrip.ask<any>('GET', `/v1/vouchers/${code}`);

  const order = async (path: string, body: unknown): Promise<any> => {
    const answer = await scrip.call('POST', path, body as object);
    expect([answer.status, answer.body]).toEqual([202, { async_action_id: expect.stringMatching(/^aa_c/) }]);
    const id = (answer.body as { async_action_id: string }).async_action_id;
    return taskEnds(scrip, id);
  };

  it('is merged, to each voucher its own; unknown codes fail, and the last of one code wins', async () => {
    const task = await order('/v1/vouchers/bulk/async', [
      { code: 'bulk-1', metadata: { shop: 'Rome' } },
      { code: 'nobody', metadata: { shop: 'Rome' } },
      { code: 'bulk-1', metadata: { shop: 'Paris', floor: 2 } },
    ]);
    expect(task).toMatchObject({
      type: 'VOUCHERS.BULK_UPDATE',
      status: 'DONE',
      operation_status: 'SUCCESS',
      result: {
        done_count: 2,
        failed_count: 1,
        errors: [
          {
            key: 'not_found',
            message: 'Resource not found',
            details: 'Cannot find voucher with id nobody',
            code: 'nobody',
          },
        ],
        reports: [expect.stringContaining('/v1/task-results/')],
      },
    });
    expect(await voucher('bulk-1')).toMatchObject({
      metadata: { season: 'spring', shop: 'Paris', floor: 2 },
      updated_at: expect.any(String),
    });
    expect((await scrip.call('GET', '/v1/vouchers/nobody')).status).toBe(404);
    const report = await (await fetch(task.result.reports[0])).text();
    expect(report).toContain('code,found,updated,error\r\nbulk-1,true,true,\r\n');
  });

  it('is merged, the same to all; what changes nothing is no change', async () => {
    const body = { codes: ['bulk-2', 'bulk-3', 'nobody'], metadata: { shop: 'Oslo' } };
    expect(await order('/v1/vouchers/metadata/async', body)).toMatchObject({
      type: 'VOUCHERS.METADATA_UPDATE',
      result: { done_count: 2, failed_count: 1, errors: [{ key: 'not_found', code: 'nobody' }] },
    });
    const changed = await voucher('bulk-2');
    expect(changed.metadata).toEqual({ season: 'spring', shop: 'Oslo' });
    const again = await order('/v1/vouchers/metadata/async', body);
    const report = await (await fetch(again.result.reports[0])).text();
    expect(report).toContain('bulk-2,true,false,\r\n');
    expect((await voucher('bulk-2')).updated_at).toBe(changed.updated_at);
  });

  it('of vouchers that a job made is found by filters afterwards', async () => {
    const { async_action_id } = await scrip.ask<any>('POST', '/v1/campaigns/bulk/import', [
      { code: 'bulk-4' },
    ]);
    await waitUntil(
      async () => (await scrip.ask<any>('GET', `/v1/async-actions/${async_action_id}`)).status === 'DONE',
      { what: 'the end of the import', timeoutMs: 60_000 },
    );
    await order('/v1/vouchers/metadata/async', { codes: ['bulk-4'], metadata: { shop: 'Bonn' } });
    const { vouchers } = await scrip.ask<any>(
      'GET',
      '/v1/vouchers?filters[metadata.shop][conditions][$is]=Bonn&filters[junction]=and',
    );
    expect(vouchers.map(({ code }: any) => code)).toEqual(['bulk-4']);
  });

  it('follows the schema of vouchers', async () => {
    await scrip.ask('POST', '/v1/metadata-schemas', {
      related_object: 'voucher',
      properties: { floor: { type: 'number', optional: true } },
    });
    const task = await order('/v1/vouchers/bulk/async', [{ code: 'bulk-3', metadata: { floor: 'first' } }]);
    expect(task).toMatchObject({
      status: 'FAILED',
      result: { errors: [{ key: 'metadata_validation_failed', code: 'bulk-3' }] },
    });
  });

  test.each<[string, unknown, string]>([
    ['/v1/vouchers/bulk/async', {}, 'Payload must be array'],
    ['/v1/vouchers/bulk/async', [], 'Payload should NOT have fewer than 1 items'],
    ['/v1/vouchers/bulk/async', [{ metadata: {} }], "Property [0] must have required property 'code'"],
    ['/v1/vouchers/bulk/async', [{ code: 'a' }], "Property [0] must have required property 'metadata'"],
    ['/v1/vouchers/metadata/async', { metadata: {} }, "Payload must have required property 'codes'"],
    ['/v1/vouchers/metadata/async', { codes: ['a'] }, "Payload must have required property 'metadata'"],
    [
      '/v1/vouchers/metadata/async',
      { codes: [], metadata: {} },
      'Property .codes should NOT have fewer than 1 items',
    ],
  ])('%s refuses %j', async (path, body, details) => {
    expect(await scrip.call('POST', path, body as object)).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details },
    });
  });
});
