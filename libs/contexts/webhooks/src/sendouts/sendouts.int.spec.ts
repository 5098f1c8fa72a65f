import { type WebhookSink, waitUntil, webhookSink } from '@scrip/testing';
import { campaign, voucher } from '../fixtures/facts';
import { type WebhooksGround, webhooksGround } from '../fixtures/webhooks-ground';
import { Retention } from '../retention/retention';

describe('the log of deliveries (reference 06 §5.5)', () => {
  let ground: WebhooksGround;
  let sink: WebhookSink;
  let webhookId: string;

  beforeAll(async () => {
    ground = await webhooksGround();
    sink = await webhookSink();
    webhookId = (await ground.call('POST', '/webhooks', { target_url: sink.url, events: ['*'] })).body.id;
    for (const id of ['v_1', 'v_2', 'v_3']) {
      const data = { voucher: { ...voucher, id }, code_key: id, campaign };
      await ground.tell('campaigns', 'voucher', { type: 'VoucherCreated', data });
    }
    await waitUntil(async () => (await list('?status=SUCCEEDED')).data.length === 3, {
      what: 'three deliveries',
    });
  });
  afterAll(async () => {
    await ground.close();
    await sink.close();
  });

  const list = async (query = '') => (await ground.call('GET', `/webhook-sendouts${query}`)).body;

  it('is read page by page, newest first', async () => {
    const all = await list();
    expect(all).toMatchObject({ object: 'list', data_ref: 'data', has_more: false });
    const first = await list('?limit=2');
    expect(first).toMatchObject({ has_more: true, more_starting_after: first.data[1].id });
    const second = await list(`?limit=2&starting_after_id=${first.more_starting_after}`);
    expect(second.has_more).toBe(false);
    expect([...first.data, ...second.data]).toEqual(all.data);
  });

  it.each([
    ['?status=FAILED', 0],
    ['?type=voucher.created', 3],
    ['?type=customer.created', 0],
    ['?source_id=wh_other', 0],
    ['?created_at[after]=2099-01-01', 0],
    ['?created_at[before]=2099-01-01', 3],
  ])('filters by %s', async (query, count) => {
    expect((await list(query)).data).toHaveLength(count);
  });

  it('finds what one event caused', async () => {
    const [sendout] = (await list()).data;
    expect((await list(`?event_id=${sendout.event.id}`)).data).toEqual([sendout]);
  });

  it.each(['?status=DONE', '?limit=0', '?starting_after_id=whs_unknown', '?created_at[after]=yesterday'])(
    'refuses %s',
    async (query) => {
      expect(await ground.call('GET', `/webhook-sendouts${query}`)).toMatchObject({
        status: 400,
        body: { key: 'invalid_query_params' },
      });
    },
  );

  it('knows a sendout with its payload and attempts', async () => {
    const [{ id }] = (await list()).data;
    const { body } = await ground.call('GET', `/webhook-sendouts/${id}`);
    expect(body).toMatchObject({
      id,
      object: 'webhook_sendout',
      type: 'voucher.created',
      status: 'SUCCEEDED',
      source: { id: webhookId, object: 'webhook', target_url: sink.url },
      payload: { id, type: 'voucher.created' },
      attempts: [{ number: 1, status: 'SUCCEEDED', http_status: 200, error: null, response: '' }],
    });
    expect(body.attempts[0].duration).toBeGreaterThanOrEqual(0);
  });

  it('answers 404 for what it does not know', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/retry'],
    ] as const) {
      expect(await ground.call(method, `/webhook-sendouts/whs_unknown${path}`)).toMatchObject({
        status: 404,
        body: {
          details: 'Cannot find webhook sendout with id whs_unknown',
          resource_type: 'webhook_sendout',
        },
      });
    }
  });

  it.each([-1, 73, 1.5])('refuses a grace of %s hours', async (grace_period_hours) => {
    expect((await ground.call('POST', '/webhook-token/rotate', { grace_period_hours })).status).toBe(400);
  });

  it('forgets payloads and public events after 30 days, the rest after 180', async () => {
    const age = (id: string, days: number) =>
      ground.database.query(
        `WITH s AS (UPDATE sendouts SET created_at = now() - make_interval(days => $2) WHERE id = $1),
           a AS (UPDATE sendout_attempts SET started_at = now() - make_interval(days => $2) WHERE sendout_id = $1),
           p AS (UPDATE sendout_payloads SET created_at = now() - make_interval(days => $2) WHERE sendout_id = $1),
           e AS (UPDATE public_events SET created_at = now() - make_interval(days => $2)
             WHERE id = (SELECT public_event_id FROM sendouts WHERE id = $1))
         SELECT 1`,
        [id, days],
      );
    const [young, middle, old] = (await list()).data as [{ id: string }, { id: string }, { id: string }];
    await age(young.id, 29);
    await age(middle.id, 31);
    await age(old.id, 181);
    await ground.app.app.get(Retention, { strict: false }).prune();
    const kept = (table: string) =>
      ground.database.query(`SELECT count(*)::int AS n FROM ${table}`).then(([row]) => row.n as number);
    expect(
      await Promise.all(['public_events', 'sendout_payloads', 'sendouts', 'sendout_attempts'].map(kept)),
    ).toEqual([1, 1, 2, 2]);
    expect((await ground.call('GET', `/webhook-sendouts/${middle.id}`)).body.payload).toBeNull();
    expect(await ground.call('POST', `/webhook-sendouts/${middle.id}/retry`)).toMatchObject({
      status: 409,
      body: { key: 'payload_expired' },
    });
  });

  it('is pruned again from the next start on, when pruning had failed for good', async () => {
    const prunes = () =>
      ground.database.query<{ failed: boolean; isLater: boolean }[]>(
        `SELECT attempts >= max_attempts AS failed, run_at > now() + interval '50 minutes' AS "isLater"
         FROM webhooks_jobs.jobs WHERE key = 'prune'`,
      );
    const isScheduled = async () => {
      const [prune, ...others] = await prunes();
      return others.length === 0 && prune?.failed === false && prune.isLater;
    };
    await waitUntil(isScheduled, { what: 'the pruning after the start' });
    await ground.database.query(
      `UPDATE webhooks_jobs._private_jobs SET attempts = max_attempts, run_at = now(), last_error = 'away'
       WHERE key = 'prune'`,
    );
    expect(await prunes()).toEqual([{ failed: true, isLater: false }]);
    await ground.app.app.get(Retention, { strict: false }).onApplicationBootstrap();
    await waitUntil(isScheduled, { what: 'the pruning that was revived' });
  });
});
