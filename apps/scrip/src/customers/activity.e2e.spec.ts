import { campaignOf, type SharedScrip, sharedScrip, waitUntil } from '@scrip/testing';

interface Entry {
  id: string;
  type: string;
  data: { data: Record<string, any>; event_source: object };
  group_id: string;
}

describe('the activity feed', () => {
  let scrip: SharedScrip;

  beforeAll(async () => {
    scrip = await sharedScrip();
  }, 240_000);

  const feed = async (customer: string, query = ''): Promise<Entry[]> =>
    (await scrip.call('GET', `/v1/customers/${customer}/activity?limit=100${query}`)).body.data ?? [];
  const types = async (customer: string): Promise<string[]> =>
    (await feed(customer)).map(({ type }) => type).sort();
  const toldOf = (customer: string, type: string) =>
    waitUntil(async () => (await types(customer)).includes(type), { what: `${type} of ${customer}` });

  it('tells what a customer bought, redeemed and got back, once each', async () => {
    const campaign = await campaignOf(scrip, 'Feed', 1);
    await scrip.call('POST', `/v1/campaigns/${campaign.id}/vouchers/FEED-1`, {});
    await scrip.call('POST', '/v1/customers', { source_id: 'feed-ada', name: 'Ada' });
    const { body: redeemed } = await scrip.call('POST', '/v1/redemptions', {
      ...{ redeemables: [{ object: 'voucher', id: 'FEED-1' }], customer: { source_id: 'feed-ada' } },
      order: { amount: 20_000, status: 'PAID' },
    });
    const [redemption] = redeemed.redemptions;
    await toldOf('feed-ada', 'customer.order.paid');
    await scrip.call('POST', `/v1/redemptions/${redemption.id}/rollback`, {});
    await scrip.call('POST', '/v1/redemptions', {
      ...{ redeemables: [{ object: 'voucher', id: 'FEED-NONE' }], customer: { source_id: 'feed-ada' } },
    });
    // Each topic is read by itself: the last of one may come before the first of another.
    for (const type of ['created', 'order.created', 'redemption.succeeded', 'redemption.rollback.succeeded'])
      await toldOf('feed-ada', `customer.${type}`);
    const found = await feed('feed-ada');
    const count = (type: string) => found.filter((entry) => entry.type === `customer.${type}`).length;
    expect(
      ['created', 'redemption.succeeded', 'redemption.rollback.succeeded', 'order.paid'].map(count),
    ).toEqual([1, 1, 1, 1]);
    const ofRedemption = found.find(({ type }) => type === 'customer.redemption.succeeded');
    expect(ofRedemption?.data.data).toMatchObject({
      ...{ voucher: { code: 'FEED-1' }, campaign: { id: campaign.id } },
      redemption: { id: redemption.id, tracking_id: redemption.tracking_id },
    });
    expect(ofRedemption?.data.data.created_at).toBe(redemption.date);
    const ofRollback = found.find(({ type }) => type === 'customer.redemption.rollback.succeeded');
    expect(ofRollback?.data.data).not.toHaveProperty('created_at');
    expect(redemption.tracking_id).toMatch(/^track_/);
    expect(ofRollback?.data.data.redemption_rollback.tracking_id).toBe(redemption.tracking_id);
    expect(await feed('feed-ada', `&campaign_id=${campaign.id}`)).toHaveLength(2);
  });

  it('tells which segments a customer entered and left', async () => {
    const { body: segment } = await scrip.call('POST', '/v1/segments', {
      ...{ name: 'Londoners', type: 'auto-update', filter: { city: { conditions: { $is: ['Feedtown'] } } } },
    });
    const members = async (): Promise<number> =>
      (await scrip.call('GET', `/v1/customers?segment_id=${segment.id}`)).body.total;
    const live = async (city: string, count: number) => {
      await scrip.call('POST', '/v1/customers', { source_id: 'feed-eve', address: { city } });
      await waitUntil(async () => (await members()) === count, { what: `${count} members` });
    };
    // The first time it may belong from the beginning: the segment is still being built.
    for (const [city, count] of [
      ['Feedtown', 1],
      ['Elsewhere', 0],
      ['Feedtown', 1],
      ['Elsewhere', 0],
    ] as const)
      await live(city, count);
    for (const passage of ['entered', 'left']) await toldOf('feed-eve', `customer.segment.${passage}`);
    const entered = (await feed('feed-eve')).find(({ type }) => type === 'customer.segment.entered');
    expect(entered?.data.data.segment).toEqual({ id: segment.id, name: 'Londoners', object: 'segment' });
    await scrip.call('DELETE', `/v1/segments/${segment.id}`);
  });

  it('has each of fifty orders of one customer that come at once, and is paged while others come', async () => {
    await scrip.call('POST', '/v1/customers', { source_id: 'feed-bob' });
    await toldOf('feed-bob', 'customer.created');
    const order = (index: number) =>
      scrip.call('POST', '/v1/orders', {
        ...{ source_id: `feed-${index}`, customer: { source_id: 'feed-bob' }, amount: index },
      });
    await Promise.all(Array.from({ length: 40 }, (_, index) => order(index)));
    const created = async () => (await feed('feed-bob', '&type=customer.order.created')).length;
    await waitUntil(async () => (await created()) === 40, { what: 'forty orders in the feed' });
    const first = await scrip.call('GET', '/v1/customers/feed-bob/activity?limit=20');
    await Promise.all(Array.from({ length: 10 }, (_, index) => order(40 + index)));
    await waitUntil(async () => (await created()) === 50, { what: 'fifty orders in the feed' });
    const rest = await scrip.call(
      'GET',
      `/v1/customers/feed-bob/activity?limit=100&starting_after_id=${first.body.more_starting_after}`,
    );
    const amounts = [...first.body.data, ...rest.body.data].map(
      ({ data }: Entry) => data.data.order?.amount ?? -1,
    );
    expect(amounts.sort((a, b) => a - b)).toEqual([-1, ...Array.from({ length: 40 }, (_, index) => index)]);
    const counted = await scrip.call('GET', '/v1/customers/feed-bob/activities?limit=1');
    expect(counted.body.total).toBe(51);
  });

  it('of a segment says how it was created and changed', async () => {
    const { body: segment } = await scrip.call('POST', '/v1/segments', {
      ...{ name: 'Old', type: 'passive', filter: { city: { conditions: { $is: ['London'] } } } },
    });
    await scrip.call('PUT', `/v1/segments/${segment.id}`, { name: 'New' });
    const list = async (): Promise<Entry[]> =>
      (await scrip.call('GET', `/v1/segments/${segment.id}/activities`)).body.data;
    await waitUntil(async () => (await list()).length === 2, { what: 'activities of the segment' });
    expect((await list()).map(({ type }) => type)).toEqual(['segment.updated', 'segment.created']);
  });
});
