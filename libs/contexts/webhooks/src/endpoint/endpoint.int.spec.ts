import { type WebhooksGround, project, webhooksGround } from '../fixtures/webhooks-ground';
import { Retention } from '../retention/retention';
import { WebhookTokens } from '../token/webhook-tokens';

const target_url = 'https://shop.example.com/hook';

describe('the management of webhooks', () => {
  let ground: WebhooksGround;

  beforeAll(async () => {
    ground = await webhooksGround();
  });
  afterAll(() => ground.close());
  beforeEach(async () => {
    for (const { id } of (await ground.call('GET', '/webhooks')).body.data) {
      await ground.call('DELETE', `/webhooks/${id}`);
    }
  });

  const create = (body: object = {}) =>
    ground.call('POST', '/webhooks', { target_url, events: ['voucher.created'], ...body });

  it('creates, reads and lists them, oldest first', async () => {
    const first = await create();
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      id: expect.stringMatching(/^wh_[0-9a-f]{32}$/),
      object: 'webhook',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      target_url,
      events: ['voucher.created'],
      active: true,
    });
    const second = await create({ active: false });
    expect(second.body.active).toBe(false);
    expect((await ground.call('GET', `/webhooks/${first.body.id}`)).body).toEqual(first.body);
    expect((await ground.call('GET', '/webhooks')).body).toEqual({
      object: 'list',
      data_ref: 'data',
      data: [first.body, second.body],
      total: 2,
    });
  });

  it('replaces the set of events and leaves an omitted `active` as it is', async () => {
    const { body } = await create({ active: false });
    const updated = await ground.call('PUT', `/webhooks/${body.id}`, {
      target_url,
      events: ['customer.created'],
    });
    expect(updated).toEqual({ status: 200, body: { ...body, events: ['customer.created'] } });
    const enabled = await ground.call('PUT', `/webhooks/${body.id}`, {
      target_url,
      events: ['customer.created'],
      active: true,
    });
    expect(enabled.body.active).toBe(true);
  });

  it('deletes them for good', async () => {
    const { body } = await create();
    expect(await ground.call('DELETE', `/webhooks/${body.id}`)).toEqual({ status: 204, body: null });
    for (const method of ['GET', 'DELETE']) {
      expect(await ground.call(method, `/webhooks/${body.id}`)).toMatchObject({
        status: 404,
        body: {
          code: 404,
          key: 'not_found',
          message: 'Resource not found',
          details: `Cannot find webhook with id ${body.id}`,
          resource_id: body.id,
          resource_type: 'webhook',
        },
      });
    }
    expect((await ground.call('PUT', `/webhooks/${body.id}`, { target_url, events: ['*'] })).status).toBe(
      404,
    );
  });

  it.each([
    [{ target_url }, "Payload must have required property 'events'"],
    [{ events: ['*'] }, "Payload must have required property 'target_url'"],
    [{ target_url, events: [] }, 'Property .events should NOT have fewer than 1 items'],
    [
      { target_url: 'http://shop.example.com', events: ['*'] },
      'Property .target_url must use the scheme https',
    ],
    [{ target_url, events: ['*'], headers: { host: 'x' } }, 'Property .headers.host cannot be set'],
  ])('refuses %j', async (body, details) => {
    expect(await ground.call('POST', '/webhooks', body)).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details },
    });
  });

  it('lets a project have 50 and no more, also when 60 are created at once', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => create()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
    expect(answers.find(({ status }) => status === 400)?.body.details).toBe(
      'A project can have at most 50 webhooks',
    );
    expect((await ground.call('GET', '/webhooks')).body.total).toBe(50);
  });

  it('shows header values to nobody, and stores them sealed', async () => {
    const { body } = await create({ headers: { Authorization: 'Bearer hush-hush' } });
    await ground.call('PUT', `/webhooks/${body.id}`, {
      target_url,
      events: ['*'],
      headers: { Authorization: 'Bearer hush-hush-2' },
    });
    const shown = JSON.stringify(await ground.call('GET', `/webhooks/${body.id}`));
    const stored = await ground.database.query(
      `SELECT (SELECT json_agg(e) FROM events e)::text || (SELECT json_agg(t) FROM endpoints t)::text
         || (SELECT json_agg(h) FROM endpoint_headers h)::text AS all`,
    );
    expect(shown).not.toContain('hush');
    expect(stored[0].all).not.toContain('hush');
  });

  it('sends stored headers to no other origin unless they are sent again', async () => {
    const { body } = await create({ headers: { Authorization: 'Bearer hush' } });
    const put = (change: object) =>
      ground.call('PUT', `/webhooks/${body.id}`, { target_url, events: ['*'], ...change });
    const elsewhere = 'https://other.example.com/hook';
    expect(await put({ target_url: elsewhere })).toMatchObject({
      status: 400,
      body: {
        key: 'invalid_payload',
        details: 'Property .headers must be sent again, or as {}, when .target_url changes its origin',
      },
    });
    expect((await ground.call('GET', `/webhooks/${body.id}`)).body.target_url).toBe(target_url);
    expect((await put({ target_url: `${target_url}/other-path` })).status).toBe(200);
    expect((await put({ target_url: 'https://shop.example.com:8443/hook' })).status).toBe(400);
    expect((await put({ target_url: elsewhere, headers: { Authorization: 'Bearer new' } })).status).toBe(200);
    expect((await put({ target_url, headers: {} })).status).toBe(200);
    expect((await put({ target_url: elsewhere })).status).toBe(200);
  });

  it('makes one token for a project, however many ask first', async () => {
    await ground.database.query('DELETE FROM webhook_tokens');
    const tokens = ground.app.app.get(WebhookTokens, { strict: false });
    const answers = await Promise.all(Array.from({ length: 20 }, () => tokens.of(project.id)));
    expect(new Set(answers.flat()).size).toBe(1);
    const [[token]] = answers as [[string]];
    expect(token).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const [row] = await ground.database.query('SELECT sealed FROM webhook_tokens');
    expect(row.sealed).not.toContain(token.slice(6));
  });

  it('forgets a replaced token when its grace has ended, and not before', async () => {
    const tokens = ground.app.app.get(WebhookTokens, { strict: false });
    const retention = ground.app.app.get(Retention, { strict: false });
    const previous = async () =>
      (await ground.database.query('SELECT previous_sealed FROM webhook_tokens'))[0].previous_sealed;
    await tokens.rotate(project.id, 1);
    await retention.prune();
    expect(await previous()).not.toBeNull();
    await ground.database.query(`UPDATE webhook_tokens SET previous_until = now() - interval '1 s'`);
    await retention.prune();
    expect(await previous()).toBeNull();
  });
});
