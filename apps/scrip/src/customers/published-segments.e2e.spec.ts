import { campaignOf, type SharedScrip, sharedScrip, waitUntil } from '@scrip/testing';

describe('segments of customers who got a code', () => {
  let scrip: SharedScrip;

  beforeAll(async () => {
    scrip = await sharedScrip();
  }, 240_000);

  const ask = <Body = any>(method: 'GET' | 'POST', path: string, body?: object): Promise<Body> =>
    scrip.ask<Body>(method, path, body);

  it('are entered by a publication, once, and rules see that the customer belongs', async () => {
    const { id: campaign } = await campaignOf(scrip, 'Published', 3);
    const filter = {
      'publications.related_object_id': { conditions: { $is: [campaign] } },
      'publications.created_at': { conditions: { $less_than_ago: [30] } },
    };
    const { id: segment } = await ask('POST', '/v1/segments', {
      name: 'Got one',
      type: 'auto-update',
      filter,
    });
    const { id: rule } = await ask('POST', '/v1/validation-rules', {
      ...{ name: 'Who got a code', type: 'expression' },
      rules: { 1: { name: 'customer.segment', conditions: { $is: [segment] } }, logic: '1' },
    });
    const { code } = await ask('POST', '/v1/vouchers', {
      ...{
        type: 'DISCOUNT_VOUCHER',
        discount: { type: 'PERCENT', percent_off: 5 },
        validation_rules: [rule],
      },
    });
    const [ada, bob] = [{ source_id: 'published-ada' }, { source_id: 'published-bob' }];
    for (const customer of [ada, bob]) await ask('POST', '/v1/customers', customer);
    const isValid = async (source_id: string): Promise<boolean> =>
      (
        await ask('POST', '/v1/validations', {
          ...{ redeemables: [{ object: 'voucher', id: code }], customer: { source_id } },
          order: { amount: 1_000 },
        })
      ).valid;
    expect(await isValid('published-ada')).toBe(false);

    await ask('POST', '/v1/publications', { campaign: { name: 'Published' }, customer: ada });
    await waitUntil(async () => (await ask('GET', `/v1/customers?segment_id=${segment}`)).total === 1, {
      what: 'Ada to enter',
    });
    const segmentsOf = async (source_id: string) =>
      (await ask('GET', `/v1/customers/${source_id}/segments`)).data;
    expect(await segmentsOf('published-ada')).toEqual([{ id: segment, name: 'Got one', object: 'segment' }]);
    expect(await segmentsOf('published-bob')).toEqual([]);
    expect([await isValid('published-ada'), await isValid('published-bob')]).toEqual([true, false]);

    // The build of the segment is over: from now on, who gets a code enters with an event.
    const { voucher } = await ask('POST', '/v1/publications', {
      campaign: { name: 'Published' },
      customer: bob,
    });
    const activityTypes = async (): Promise<string[]> =>
      (await ask('GET', '/v1/customers/published-bob/activity?limit=100')).data
        .map(({ type }: { type: string }) => type)
        .filter((type: string) => /segment|publication/.test(type))
        .sort();
    await waitUntil(async () => (await activityTypes()).length === 2, { what: 'Bob to enter' });
    // The publication stays when its voucher is deleted.
    await scrip.call('DELETE', `/v1/vouchers/${voucher.code}?force=true`);
    await ask('POST', '/v1/publications', { campaign: { name: 'Published' }, customer: bob });
    await waitUntil(async () => (await activityTypes()).length === 3, { what: 'both publications' });
    expect(await activityTypes()).toEqual([
      'customer.publication.succeeded',
      'customer.publication.succeeded',
      'customer.segment.entered',
    ]);
    expect(await segmentsOf('published-bob')).toHaveLength(1);
  });
});
