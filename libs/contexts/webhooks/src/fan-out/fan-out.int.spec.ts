import type { EventStore, StoredEvent } from '@scrip/event-store';
import type { EventBatch } from '@scrip/messaging';
import { type WebhookSink, waitUntil, webhookSink } from '@scrip/testing';
import { markErased } from '../erasure/erased-customer.table';
import { campaign, redemption, voucher } from '../fixtures/facts';
import { type WebhooksGround, project, webhooksGround } from '../fixtures/webhooks-ground';
import { PublicEventRendering } from '../public-events/public-event.rendering';
import { FanOutConsumer } from './fan-out.consumer';

describe('the fan-out', () => {
  let ground: WebhooksGround;
  let sink: WebhookSink;

  beforeAll(async () => {
    ground = await webhooksGround();
    sink = await webhookSink();
  });
  afterAll(async () => {
    await ground.close();
    await sink.close();
  });
  beforeEach(async () => {
    for (const { id } of (await ground.call('GET', '/webhooks')).body.data) {
      await ground.call('DELETE', `/webhooks/${id}`);
    }
    sink.clear();
  });

  const subscribe = async (events: string[]): Promise<string> =>
    (await ground.call('POST', '/webhooks', { target_url: sink.url, events })).body.id;
  const created = (id: string) => ({
    type: 'VoucherCreated',
    data: { voucher: { ...voucher, id }, code_key: id, campaign },
  });
  const isTold = (entityId: string) =>
    waitUntil(
      () =>
        ground.database
          .query('SELECT 1 FROM public_events WHERE entity_id = $1', [entityId])
          .then(([row]) => row),
      {
        what: `${entityId} to be told`,
      },
    );
  const received = () => sink.received().map((webhook) => webhook.json());

  const stored = (entityId: string): Promise<object[]> =>
    ground.database.query('SELECT id FROM public_events WHERE entity_id = $1', [entityId]);

  // Transactions of other suites on the same server may hold the log back for a moment.
  const inLog = (id: string): Promise<StoredEvent[]> =>
    waitUntil(
      async () => {
        const store = ground.app.eventStores.get('campaigns') as EventStore;
        const log = await store.readLog({ after: null, limit: 1_000 });
        const found = log.filter(({ data }) => (data as { voucher?: { id: string } }).voucher?.id === id);
        return found.length > 0 && found;
      },
      { what: `${id} in the log` },
    );

  const batchOf = (events: StoredEvent[]): EventBatch => ({
    topic: 'scrip.campaigns.voucher.v1',
    group: 'webhooks.fan-out',
    events,
    replayed: false,
    commit: (work) => ground.database.transaction(work),
  });
  const deliverAgain = (events: StoredEvent[]): Promise<void> =>
    ground.app.app.get(FanOutConsumer, { strict: false }).fanOut(batchOf(events));

  it('of a topic delivered twice makes one public event and one sendout', async () => {
    const id = await subscribe(['*']);
    await ground.tell('campaigns', 'voucher', created('v_twice'));
    await sink.waitFor(1);
    const again = await inLog('v_twice');
    expect(again).toHaveLength(1);
    await deliverAgain(again);
    await deliverAgain(again);
    const counts = await ground.database.query(
      `SELECT (SELECT count(*)::int FROM public_events WHERE entity_id = 'v_twice') AS events,
         (SELECT count(*)::int FROM sendouts WHERE webhook_id = $1) AS sendouts`,
      [id],
    );
    expect(counts).toEqual([{ events: 1, sendouts: 1 }]);
  });

  it('tells the same event to every endpoint that wants it, under one event id and two sendout ids', async () => {
    await subscribe(['voucher.created']);
    await subscribe(['*']);
    await subscribe(['customer.created']);
    await ground.tell('campaigns', 'voucher', created('v_both'));
    await sink.waitFor(2);
    await isTold('v_both');
    const bodies = received();
    expect(bodies).toHaveLength(2);
    expect(new Set(bodies.map(({ event }) => event.id)).size).toBe(1);
    expect(new Set(bodies.map(({ id }) => id)).size).toBe(2);
  });

  it('stores no public event that nobody listens to, and renders it from the log when it is asked', async () => {
    await subscribe(['customer.created']);
    await ground.tell('campaigns', 'voucher', created('v_unheard'));
    const [event] = await inLog('v_unheard');
    await deliverAgain([event!]);
    expect(await stored('v_unheard')).toEqual([]);
    const rendering = ground.app.app.get(PublicEventRendering, { strict: false });
    const render = async () => rendering.render(await rendering.tellable([event!]));
    const [first] = await render();
    expect(first).toMatchObject({ kind: 'voucher.created', entityId: 'v_unheard' });
    expect(await render()).toEqual([first]);
    const later = { ...event!, recordedAt: new Date().toISOString() };
    await subscribe(['voucher.created']);
    await deliverAgain([{ ...later, recordedAt: new Date(Date.now() + 1_000).toISOString() }]);
    expect(await stored('v_unheard')).toHaveLength(1);
    // So that it does not come in the middle of what is tested next.
    await sink.waitFor(1);
  });

  it('of what nobody listens to passes without a transaction', async () => {
    await subscribe(['customer.created']);
    await ground.tell('campaigns', 'voucher', created('v_passed'));
    const [event] = await inLog('v_passed');
    const commit = jest.fn();
    const fanOut = () =>
      ground.app.app.get(FanOutConsumer, { strict: false }).fanOut({ ...batchOf([event!]), commit });
    await fanOut();
    for (const { id } of (await ground.call('GET', '/webhooks')).body.data) {
      await ground.call('DELETE', `/webhooks/${id}`);
    }
    await fanOut();
    expect(commit).not.toHaveBeenCalled();
  });

  it('stores nothing, and moves nobody on, when an endpoint subscribed after the events were chosen', async () => {
    await subscribe(['voucher.disabled']);
    await ground.tell('campaigns', 'voucher', created('v_raced'));
    const [event] = await inLog('v_raced');
    const soon = { ...event!, recordedAt: new Date(Date.now() + 60_000).toISOString() };
    const committed = ground.app.app.get(FanOutConsumer, { strict: false }).fanOut({
      ...batchOf([soon, { ...soon, type: 'VoucherDisabled' }]),
      commit: async (work) => {
        await subscribe(['voucher.created']);
        await ground.database.transaction(work);
      },
    });
    await expect(committed).rejects.toMatchObject({ kind: 'unavailable' });
    await deliverAgain([soon]);
    expect(await stored('v_raced')).toHaveLength(1);
    await sink.waitFor(1);
  });

  it('tells an endpoint of facts after its subscription only', async () => {
    await ground.tell('campaigns', 'voucher', created('v_before'));
    const early = await inLog('v_before');
    await waitUntil(() => Date.now() > Date.parse(early[0]!.recordedAt) + 2, { what: 'a later millisecond' });
    const id = await subscribe(['voucher.created']);
    await deliverAgain(early);
    await ground.tell('campaigns', 'voucher', created('v_after'));
    await sink.waitFor(1);
    expect(received().map(({ data }) => data.voucher.id)).toEqual(['v_after']);
    expect(await ground.database.query('SELECT entity_id FROM sendouts WHERE webhook_id = $1', [id])).toEqual(
      [{ entity_id: 'v_after' }],
    );
  });

  it('tells of a stack once per child and once for its parent', async () => {
    await subscribe(['redemption.succeeded']);
    const claims = { outcome_id: 'r_p', vouchers: [], order: null };
    for (const fact of [
      { ...redemption, id: 'r_c1', redemption: 'r_p' },
      { ...redemption, id: 'r_c2', redemption: 'r_p' },
      {
        ...redemption,
        id: 'r_p',
        voucher: null,
        stacked: ['r_c1', 'r_c2'],
        related_object_type: 'redemption',
      },
    ]) {
      const data = { redemption: fact, campaign: fact.voucher ? campaign : null, claims };
      await ground.tell('qualification', 'redemption', { type: 'RedemptionSucceeded', data });
    }
    await sink.waitFor(3);
    const bodies = received();
    expect(bodies.map(({ event }) => event.entity_id).sort()).toEqual(['r_c1', 'r_c2', 'r_p']);
    const parent = bodies.find(({ event }) => event.entity_id === 'r_p');
    expect(parent.data).toMatchObject({ voucher: null, campaign: null, customer: { id: 'cust_1' } });
  });

  it('stores nothing about the person of a customer who was erased while the events were rendered', async () => {
    await subscribe(['redemption.succeeded']);
    const claims = { outcome_id: 'r_e', vouchers: [], order: null };
    const erasedOne = { ...redemption, id: 'r_e', customer_id: 'cust_erased' };
    const named = { projectId: project.id, customerId: 'cust_erased' };
    await ground.database.transaction((manager) => markErased(manager, [named]));
    await ground.tell('qualification', 'redemption', {
      type: 'RedemptionSucceeded',
      data: { redemption: erasedOne, campaign, claims },
    });
    await sink.waitFor(1);
    expect(received()[0].data.customer).toEqual({ id: 'cust_erased', metadata: {}, object: 'customer' });
    const [event] = await ground.database.query(`SELECT data FROM public_events WHERE entity_id = 'r_e'`);
    expect(JSON.parse(event.data).customer).toEqual({ id: 'cust_erased', metadata: {}, object: 'customer' });
  });

  it('sends nothing for a bulk update of customers', async () => {
    await subscribe(['*']);
    const updated = (customer_id: string, bulk: boolean) => ({
      type: 'CustomerUpdated',
      data: { customer_id, sealed: 'x', bulk, updated_at: '2026-03-31T10:00:00.000Z' },
    });
    await ground.tell('customers', 'customer', updated('cust_bulk', true));
    await ground.tell('customers', 'customer', updated('cust_single', false));
    await sink.waitFor(1);
    expect(received().map(({ event }) => event.entity_id)).toEqual(['cust_single']);
  });
});
