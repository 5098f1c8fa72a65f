import { type SinkAnswer, type WebhookSink, waitUntil, webhookSink } from '@scrip/testing';
import { campaign, redemption, voucher } from '../fixtures/facts';
import { type HeldReceiver, heldReceiver } from '../fixtures/held-receiver';
import { type WebhooksGround, webhooksGround } from '../fixtures/webhooks-ground';
import type { EntityManager } from 'typeorm';
import { LaneJobs } from './lane-jobs';
import { signatureHeaders } from './signature';

const succeeded = (id: string) => ({
  type: 'RedemptionSucceeded',
  data: {
    redemption: { ...redemption, id },
    campaign,
    claims: { outcome_id: id, vouchers: [], order: null },
  },
});

describe('deliveries', () => {
  let ground: WebhooksGround;
  let sink: WebhookSink;
  let held: HeldReceiver;

  beforeAll(async () => {
    ground = await webhooksGround();
    sink = await webhookSink();
  });
  afterAll(async () => {
    await ground.close();
    await sink.close();
  });
  beforeEach(async () => {
    sink.answer({});
    for (const { id } of (await ground.call('GET', '/webhooks')).body.data) {
      await ground.call('DELETE', `/webhooks/${id}`);
    }
    sink.clear();
    held = await heldReceiver();
  });
  afterEach(() => held.close());

  const subscribe = async (events: string[], more: object = {}): Promise<string> => {
    const { status, body } = await ground.call('POST', '/webhooks', {
      target_url: `${sink.url}/hook`,
      events,
      ...more,
    });
    expect(status).toBe(200);
    return body.id as string;
  };
  const sendoutsOf = async (webhookId: string) =>
    (await ground.call('GET', `/webhook-sendouts?limit=100&source_id=${webhookId}`)).body.data as any[];
  const stateOf = (webhookId: string, state: string, count = 1) =>
    waitUntil(
      async () => (await sendoutsOf(webhookId)).filter(({ status }) => status === state).length === count,
      {
        what: `${count} sendouts ${state}`,
      },
    );
  const answerFirst = (answer: SinkAnswer): void => {
    let count = 0;
    sink.answer(() => ((count += 1) === 1 ? answer : {}));
  };
  const runNow = async (webhookId: string): Promise<void> => {
    await ground.database.query(
      `UPDATE sendouts SET next_attempt_at = now() WHERE webhook_id = $1 AND state = 'RETRYING'`,
      [webhookId],
    );
    await ground.app.app.get(LaneJobs, { strict: false }).add([{ projectId: 'proj_1', webhookId }]);
  };
  const webhook = async (id: string) => (await ground.call('GET', `/webhooks/${id}`)).body;
  // As if the twelve attempts before had failed.
  const beforeTheLastAttempt = (webhookId: string) =>
    ground.database.query(
      `UPDATE sendouts SET scheduled_attempts = 12 WHERE webhook_id = $1 AND state = 'RETRYING'`,
      [webhookId],
    );

  it('carry the envelope and both signatures', async () => {
    const id = await subscribe(['voucher.created'], { headers: { 'X-Shop': 'seven' } });
    await ground.tell('campaigns', 'voucher', {
      type: 'VoucherCreated',
      data: { voucher, code_key: 'x', campaign },
    });
    const [webhook] = await sink.waitFor(1);
    const body = webhook!.json();
    expect(body).toMatchObject({
      id: expect.stringMatching(/^whs_[0-9a-f]{32}$/),
      project_id: 'proj_1',
      type: 'voucher.created',
      source: { id, object: 'webhook', target_url: `${sink.url}/hook` },
      event: {
        id: expect.stringMatching(/^evvou_/),
        type: 'voucher.created',
        entity_id: 'v_1',
        group_id: 'v-0123456789abcdef01',
        event_source: { channel: 'API', api_key: { name: 'Server', app_id: 'eu1-app' } },
      },
    });
    expect(Object.keys(body)).toEqual(['id', 'project_id', 'created_at', 'type', 'data', 'source', 'event']);
    const raw = webhook!.rawBody.toString('utf8');
    expect(JSON.stringify(JSON.parse(raw))).toBe(raw);
    const rotated = await ground.call('POST', '/webhook-token/rotate', { grace_period_hours: 0 });
    expect(rotated.status).toBe(200);
    expect(webhook!.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Scrip-Webhooks/1.0',
      'webhook-id': body.id,
      'x-service-webhook-version': 'v2024-01-01',
      'x-shop': 'seven',
    });
  });

  it('under way end before the process does', async () => {
    const leaving = await webhooksGround();
    await leaving.call('POST', '/webhooks', { target_url: held.url, events: ['redemption.succeeded'] });
    await leaving.tell('qualification', 'redemption', succeeded('r_last'));
    await held.received(1);
    const left = leaving.close();
    // Long enough for a process that waits for nothing to be gone; one that waits passes however long it is.
    setTimeout(() => held.answer(200), 500);
    await left;
    const next = await webhooksGround(leaving.databaseUrl);
    const { data } = (await next.call('GET', '/webhook-sendouts')).body;
    await next.close();
    expect(data).toMatchObject([{ status: 'SUCCEEDED', attempts_count: 1 }]);
  });

  it('are signed with the project token, and with the one before while a rotation is young', async () => {
    await subscribe(['voucher.created']);
    const before = (await ground.call('POST', '/webhook-token/rotate', { grace_period_hours: 0 })).body
      .webhook_token;
    const after = (await ground.call('POST', '/webhook-token/rotate', {})).body.webhook_token;
    await ground.tell('campaigns', 'voucher', {
      type: 'VoucherCreated',
      data: { voucher, code_key: 'x', campaign },
    });
    const [webhook] = await sink.waitFor(1);
    const { headers, rawBody } = webhook!;
    const attemptedAt = new Date(Number(headers['webhook-timestamp']) * 1_000);
    const expected = signatureHeaders(headers['webhook-id'] as string, rawBody.toString(), attemptedAt, [
      after,
      before,
    ]);
    expect(headers).toMatchObject({
      'webhook-signature': expected['webhook-signature'],
      'x-service-signature': expected['X-Service-Signature'],
    });
  });

  it('repeat after a failure with the same id and the same bytes', async () => {
    const id = await subscribe(['redemption.succeeded']);
    answerFirst({ status: 500, body: 'no' });
    await ground.tell('qualification', 'redemption', succeeded('r_again'));
    await stateOf(id, 'RETRYING');
    await runNow(id);
    await stateOf(id, 'SUCCEEDED');
    const [first, second] = await sink.waitFor(2);
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    expect(second!.rawBody.equals(first!.rawBody)).toBe(true);
    const [sendout] = await sendoutsOf(id);
    const { attempts } = (await ground.call('GET', `/webhook-sendouts/${sendout.id}`)).body;
    expect(attempts).toMatchObject([
      { number: 1, status: 'FAILED', http_status: 500, response: 'no' },
      { number: 2, status: 'SUCCEEDED', http_status: 200 },
    ]);
  });

  it('are due again by the schedule: one minute after the first attempt, and a tenth at most', async () => {
    const id = await subscribe(['redemption.succeeded']);
    answerFirst({ status: 302, headers: { location: `${sink.url}/elsewhere` } });
    await ground.tell('qualification', 'redemption', succeeded('r_due'));
    await stateOf(id, 'RETRYING');
    const [row] = await ground.database.query(
      // It is planned in milliseconds.
      `SELECT extract(epoch FROM next_attempt_at - date_trunc('milliseconds', first_attempt_at))::float8 AS seconds
       FROM sendouts WHERE webhook_id = $1`,
      [id],
    );
    expect(row.seconds).toBeGreaterThanOrEqual(60);
    expect(row.seconds).toBeLessThanOrEqual(66);
    expect(sink.received()).toHaveLength(1);
  });

  it('are not waited for once their endpoint is deleted', async () => {
    const id = await subscribe(['redemption.succeeded']);
    sink.answer({ status: 500 });
    await ground.tell('qualification', 'redemption', succeeded('r_deleted'));
    await stateOf(id, 'RETRYING');
    expect((await ground.call('DELETE', `/webhooks/${id}`)).status).toBe(204);
    expect(await sendoutsOf(id)).toMatchObject([{ status: 'CANCELED', next_attempt_at: null }]);
  });

  it('that are under way when their endpoint is deleted end, and are not tried again', async () => {
    const id = await subscribe(['redemption.succeeded'], { target_url: held.url });
    await ground.tell('qualification', 'redemption', succeeded('r_under_way'));
    await held.received(1);
    await ground.call('DELETE', `/webhooks/${id}`);
    held.answer(500);
    await stateOf(id, 'CANCELED');
    expect((await sendoutsOf(id))[0]).toMatchObject({ attempts_count: 1, next_attempt_at: null });
  });

  it('stop at 410, and nothing is recorded until the endpoint is active again', async () => {
    const id = await subscribe(['redemption.succeeded']);
    answerFirst({ status: 410 });
    await ground.tell('qualification', 'redemption', succeeded('r_gone'));
    await stateOf(id, 'CANCELED');
    expect(await webhook(id)).toMatchObject({ active: false });
    const other = await subscribe(['redemption.succeeded']);
    await ground.tell('qualification', 'redemption', succeeded('r_missed'));
    await stateOf(other, 'SUCCEEDED');
    expect(await sendoutsOf(id)).toHaveLength(1);
    const { target_url, events } = await webhook(id);
    await ground.call('PUT', `/webhooks/${id}`, { target_url, events, active: true });
    await ground.tell('qualification', 'redemption', succeeded('r_again_active'));
    await stateOf(id, 'SUCCEEDED');
    expect(await sendoutsOf(id)).toHaveLength(2);
  });

  it('that fail for the thirteenth time disable their endpoint', async () => {
    const id = await subscribe(['redemption.succeeded']);
    sink.answer({ status: 500 });
    await ground.tell('qualification', 'redemption', succeeded('r_last'));
    await stateOf(id, 'RETRYING');
    await beforeTheLastAttempt(id);
    await runNow(id);
    await stateOf(id, 'FAILED');
    expect(await webhook(id)).toMatchObject({ active: false });
  });

  it('that fail for the thirteenth time leave an endpoint alone that took another one meanwhile', async () => {
    const id = await subscribe(['redemption.succeeded']);
    answerFirst({ status: 500 });
    await ground.tell('qualification', 'redemption', succeeded('r_poison'));
    await stateOf(id, 'RETRYING');
    await ground.tell('qualification', 'redemption', succeeded('r_healthy'));
    await stateOf(id, 'SUCCEEDED');
    await beforeTheLastAttempt(id);
    sink.answer({ status: 500 });
    await runNow(id);
    await stateOf(id, 'FAILED');
    expect(await webhook(id)).toMatchObject({ active: true });
  });

  it('asked for by hand go out at once and leave the schedule as it was', async () => {
    const id = await subscribe(['redemption.succeeded']);
    sink.answer({ status: 500 });
    await ground.tell('qualification', 'redemption', succeeded('r_by_hand'));
    await stateOf(id, 'RETRYING');
    const [before] = await sendoutsOf(id);
    expect((await ground.call('POST', `/webhook-sendouts/${before.id}/retry`)).status).toBe(202);
    await sink.waitFor(2);
    await waitUntil(async () => (await sendoutsOf(id))[0].attempts_count === 2, {
      what: 'the second attempt',
    });
    await stateOf(id, 'RETRYING');
    expect((await sendoutsOf(id))[0].next_attempt_at).toBe(before.next_attempt_at);
    sink.answer({});
    await ground.call('POST', `/webhook-sendouts/${before.id}/retry`);
    await stateOf(id, 'SUCCEEDED');
  });

  it('cannot be asked for by hand while they are under way', async () => {
    const id = await subscribe(['redemption.succeeded'], { target_url: held.url });
    await ground.tell('qualification', 'redemption', succeeded('r_busy'));
    await held.received(1);
    const [sendout] = await sendoutsOf(id);
    const { status, body } = await ground.call('POST', `/webhook-sendouts/${sendout.id}/retry`);
    expect({ status, key: body.key }).toEqual({ status: 409, key: 'sendout_in_delivery' });
    held.answer(200);
    await stateOf(id, 'SUCCEEDED');
  });

  it('of a killed worker go on within 10 s, with the same id', async () => {
    const id = await subscribe(['redemption.succeeded']);
    answerFirst({ status: 500 });
    await ground.tell('qualification', 'redemption', succeeded('r_killed'));
    await stateOf(id, 'RETRYING');
    // What a process leaves behind that was killed in the middle of the second attempt, seen at once by who looks for dead
    // workers. Its job is there once that of the first ended.
    const leaveBehind = async (manager: EntityManager): Promise<boolean> => {
      const [, jobs] = await manager.query<[unknown, number]>(
        `UPDATE webhooks_jobs._private_jobs SET locked_by = 'killed', locked_at = now(), run_at = now(), attempts = 1
         WHERE key = $1 AND locked_at IS NULL`,
        [`due:${id}`],
      );
      if (jobs !== 1) return false;
      await manager.query(
        `UPDATE webhooks_jobs._private_job_queues SET locked_by = 'killed', locked_at = now()
         WHERE queue_name = $1`,
        [`lane:${id}`],
      );
      await manager.query(
        `UPDATE sendouts SET state = 'DELIVERING', attempts = 2, scheduled_attempts = 2 WHERE webhook_id = $1`,
        [id],
      );
      return true;
    };
    await waitUntil(() => ground.database.transaction(leaveBehind), {
      what: 'the job of the second attempt',
    });
    const [first, second] = await sink.waitFor(2);
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    await stateOf(id, 'SUCCEEDED');
  });

  it('go to a URL that was corrected meanwhile', async () => {
    const { body } = await ground.call('POST', '/webhooks', {
      target_url: 'http://127.0.0.1:9/closed',
      events: ['redemption.succeeded'],
    });
    await ground.tell('qualification', 'redemption', succeeded('r_corrected'));
    await stateOf(body.id, 'RETRYING');
    await ground.call('PUT', `/webhooks/${body.id}`, {
      target_url: sink.url,
      events: ['redemption.succeeded'],
    });
    await runNow(body.id);
    await stateOf(body.id, 'SUCCEEDED');
  });
});
