import { Bootstrap } from '@scrip/auth';
import { httpCall } from '@scrip/edge/testing';
import { newId, Secret } from '@scrip/kernel';
import { customersContext } from '@scrip/customers';
import { BatchTable } from '@scrip/tasks';
import { waitUntil } from '@scrip/testing';
import { Client, escapeLiteral } from 'pg';
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
    const hasText = 'EXISTS (SELECT FROM unnest($1::text[]) s WHERE strpos(t::text, s) > 0)';
    const { rows } = await database.query<{ name: string }>(
      tables
        .map(
          ({ name }) =>
            `SELECT ${escapeLiteral(name)} AS name WHERE EXISTS (SELECT FROM ${name} t WHERE ${hasText})`,
        )
        .join(' UNION ALL '),
      [texts],
    );
    return rows.map(({ name }) => name);
  };

  /** Known by each part that keeps something of a customer: profile, answers for repetitions, webhooks, an order. */
  const knownCustomer = async (): Promise<{ id: string; redemption: Json; request: Json }> => {
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
    const redeemed = await ask('POST', '/v1/redemptions', request, keyed());
    const published = { voucher: code, customer: { source_id: person.source_id } };
    await ask('POST', '/v1/publications', published, keyed());
    const expected = [
      'campaigns.idempotency_keys',
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
    return { id: id as string, redemption: redeemed.redemptions[0] as Json, request };
  };

  it.each([
    ['of a live customer', false],
    ['of a deleted one', true],
  ])('%s leaves no table that tells who it was', async (_, deletedBefore) => {
    const { id, redemption, request } = await knownCustomer();
    const encoded = redemption.tracking_id as string;
    expect(encoded).toMatch(/^track_/);
    const shown = async () => (await ask('GET', `/v1/redemptions/${redemption.id}`)).tracking_id;
    expect(await shown()).toBe(encoded);
    const said = [...secrets, encoded];
    if (deletedBefore) await ask('DELETE', `/v1/customers/${id}`);
    const erased = await ask('POST', `/v1/customers/${id}/permanent-deletion`, {});
    expect(erased).toEqual({
      id: expect.stringMatching(/^del_[0-9a-f]{32}$/),
      created_at: expect.stringMatching(/Z$/),
      related_object_id: id,
      related_object: 'customer',
      status: 'DONE',
      data_json: {
        events: expect.any(Number),
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
    await waitUntil(async () => (left = await tablesWith(said)).length === 0, { what: 'the purge' }).catch(
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
    expect(await tablesWith(said)).toEqual([]);
    // A tracking id that was given out before does not bring the source id back.
    expect(await shown()).toBeNull();
    const again = { ...request, customer: { source_id: encoded } };
    expect(await call('POST', '/v1/redemptions', again)).toMatchObject({
      status: 404,
      body: { key: 'not_found', details: `Cannot find customer with id ${encoded}` },
    });
    expect(await tablesWith(said)).toEqual([]);
  });

  describe('and tasks', () => {
    const taskOf = async (path: string, body: Json): Promise<string> =>
      (await ask('POST', path, body)).async_action_id as string;
    const importCsv = async (rows: readonly string[]): Promise<string> => {
      const form = new FormData();
      form.append('mapping', '{"Who": "Source_id"}');
      form.append('file', new Blob([`Who,Name,Email\n${rows.join('\n')}\n`]), 'customers.csv');
      const { 'Content-Type': _, ...sent } = headers;
      const answer = await fetch(`${shape.url}/v1/customers/importCSV`, {
        method: 'POST',
        headers: sent,
        body: form,
      });
      expect(answer.status).toBe(202);
      return ((await answer.json()) as Json).async_action_id as string;
    };
    const [sourceId, name, email] = secrets;
    const person = { source_id: sourceId, name, email };
    /** Tasks of all kinds that name the customer in the last of their inputs, behind `before` others. */
    const naming = async (before: number, what: string): Promise<string[]> => {
      const others = Array.from({ length: before }, (_, index) => `${what}-${index}`);
      return [
        await importCsv([...others.map((id) => `${id},,`), `${sourceId},${name},${email}`]),
        await taskOf('/v1/customers/bulk/async', [
          ...others.map((source_id) => ({ source_id })),
          person,
        ] as Json),
        await taskOf('/v1/customers/metadata/async', {
          source_ids: [...others, sourceId],
          metadata: { newsletter: true },
        }),
        await taskOf('/v1/orders/import', [
          ...others.map((source_id) => ({ source_id, customer: { source_id } })),
          { source_id: `past-${what}`, customer: person },
          { source_id: `referred-${what}`, referrer: { source_id: sourceId } },
          { source_id: `bad-${what}`, customer: { ...person, id: 'cust_none' } },
        ] as Json),
      ];
    };
    const ended = async (id: string): Promise<Json> => {
      let task: Json = {};
      await waitUntil(
        async () => {
          task = await ask('GET', `/v1/async-actions/${id}`);
          return ['DONE', 'FAILED'].includes(task.status as string);
        },
        { what: `the end of ${id}`, timeoutMs: 200_000 },
      );
      return task;
    };
    /** All inputs and results of tasks of customers, opened. */
    const chunks = async (): Promise<string> => {
      const batches = shape.of('customers').select(customersContext.module).get(BatchTable, { strict: true });
      const found = await batches.chunksAfter(
        { projectId: 'proj_1', until: new Date(Date.now() + 60_000) },
        { taskId: '', position: -1 },
        10_000,
      );
      return JSON.stringify(found.map(({ inputs, results }) => ({ inputs, results })));
    };
    const exportOfPeople = async (): Promise<string> => {
      const { id } = await ask('POST', '/v1/exports', {
        exported_object: 'customer',
        parameters: { fields: ['source_id', 'name'] },
      });
      await waitUntil(async () => (await ask('GET', `/v1/exports/${id}`)).status === 'DONE', {
        what: 'the export',
      });
      return id as string;
    };

    it('that named the customer before it and during it name nobody, and create nobody again', async () => {
      const before = await naming(3, 'before');
      for (const task of before) await ended(task);
      const { id } = await ask('GET', `/v1/customers/${sourceId}`);
      const exported = await exportOfPeople();
      expect(await chunks()).toContain(sourceId);
      // The first chunk waits for its first customer, and all tasks of the project behind it.
      const first = await ask('POST', '/v1/customers', { source_id: 'during-0' });
      await database.query('BEGIN');
      await database.query('SELECT FROM customers.customers WHERE id = $1 FOR UPDATE', [first.id]);
      const during = await naming(250, 'during');
      await ask('POST', `/v1/customers/${id}/permanent-deletion`, {});
      await database.query('COMMIT');
      const [csv, bulk, metadata, orders] = await Promise.all(during.map(ended));
      for (const task of [csv, bulk, metadata])
        expect(task?.result).toMatchObject({ done_count: 250, failed_count: 1 });
      expect(bulk?.result.errors).toEqual([
        {
          key: 'not_found',
          message: 'Resource not found',
          details: 'The customer was deleted permanently meanwhile',
        },
      ]);
      expect(orders?.result.failed.map(({ source_id }: Json) => source_id)).toEqual([
        'past-during',
        'referred-during',
        'bad-during',
      ]);
      expect((await call('GET', `/v1/customers/${sourceId}`)).status).toBe(404);
      let kept: string[] = [];
      await waitUntil(
        async () => {
          const text = await chunks();
          kept = secrets.filter((secret) => text.includes(secret));
          return kept.length === 0;
        },
        { what: 'the purge of tasks' },
      ).catch(() => undefined);
      expect(kept).toEqual([]);
      expect((await ended(before[3]!)).result.failed).toEqual([
        expect.objectContaining({ source_id: 'bad-before' }),
      ]);
      expect((await call('GET', `/v1/exports/${exported}`)).status).toBe(404);
      await waitUntil(async () => (await tablesWith(secrets)).length === 0, { what: 'the purge' });
      for (const text of [...(await shape.published()), shape.logged()])
        expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
      // Sent after the deletion they mean another customer.
      for (const task of await naming(0, 'after')) await ended(task);
      expect((await ask('GET', `/v1/customers/${sourceId}`)).id).not.toBe(id);
    });
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
