import { type SharedScrip, sharedScrip } from '@scrip/testing';
import { randomUUID } from 'node:crypto';

const projects = '/management/v1/projects';
const page = {
  'X-Scrip-Dashboard': '1',
  'Sec-Fetch-Site': 'same-origin',
  'Content-Type': 'application/json',
};
const newPassword = 'hedge-trimmer-27-violet';

describe('users of projects', () => {
  let scrip: SharedScrip;

  beforeAll(async () => {
    scrip = await sharedScrip();
  }, 240_000);

  const manage = (method: string, path: string, body?: unknown) =>
    scrip.callAsManager(method, projects + path, body);
  const invited = async (role = 'USER') => {
    const email = `${randomUUID()}@example.com`;
    const body = {
      ...{ email, first_name: 'Tom', last_name: 'King' },
      projects: { [scrip.credentials.project_id]: role },
    };
    const { status, headers } = await manage('POST', '/users/invite', body);
    expect(status).toBe(204);
    const { body: list } = await manage('GET', `/${scrip.credentials.project_id}/users`);
    const { id } = list.data.find(({ login }: { login: string }) => login === email) as { id: string };
    return { id, email, password: headers.get('x-scrip-one-time-password') ?? '' };
  };
  const create = (users: object[]) => {
    const project = { name: 'Shop', case_sensitive_codes: true, timezone: 'UTC', currency: 'EUR' };
    return manage('POST', '', { ...project, users });
  };

  it('are those who are named when it is created, and the owners', async () => {
    const tom = await invited();
    const { status, body } = await create([
      { login: tom.email.toUpperCase(), role: 'MERCHANT' },
      { login: 'admin', role: 'ADMIN' },
    ]);
    expect([status, body.server_side_key]).toEqual([200, expect.anything()]);
    const { body: list } = await manage('GET', `/${body.id}/users`);
    expect(list.total).toBe(2);
    expect(list.data.find(({ id }: { id: string }) => id === tom.id).projects).toEqual({
      [scrip.credentials.project_id]: 'USER',
      [body.id]: 'MERCHANT',
    });
    expect(list.data.find(({ login }: { login: string }) => login === 'admin')).toMatchObject({
      projects: { [body.id]: 'ADMIN' },
      role: 'ADMIN',
      is_owner: true,
    });
    expect((await manage('DELETE', `/${body.id}`)).status).toBe(204);
    const { body: left } = await manage('GET', `/${scrip.credentials.project_id}/users/${tom.id}`);
    expect(left.projects).toEqual({ [scrip.credentials.project_id]: 'USER' });
  });

  test.each<[string, (tom: string) => object[], number, string, string]>([
    [
      'nobody named',
      () => [{ role: 'USER' }],
      ...([400, 'invalid_payload'] as const),
      'Property .users[0] must have exactly one of the properties id and login',
    ],
    [
      'no role',
      (tom) => [{ id: tom }],
      400,
      'invalid_payload',
      "Property .users[0] must have required property 'role'",
    ],
    [
      'an unknown user',
      () => [{ id: 'user_0', role: 'USER' }],
      ...([404, 'not_found', 'Cannot find user with id user_0'] as const),
    ],
    [
      'an unknown role',
      (id) => [{ id, role: 'X' }],
      ...([
        400,
        'used_incorrect_role',
        "The role 'X' is incorrect. It should be one of ADMIN, USER, VIEWER, MERCHANT, USER_RESTRICTED",
      ] as const),
    ],
    [
      'an owner with another role',
      () => [{ login: 'admin', role: 'USER' }],
      ...([400, 'used_incorrect_role'] as const),
      "The role 'USER' is incorrect: an owner is ADMIN in every project",
    ],
    [
      'a user named twice',
      (id) => [
        { id, role: 'USER' },
        { id, role: 'VIEWER' },
      ],
      ...([400, 'invalid_payload', 'Property .users[1] names user {tom} again'] as const),
    ],
  ])('are not created together with a project: %s', async (_, users, status, key, details) => {
    const tom = await invited();
    expect(await create(users(tom.id))).toMatchObject({
      status,
      body: { key, details: details.replace('{tom}', tom.id) },
    });
    expect((await manage('GET', `/${scrip.credentials.project_id}/users/${tom.id}`)).body.projects).toEqual({
      [scrip.credentials.project_id]: 'USER',
    });
  });

  it('sign in with the password of the invitation, change it, and see the secret of webhooks for a while', async () => {
    const { email, password } = await invited('ADMIN');
    const dashboard = (method: string, path: string, cookie: string, body?: object) =>
      fetch(scrip.origin + path, {
        method,
        headers: { ...page, cookie },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
    const cookieOf = (answer: Response) => (answer.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
    const begun = await dashboard('POST', '/dashboard/api/session', '', { login: email, password });
    expect(begun.status).toBe(200);
    const mine = `${projects}/${scrip.credentials.project_id}`;
    expect((await dashboard('GET', mine, cookieOf(begun))).status).toBe(403);
    const changed = await dashboard('PUT', '/dashboard/api/session/password', cookieOf(begun), {
      ...{ current_password: password, password: newPassword },
    });
    expect(changed.status).toBe(200);
    const shown = await dashboard('GET', mine, cookieOf(changed));
    expect((await shown.json()) as object).toMatchObject({
      webhook_token: expect.stringMatching(/^whsec_/) as string,
    });
  });
});
