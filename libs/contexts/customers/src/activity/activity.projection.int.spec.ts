import type { EventBatch } from '@scrip/messaging';
import { waitUntil } from '@scrip/testing';
import type { EntityManager } from 'typeorm';
import { bootCustomers, type CustomersOverHttp } from '../customers-http.fixture';
import type { Activity } from './activity';
import { ActivityProjection } from './activity.projection';
import { insertActivities } from './activity.table';

describe('the activity of customers', () => {
  let fixture: CustomersOverHttp;

  beforeAll(async () => {
    fixture = await bootCustomers('activity');
  });
  afterAll(() => fixture?.running.close());

  const stored = () =>
    fixture.database.query<Activity[]>(
      'SELECT * FROM customer_activities ORDER BY project_id, customer_id, id',
    );
  const activity = async (id: string, query = '', path = 'activity') =>
    (await fixture.call('GET', `/v1/customers/${id}/${path}${query}`)).body;
  const kinds = async (id: string, query = ''): Promise<string[]> =>
    (await activity(id, query)).data.map(({ type }: { type: string }) => type).sort();
  const buyer = async (source_id: string): Promise<string> => {
    const id = await fixture.customer({ source_id, name: `Name of ${source_id}` });
    const { body } = await fixture.call('POST', '/v1/orders', { customer: { source_id }, amount: 500 });
    await fixture.call('PUT', `/v1/orders/${body.id}`, { status: 'PAID' });
    await waitUntil(
      async () =>
        (await kinds(id)).includes('customer.order.paid') && (await kinds(id)).includes('customer.created'),
      {
        what: 'the activity of the buyer',
      },
    );
    return id;
  };

  it('tells what the customer did and what became of it, by id and source id', async () => {
    const id = await buyer('ada');
    const { data, ...rest } = await activity('ada');
    expect(rest).toEqual({ object: 'list', data_ref: 'data', has_more: false });
    const created = data.find(({ type }: { type: string }) => type === 'customer.created');
    expect(created).toEqual({
      id: expect.stringMatching(/^evcus_[0-9a-f]{32}$/),
      type: 'customer.created',
      data: {
        data: { customer: expect.objectContaining({ id, name: 'Name of ada', object: 'customer' }) },
        event_source: expect.objectContaining({ channel: expect.any(String) }),
      },
      created_at: expect.stringMatching(/Z$/),
      group_id: expect.any(String),
    });
    expect(await kinds(id, '?category=ACTION')).toContain('customer.order.created');
    expect(await kinds(id, '?category=EFFECT')).toEqual(['customer.order.paid']);
    expect(await kinds(id, '?type=customer.created')).toEqual(['customer.created']);
    expect(await kinds(id, '?campaign_type=PROMOTION')).toEqual([]);
    expect(await kinds(id, '?start_date=2100-01-01T00:00:00Z')).toEqual([]);
    const { data: all, total } = await activity(id, '?limit=1', 'activities');
    expect([all.length, total]).toEqual([1, data.length]);
  });

  it('is paged behind an event, each event once', async () => {
    const id = await buyer('pages');
    const whole = (await activity(id)).data.map(({ id: event }: { id: string }) => event);
    const paged: string[] = [];
    for (let after = ''; ;) {
      const page = await activity(id, `?limit=1${after}`);
      paged.push(...page.data.map(({ id: event }: { id: string }) => event));
      if (!page.has_more) break;
      after = `&starting_after_id=${page.more_starting_after}`;
    }
    expect(paged).toEqual(whole);
  });

  it.each([
    'order=id',
    'category=NONE',
    'campaign_type=NONE',
    'type=none',
    'limit=0',
    'starting_after_id=evcus_0',
  ])('refuses %s', async (query) => {
    await fixture.customer({ source_id: 'bad' });
    expect(await fixture.call('GET', `/v1/customers/bad/activity?${query}`)).toMatchObject({
      status: 400,
      body: { key: 'invalid_query_params' },
    });
  });

  it('of an unknown customer is not found', async () => {
    for (const path of ['activity', 'activities'])
      expect(await fixture.call('GET', `/v1/customers/none/${path}`)).toMatchObject({
        status: 404,
        body: { key: 'not_found', resource_type: 'customer' },
      });
  });

  it('has nothing of the person in the clear, is stored once, and is the same after a rebuild', async () => {
    await buyer('again');
    const before = await stored();
    expect(JSON.stringify(before)).not.toContain('Name of');
    await insertActivities(fixture.database.manager, before);
    expect(await stored()).toEqual(before);
    expect(await fixture.running.consumers.rebuild('customers.activity')).not.toHaveProperty('refused');
    expect(await stored()).toEqual(before);
  });

  it('has an event once, however often it is delivered', async () => {
    const customer_id = await fixture.customer({ source_id: 'twice' });
    const event = {
      ...{ id: '01900000-0000-7000-8000-00000000abcd', type: 'SegmentEntered', projectId: 'proj_1' },
      ...{ streamId: 'seg_1', recordedAt: '2026-03-31T10:00:00.000Z', version: 2 },
      metadata: { channel: 'API', correlation_id: 'v-1' },
      data: { segment_id: 'seg_1', customer_id },
    };
    const deliver = (...events: object[]) =>
      fixture.running.app.get(ActivityProjection, { strict: false }).segments({
        events,
        commit: (work: (manager: EntityManager) => Promise<void>) => fixture.database.transaction(work),
      } as unknown as EventBatch);
    await deliver(event, event);
    await deliver(event);
    await Promise.all([deliver(event), deliver(event)]);
    expect(await kinds(customer_id, '?type=customer.segment.entered')).toEqual(['customer.segment.entered']);
  });

  it('tells of publications, failed ones too, and of holders of referral codes only', async () => {
    const customer_id = await fixture.customer({ source_id: 'published', name: 'Pia' });
    const publication = {
      ...{ id: 'pub_1', customer_id, source_id: null, channel: 'API', metadata: {}, result: 'SUCCESS' },
      ...{ failure_code: null, failure_message: null, vouchers: [{ id: 'v_1', code: 'ONE' }] },
      created_at: '2026-03-31T10:00:00.000Z',
    };
    const failed = { ...publication, id: 'pub_2', result: 'FAILURE', failure_code: 'voucher_disabled' };
    const holder = { id: 'rh_1', voucher_id: 'v_1', customer_id, role: 'REFERRER', publication_id: 'pub_1' };
    const voucher = { id: 'v_1', code: 'ONE', redemption: {} };
    const facts = [
      ['PublicationSucceeded', { publication, vouchers: [], campaign: null }],
      ['PublicationFailed', { publication: failed, campaign: null }],
      ['HolderAssigned', { holder: { ...holder, role: 'OWNER' }, voucher: null, campaign: null }],
      ['HolderAssigned', { holder, voucher, campaign: null }],
    ] as const;
    await fixture.running.app.get(ActivityProjection, { strict: false }).publications({
      events: facts.map(([type, data], index) => ({
        ...{ id: `01900000-0000-7000-8000-00000000a00${index}`, type, projectId: 'proj_1', data },
        ...{ streamId: 'pub_1', recordedAt: `2026-03-31T10:00:00.00${index}Z`, version: index + 1 },
        metadata: { channel: 'API', correlation_id: 'v-1' },
      })),
      commit: (work: (manager: EntityManager) => Promise<void>) => fixture.database.transaction(work),
    } as unknown as EventBatch);
    const told = (await activity(customer_id, '?end_date=2026-04-01')).data;
    expect(told.map(({ type }: { type: string }) => type)).toEqual([
      'customer.holder.assignment.created',
      'customer.publication.failed',
      'customer.publication.succeeded',
    ]);
    expect(told[2].data.data).toEqual({
      customer: expect.objectContaining({ id: customer_id, name: 'Pia', object: 'customer' }),
      campaign: null,
      publication: {
        ...{ id: 'pub_1', object: 'publication', customer_id, tracking_id: 'published', source_id: null },
        ...{ channel: 'API', metadata: {}, result: 'SUCCESS', vouchers_id: ['v_1'] },
        created_at: publication.created_at,
        customer: expect.objectContaining({ id: customer_id, summary: null }),
      },
    });
    expect(told[1].data.data.publication).toMatchObject({ failure_code: 'voucher_disabled' });
    expect(told[0].data.data).toMatchObject({
      holder: { id: 'rh_1', holder_role: 'REFERRER', object: 'redeemable_holder' },
      voucher: { id: 'v_1', object: 'voucher' },
      customer: { id: customer_id },
    });
  });

  it('has nothing of the import of an order, and what is done to the order later', async () => {
    const id = await fixture.customer({ source_id: 'past' });
    const order = { source_id: 'past-order', status: 'PAID', amount: 500, customer: { source_id: 'past' } };
    expect((await fixture.call('POST', '/v1/orders/import', [order])).status).toBe(200);
    await waitUntil(async () => (await fixture.call('GET', '/v1/orders/past-order')).status === 200, {
      what: 'the imported order',
    });
    await fixture.call('PUT', '/v1/orders/past-order', { status: 'FULFILLED' });
    await waitUntil(async () => (await kinds(id)).includes('customer.order.fulfilled'), {
      what: 'the later change',
    });
    expect((await kinds(id)).filter((kind) => kind.startsWith('customer.order'))).toEqual([
      'customer.order.fulfilled',
      'customer.order.updated',
    ]);
  });

  it('names who referred an order as the customer is now, and nobody once deleted', async () => {
    await fixture.customer({ source_id: 'referred' });
    const referrer = await fixture.customer({ source_id: 'friend', name: 'Fred' });
    await fixture.call('POST', '/v1/orders', {
      ...{ customer: { source_id: 'referred' }, referrer: { source_id: 'friend' }, amount: 500 },
    });
    const ofOrder = async () =>
      (await activity('referred', '?type=customer.order.created')).data[0]?.data.data as
        { referrer: object | null } | undefined;
    await waitUntil(async () => (await ofOrder()) !== undefined, { what: 'the order' });
    expect(await ofOrder()).toMatchObject({
      referrer: { id: referrer, source_id: 'friend', name: 'Fred', object: 'customer' },
      order: { amount: 500 },
    });
    expect(await ofOrder()).not.toHaveProperty('referrer_id');
    await fixture.call('DELETE', `/v1/customers/${referrer}`);
    expect((await ofOrder())?.referrer).toBeNull();
  });

  it('goes with the permanent deletion of the customer, and does not come back', async () => {
    const id = await buyer('gone');
    const ofCustomer = async () => (await stored()).filter(({ customer_id }) => customer_id === id);
    await waitUntil(async () => (await ofCustomer()).length === 4, { what: 'all of its activity' });
    const rows = await ofCustomer();
    const { body } = await fixture.call('POST', `/v1/customers/${id}/permanent-deletion`, {});
    expect(body.data_json.events).toBe(rows.length);
    await waitUntil(async () => (await ofCustomer()).length === 0, { what: 'the activity to go' });
    await insertActivities(fixture.database.manager, rows);
    expect(await ofCustomer()).toEqual([]);
    expect(await fixture.running.consumers.rebuild('customers.activity')).not.toHaveProperty('refused');
    expect(await ofCustomer()).toEqual([]);
    expect((await activity(id)).key).toBe('not_found');
  });
});
