import { type SharedScrip, sharedScrip, waitUntil } from '@scrip/testing';
import { randomUUID } from 'node:crypto';

const projects = '/management/v1/projects';
const page = {
  'X-Scrip-Dashboard': '1',
  'Sec-Fetch-Site': 'same-origin',
  'Content-Type': 'application/json',
};

interface Entry {
  action: string;
  resource_id: string | null;
  actor: object;
  changes: object;
}

describe('the audit trail of a project', () => {
  let scrip: SharedScrip;
  let projectId = '';
  let userId = '';
  let cookie = '';

  const manage = (method: string, path: string, body?: unknown) =>
    scrip.callAsManager(method, projects + path, body);
  const dashboard = (method: string, path: string, body?: object) =>
    fetch(`${scrip.origin}/dashboard/api${path}`, {
      method,
      headers: { ...page, Cookie: cookie, 'X-Scrip-Project': projectId },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const entries = async (filter: string): Promise<Entry[]> => {
    const answer = await dashboard('GET', `/audit?${filter}`);
    return ((await answer.json()) as { data: Entry[] }).data;
  };
  const actionsOf = async (filter: string): Promise<string[]> =>
    (await entries(filter)).map(({ action }) => action);

  beforeAll(async () => {
    scrip = await sharedScrip();
    const email = `${randomUUID()}@example.com`;
    const own = scrip.credentials.project_id;
    const { headers } = await manage('POST', '/users/invite', {
      ...{ email, first_name: 'Tom', last_name: 'King', projects: { [own]: 'ADMIN' } },
    });
    const { body: users } = await manage('GET', `/${own}/users`);
    userId = users.data.find(({ login }: { login: string }) => login === email).id;
    const { body: project } = await manage('POST', '', {
      ...{ name: 'Shop', case_sensitive_codes: true, timezone: 'UTC', currency: 'EUR' },
      users: [{ login: email, role: 'ADMIN' }],
    });
    projectId = project.id;
    const first = headers.get('x-scrip-one-time-password') ?? '';
    const session = await dashboard('POST', '/session', { login: email, password: first });
    cookie = session.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const changed = await dashboard('PUT', '/session/password', {
      ...{ current_password: first, password: `hedge-${randomUUID()}` },
    });
    cookie = changed.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  }, 240_000);

  it('has the roles that its creation gave', async () => {
    expect(await entries(`resource_id=${userId}`)).toMatchObject([
      { action: 'user.role_assigned', changes: { role: 'ADMIN', before: null }, actor: { type: 'api_key' } },
    ]);
  });

  it('has what becomes of endpoints of webhooks, without what their addresses hide', async () => {
    const { body: webhook } = await manage('POST', `/${projectId}/webhooks`, {
      ...{
        target_url: 'https://shop.example.com/hook?key=secret',
        events: ['voucher.created'],
        active: false,
      },
    });
    await manage('PUT', `/${projectId}/webhooks/${webhook.id}`, {
      ...{ target_url: 'https://shop.example.com/hook?key=secret', events: ['voucher.deleted'] },
    });
    await manage('DELETE', `/${projectId}/webhooks/${webhook.id}`);
    await waitUntil(async () => (await entries(`resource_id=${webhook.id}`)).length === 3, {
      what: 'entries of an endpoint',
    });
    const found = await entries(`resource_id=${webhook.id}`);
    const origin = 'https://shop.example.com';
    expect(found).toMatchObject([
      { action: 'webhook.deleted', actor: { type: 'api_key' } },
      { action: 'webhook.updated', changes: { origin, events: ['voucher.deleted'], active: false } },
      { action: 'webhook.created', changes: { origin, events: ['voucher.created'], active: false } },
    ]);
    expect(JSON.stringify(found)).not.toContain('secret');
  });

  it('has rotations of the token that signs webhooks when they are answered', async () => {
    const { body } = await manage('POST', `/${projectId}/webhook-token/rotate`, {});
    const found = await entries('action=webhook_token.rotated');
    expect(found).toMatchObject([{ resource_id: null, actor: { type: 'api_key' }, changes: {} }]);
    expect(JSON.stringify(found)).not.toContain(body.webhook_token);
  });

  it('has templates that users copy, where they may change settings in both projects', async () => {
    const own = scrip.credentials.project_id;
    const voucher = { discount: { type: 'PERCENT', percent_off: 10 } };
    await scrip.ask('POST', '/v1/campaigns', { name: 'kept', campaign_type: 'DISCOUNT_COUPONS', voucher });
    const { id } = await scrip.ask<any>('POST', '/v1/templates/campaigns', {
      ...{ name: 'kept', campaign_id: 'kept' },
    });
    const copyTo = async (destination: string) => {
      const answer = await fetch(`${scrip.origin}${projects}/${own}/templates/campaigns/${id}/copy`, {
        ...{ method: 'POST', headers: { ...page, Cookie: cookie } },
        body: JSON.stringify({ name: 'copied', destination_project_id: destination }),
      });
      return [answer.status, (await answer.json()) as { id: string }] as const;
    };
    const { body: viewed } = await manage('POST', '', {
      ...{ name: 'Seen', case_sensitive_codes: true, timezone: 'UTC', currency: 'EUR' },
      users: [{ id: userId, role: 'VIEWER' }],
    });
    expect(await copyTo(viewed.id)).toMatchObject([403, { key: 'missing_required_permission' }]);
    const details = 'The user has no role in project proj_none';
    expect(await copyTo('proj_none')).toMatchObject([403, { key: 'forbidden', details }]);

    const [status, copied] = await copyTo(projectId);
    expect(status).toBe(200);
    const told = `action=campaign_template.copied&resource_id=${copied.id}`;
    await waitUntil(async () => (await entries(told)).length > 0, { what: 'an entry of a copy' });
    expect(await entries(told)).toMatchObject([
      { actor: { type: 'user', id: userId }, changes: { source_id: id, source_project_id: own } },
    ]);
  });

  it('has exports, by whom they were ordered', async () => {
    const answer = await fetch(`${scrip.origin}/v1/exports`, {
      ...{ method: 'POST', headers: { ...page, Cookie: cookie, 'X-Scrip-Project': projectId } },
      body: JSON.stringify({ exported_object: 'voucher', parameters: {} }),
    });
    const { id } = (await answer.json()) as { id: string };
    const told = `action=export.ordered&resource_id=${id}`;
    await waitUntil(async () => (await entries(told)).length > 0, { what: 'an entry of an export' });
    expect(await entries(told)).toMatchObject([
      { actor: { type: 'user', id: userId }, changes: { exported_object: 'voucher' } },
    ]);
  });

  it('has keys that users issue and block, once they entered the password again', async () => {
    const inSession = { ...page, Cookie: cookie };
    const call = async (method: string, path: string, body?: object) => {
      const answer = await fetch(`${scrip.origin}${projects}/${projectId}/keys${path}`, {
        method,
        headers: inSession,
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      return (await answer.json()) as { id: string; secret: string };
    };
    const { id, secret } = await call('POST', '', { name: 'Till', kind: 'client' });
    await call('PUT', `/${id}`, { active: false });
    expect(await actionsOf(`resource_id=${id}`)).toEqual(['key.blocked', 'api_key.issued']);
    const found = await entries(`resource_id=${id}`);
    expect(found[0]?.actor).toEqual({ type: 'user', id: userId });
    expect(JSON.stringify(found)).not.toContain(secret);
  });
});
