import { discard, type Scrip, type ScripProject, startScripOnTestServers, waitUntil } from '@scrip/testing';

interface Keys {
  app_id: string;
  app_token: string;
}

describe('the log of API calls', () => {
  let scrip: Scrip;

  beforeAll(async () => {
    scrip = await startScripOnTestServers({ environment: { SCRIP_API_LOG: 'true' } });
  }, 240_000);
  afterAll(() => scrip && discard(scrip));

  const linesOf = async (parameters: object, call: ScripProject['call'] = scrip.call): Promise<string[]> => {
    const { status, body } = await call('POST', '/v1/exports', { exported_object: 'api_log', parameters });
    expect([status, body]).toMatchObject([200, { status: 'SCHEDULED' }]);
    let shown: any;
    await waitUntil(
      async () => {
        shown = (await call('GET', `/v1/exports/${body.id}`)).body;
        return shown.status === 'DONE';
      },
      { what: 'the export of the log' },
    );
    return (await (await fetch(shown.result.url)).text()).trimEnd().split('\r\n');
  };
  const loggedAs = async (requestId: string): Promise<string> => {
    const fields = ['request_id', 'status', 'channel', 'method', 'endpoint', 'url', 'app_id'];
    let line: string | undefined;
    await waitUntil(
      async () => {
        const lines = await linesOf({ fields, order: 'created_at' });
        line = lines.find((one) => one.startsWith(requestId));
        return line !== undefined;
      },
      { what: 'the call in the log' },
    );
    return line as string;
  };
  const idOf = ({ headers }: { headers: Headers }): string => headers.get('x-request-id') as string;

  it('has what was called and how it ended, without codes, source ids and e-mail addresses', async () => {
    const { app_id } = scrip.credentials;
    const source_id = 'ada@example.com';
    const created = await scrip.call('POST', '/v1/customers', { source_id, email: source_id });
    const read = await scrip.call('GET', `/v1/customers/${source_id}?expand=${source_id}`);
    const missing = await scrip.call('GET', '/v1/vouchers/SECRET-CODE');
    const deleted = await scrip.call('POST', `/v1/customers/${source_id}/permanent-deletion`);
    expect([read.status, missing.status, deleted.status]).toEqual([200, 404, 200]);

    expect(await loggedAs(idOf(deleted))).toBe(
      `${idOf(deleted)},200,API,POST,/v1/customers/{customerId}/permanent-deletion,/v1/customers/***/permanent-deletion,${app_id}`,
    );
    const defaults = await linesOf({ order: 'created_at' });
    expect(defaults[0]).toBe('ID,Created At,Status,Request ID,Channel,Method,Endpoint,URL');
    const called = [created, read, missing].map(idOf);
    expect(
      defaults
        .map((line) => line.split(','))
        .filter((cells) => called.includes(cells[3] as string))
        .map(([id, createdAt, ...cells]) => [/^log_/.test(id!), /Z$/.test(createdAt!), cells.join(',')]),
    ).toEqual([
      [true, true, `${created.status},${idOf(created)},API,POST,/v1/customers,/v1/customers`],
      [true, true, `200,${idOf(read)},API,GET,/v1/customers/{customerId},/v1/customers/***?...`],
      [true, true, `404,${idOf(missing)},API,GET,/v1/vouchers/{code},/v1/vouchers/***`],
    ]);
    expect(defaults.join('\n')).not.toMatch(/ada(@|%40)|example|SECRET/);
    const refused = await linesOf({ filters: { status: { conditions: { $is: [404] } } } });
    expect(refused).toHaveLength(2);
    expect(refused[1]).toContain(idOf(missing));
  });

  it('has no calls of other projects', async () => {
    const other = await scrip.manage<{ server_side_key: Keys }>('POST', '/management/v1/projects', {
      ...{ name: 'Other', case_sensitive_codes: true, timezone: 'Europe/Warsaw', currency: 'EUR' },
    });
    const { app_id, app_token } = other.server_side_key;
    const keys = { 'x-app-id': app_id, 'x-app-token': app_token };
    const callOther: ScripProject['call'] = (method, path, body) => scrip.call(method, path, body, keys);
    const own = idOf(await scrip.call('GET', '/v1/products'));
    await loggedAs(own);
    const others = idOf(await callOther('GET', '/v1/products'));
    let lines: string[] = [];
    await waitUntil(
      async () => {
        lines = await linesOf({ fields: ['request_id', 'app_id'] }, callOther);
        return lines.some((line) => line.startsWith(others));
      },
      { what: "the other project's call" },
    );
    expect(new Set(lines.slice(1).map((line) => line.split(',')[1]))).toEqual(new Set([app_id]));
    const mine = await linesOf({ fields: ['app_id'] });
    expect(new Set(mine.slice(1))).toEqual(new Set([scrip.credentials.app_id]));
  });
});
