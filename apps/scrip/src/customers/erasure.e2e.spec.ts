import { Bootstrap } from '@scrip/auth';
import { httpCall } from '@scrip/edge/testing';
import { newId, Secret } from '@scrip/kernel';
import { waitUntil } from '@scrip/testing';
import { Client } from 'pg';
import { bootShape, type RunningShape } from '../e2e/running-shape.fixture';

type Json = Record<string, any>;

const headers = {
  'Content-Type': 'application/json',
  'X-App-Id': 'app',
  'X-App-Token': 'server-secret',
  'X-Management-Id': 'boss',
  'X-Management-Token': 'boss-secret',
};

/** What only the person can have said. */
const secrets = [
  'secret-source',
  'Grace Secret',
  'secret@example.com',
  '+48secret',
  'Secretville',
  'secret-size',
];
const person = {
  source_id: secrets[0],
  name: secrets[1],
  email: secrets[2],
  phone: secrets[3],
  address: { city: secrets[4] },
  metadata: { size: secrets[5] },
};

describe('permanent deletion (reference 07 §3, reference 06 §9.3)', () => {
  let shape: RunningShape;
  let database: Client;

  beforeAll(async () => {
    shape = await bootShape();
    await shape
      .of('auth')
      .get(Bootstrap, { strict: false })
      .run({
        projectId: 'proj_1',
        appId: 'app',
        appToken: new Secret('server-secret'),
        clientAppId: 'web',
        clientToken: new Secret('client-secret'),
        managementId: 'boss',
        managementToken: new Secret('boss-secret'),
        clientTrustedDomains: [],
        clientSwitches: {},
      });
    database = new Client({ connectionString: shape.databaseUrl });
    await database.connect();
    await ask('POST', '/management/v1/projects/proj_1/webhooks', {
      target_url: 'https://127.0.0.1:1/hook',
      events: ['*'],
    });
  }, 240_000);
  afterAll(async () => {
    await database?.end();
    await shape?.close();
  });

  const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: Json, more = {}) => {
    const answer = await httpCall(shape.url)({
      method,
      path,
      headers: { ...headers, ...more },
      ...(body === undefined ? {} : { body }),
    });
    return { status: answer.status, body: answer.body as Json };
  };
  const ask = async (...request: Parameters<typeof call>): Promise<Json> => {
    const { status, body } = await call(...request);
    if (status > 299) throw new Error(`${request.join(' ')}: ${status} ${JSON.stringify(body)}`);
    return body;
  };

  /** Tables that have one of the texts in a row, in every schema. */
  const tablesWith = async (texts: readonly string[]): Promise<string[]> => {
    const { rows: tables } = await database.query<{ name: string }>(
      `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast') ORDER BY 1`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const { rows } = await database.query(
        `SELECT 1 FROM ${name} t WHERE EXISTS (SELECT FROM unnest($1::text[]) s WHERE strpos(t::text, s) > 0) LIMIT 1`,
        [texts],
      );
      if (rows.length > 0) found.push(name);
    }
    return found;
  };

  /** Known by each part that keeps something of a customer: profile, answers for repetitions, webhooks, an order. */
  const knownCustomer = async (): Promise<string> => {
    const keyed = () => ({ 'Idempotency-Key': newId('key_') });
    const { id } = await ask('POST', '/v1/customers', person, keyed());
    await ask('PUT', `/v1/customers/${id}`, { description: 'Secretville' });
    const campaign = await ask('POST', '/v1/campaigns', {
      name: newId('campaign '),
      campaign_type: 'DISCOUNT_COUPONS',
      vouchers_count: 1,
      voucher: {
        type: 'DISCOUNT_VOUCHER',
        discount: { type: 'PERCENT', percent_off: 10 },
        redemption: { quantity: null },
      },
    });
    const code = newId('CODE-');
    await ask('POST', `/v1/campaigns/${campaign.id}/vouchers/${code}`, {});
    const request = {
      redeemables: [{ object: 'voucher', id: code }],
      order: { amount: 1_000 },
      customer: person,
    };
    await ask('POST', '/v1/validations', request, keyed());
    await ask('POST', '/v1/redemptions', request, keyed());
    const expected = [
      'customers.customer_keys',
      'customers.idempotency_keys',
      'qualification.idempotency_keys',
      'webhooks.public_events',
      'webhooks.sendout_payloads',
    ];
    await waitUntil(
      async () => {
        const tables = await tablesWith(secrets);
        return expected.every((table) => tables.includes(table));
      },
      { what: `the person in ${expected.join(', ')}` },
    );
    return id as string;
  };

  it.each([
    ['of a live customer', false],
    ['of a deleted one', true],
  ])('%s leaves no table that tells who it was', async (_, deletedBefore) => {
    const id = await knownCustomer();
    if (deletedBefore) await ask('DELETE', `/v1/customers/${id}`);
    const erased = await ask('POST', `/v1/customers/${id}/permanent-deletion`, {});
    expect(erased).toEqual({
      id: expect.stringMatching(/^del_[0-9a-f]{32}$/),
      created_at: expect.stringMatching(/Z$/),
      related_object_id: id,
      related_object: 'customer',
      status: 'DONE',
      data_json: {
        events: 0,
        customer_events: deletedBefore ? 3 : 2,
        daily_events: 0,
        segments: 0,
        orders: 1,
        order_events: 2,
        customer: 1,
      },
      object: 'pernament_deletion',
    });
    let left: string[] = [];
    await waitUntil(async () => (left = await tablesWith(secrets)).length === 0, { what: 'the purge' }).catch(
      () => undefined,
    );
    expect(left).toEqual([]);
    const told = async () =>
      (
        await database.query<{ data: string }>(
          `SELECT data FROM webhooks.public_events WHERE entity_id = $1 AND kind = 'customer.deleted'`,
          [id],
        )
      ).rows.map(({ data }) => JSON.parse(data) as Json);
    await waitUntil(async () => (await told()).length === 1, { what: 'customer.deleted' });
    expect((await told())[0]?.customer).toMatchObject({
      id,
      metadata: {},
      address: null,
      object: 'customer',
    });
    expect(await tablesWith(secrets)).toEqual([]);
  });

  it('is done once, whatever the customer is called by', async () => {
    const { id } = await ask('POST', '/v1/customers', { source_id: 'once' });
    const headersOnce = { 'Idempotency-Key': newId('key_') };
    const erased = await ask('POST', '/v1/customers/once/permanent-deletion', {}, headersOnce);
    expect(erased.related_object_id).toBe(id);
    expect(await ask('POST', '/v1/customers/once/permanent-deletion', {}, headersOnce)).toEqual(erased);
    for (const named of [id, 'once', 'cust_none'])
      for (const [method, path] of [
        ['GET', ''],
        ['DELETE', ''],
        ['POST', '/permanent-deletion'],
      ] as const)
        expect(
          await call(method, `/v1/customers/${named}${path}`, method === 'POST' ? {} : undefined),
        ).toMatchObject({
          status: 404,
          body: { key: 'not_found', details: `Cannot find customer with id ${named}` },
        });
    expect((await ask('POST', '/v1/customers', { source_id: 'once' })).id).not.toBe(id);
  });

  it('of 20 callers at the same time succeeds for one', async () => {
    const { id } = await ask('POST', '/v1/customers', { name: 'Contended' });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call('POST', `/v1/customers/${id}/permanent-deletion`, {})),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array.from({ length: 19 }, () => 404),
    ]);
  });
});
