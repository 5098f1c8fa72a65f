import type { FakeCoordinator } from '@scrip/claims/testing';
import { qualificationPort } from '@scrip/contracts/qualification';
import { servedPortToken } from '@scrip/rpc';
import { waitUntil } from '@scrip/testing';
import { type Answer, bootCustomers, type CustomersOverHttp } from '../customers-http.fixture';

const filter = { city: { conditions: { $is: 'London' } } };

describe('segments', () => {
  let fixture: CustomersOverHttp;
  let ada: string;
  let bob: string;

  beforeAll(async () => {
    fixture = await bootCustomers('segments');
    ada = await fixture.customer({ source_id: 'ada' });
    bob = await fixture.customer({ source_id: 'bob / 2' });
  });
  afterAll(() => fixture?.running.close());

  const create = (body: unknown, project?: string) => fixture.call('POST', '/v1/segments', body, project);
  const segmentsOf = async (customer: string): Promise<string[]> => {
    const { status, body } = await fixture.call(
      'GET',
      `/v1/customers/${encodeURIComponent(customer)}/segments`,
    );
    expect([status, body.object, body.data_ref, body.total]).toEqual([200, 'list', 'data', body.data.length]);
    return body.data.map(({ name }: { name: string }) => name);
  };
  const members = (id: string) =>
    fixture.database.query<unknown[]>('SELECT FROM segment_members WHERE segment_id = $1', [id]);

  it('are shown as they were created: every value in a list, the junction in lower case', async () => {
    const { status, body } = await create({ name: 'Londoners', filter: { ...filter, junction: 'OR' } });
    expect([status, body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^seg_[0-9a-f]{32}$/),
        name: 'Londoners',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        type: 'passive',
        filter: { junction: 'or', city: { conditions: { $is: ['London'] } } },
        object: 'segment',
      },
    ]);
    expect((await fixture.call('GET', `/v1/segments/${body.id}`)).body).toEqual(body);
  });

  it('have the customers that a static one was created with', async () => {
    const { body } = await create({ name: 'Both', type: 'static', customers: [ada, bob, ada] });
    expect(body).toMatchObject({ type: 'static', filter: null });
    expect(await segmentsOf(ada)).toEqual(['Both']);
    expect(await segmentsOf('ada')).toEqual(['Both']);
    expect(await segmentsOf('bob / 2')).toEqual(['Both']);
    expect(await segmentsOf('nobody')).toEqual([]);
    expect((await fixture.call('GET', `/v1/customers/${ada}/segments`)).body.data).toEqual([
      { id: body.id, name: 'Both', object: 'segment' },
    ]);
    await fixture.call('DELETE', `/v1/segments/${body.id}`);
  });

  it('take 20,000 customers, and name the first that does not exist', async () => {
    const project = 'proj_many';
    const customers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => fixture.customer({ source_id: `many-${index}` }, project)),
    );
    await fixture.database.query(
      `INSERT INTO customers (project_id, id, state, created_at)
       SELECT $1, 'cust_x' || n, '{}', now() FROM generate_series(1, 19980) n`,
      [project],
    );
    await fixture.database.query(
      `INSERT INTO customer_keys (project_id, customer_id, wrapped_key)
       SELECT $1, 'cust_x' || n, 'k' FROM generate_series(1, 19980) n`,
      [project],
    );
    const all = [...customers, ...Array.from({ length: 19_980 }, (_, index) => `cust_x${index + 1}`)];
    const created = await create({ name: 'All', type: 'static', customers: all }, project);
    expect(created.status).toBe(200);
    expect(await members(created.body.id)).toHaveLength(20_000);
    expect(await create({ name: 'n', type: 'static', customers: [...all, ada] }, project)).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details: 'Property .customers should NOT have more than 20000 items' },
    });
    const unknown = [...customers, 'cust_none2', 'cust_none1'];
    expect(await create({ name: 'n', type: 'static', customers: unknown }, project)).toMatchObject({
      status: 404,
      body: { key: 'not_found', resource_id: 'cust_none2', resource_type: 'customer' },
    });
    // Customers of another project are unknown.
    expect((await create({ name: 'n', type: 'static', customers: [ada] }, project)).status).toBe(404);
    await fixture.call('DELETE', `/v1/segments/${created.body.id}`, undefined, project);
    await waitUntil(async () => (await members(created.body.id)).length === 0, { what: 'the members to go' });
    await fixture.database.query(`DELETE FROM customers WHERE id LIKE 'cust\\_x%'`);
  });

  it('with a filter are at most 100 in a project, also when fifty calls ask for the last places at once', async () => {
    const project = 'proj_full';
    await fixture.database.query(
      `INSERT INTO segments (project_id, id, name, type, deleted, created_at, state)
       SELECT $1, 'seg_' || n, 'n', CASE WHEN n % 2 = 0 THEN 'passive' ELSE 'auto-update' END, n > 97, now(), '{}'
       FROM generate_series(1, 110) n`,
      [project],
    );
    // Creations of a project follow one another: who finds no turn in time is answered 503, and comes again.
    const ask = async (type: string): Promise<Answer> => {
      const answer = await create({ name: 'n', type, filter }, project);
      return answer.status === 503 ? ask(type) : answer;
    };
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => ask(index % 2 ? 'passive' : 'auto-update')),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({
      status: 400,
      body: {
        key: 'invalid_payload',
        details: 'A project can have at most 100 passive and auto-update segments',
      },
    });
    expect((await create({ name: 'n', customers: [] }, project)).status).toBe(200);
    await fixture.database.query('DELETE FROM segments WHERE state = $1', ['{}']);
  });

  it('change their name, and their filter while they are passive', async () => {
    const passive = (await create({ name: 'Londoners', filter })).body;
    const put = (id: string, body: unknown) => fixture.call('PUT', `/v1/segments/${id}`, body);
    expect((await put(passive.id, { name: 'Others' })).body).toEqual({
      ...passive,
      name: 'Others',
      updated_at: expect.any(String),
    });
    expect((await put(passive.id, { filter: { name: { conditions: { $is: ['x'] } } } })).body).toMatchObject({
      name: 'Others',
      filter: { junction: 'and', name: { conditions: { $is: ['x'] } } },
    });
    const fixed = (await create({ name: 'Fixed', customers: [] })).body;
    expect(await put(fixed.id, { filter })).toMatchObject({
      status: 400,
      body: {
        key: 'invalid_payload',
        details: 'Property .filter can be changed in passive segments only',
      },
    });
  });

  it('are gone once they are deleted', async () => {
    const { body } = await create({ name: 'Gone', customers: [ada] });
    const path = `/v1/segments/${body.id}`;
    expect(await fixture.call('DELETE', path)).toMatchObject({ status: 204 });
    expect(await segmentsOf(ada)).toEqual([]);
    const gone = { key: 'not_found', resource_id: body.id, resource_type: 'segment' };
    for (const method of ['GET', 'DELETE'] as const)
      expect(await fixture.call(method, path)).toMatchObject({ status: 404, body: gone });
    expect(await fixture.call('PUT', path, { name: 'x' })).toMatchObject({ status: 404, body: gone });
    await waitUntil(async () => (await members(body.id)).length === 0, { what: 'the members to go' });
  });

  it('stay while a rule names them', async () => {
    const { body } = await create({ name: 'Named', customers: [ada] });
    const rules = fixture.running.app.get<FakeCoordinator>(servedPortToken(qualificationPort), {
      strict: false,
    });
    rules.naming.set(body.id, ['val_1', 'val_2']);
    expect(await fixture.call('DELETE', `/v1/segments/${body.id}`)).toMatchObject({
      status: 400,
      body: {
        key: 'resource_in_use',
        details: `Resource segment with id ${body.id} is in use by validation_rules with ids [val_1,val_2]`,
        related_object_ids: ['val_1', 'val_2'],
        related_object_type: 'validation_rules',
      },
    });
    expect(await fixture.call('GET', `/v1/segments/${body.id}`)).toMatchObject({ status: 200 });
    rules.naming.clear();
    await fixture.call('DELETE', `/v1/segments/${body.id}`);
  });

  it('lose a customer that was deleted', async () => {
    const carl = await fixture.customer({ source_id: 'carl' });
    const { body } = await create({ name: 'With Carl', customers: [ada, carl] });
    expect(await fixture.call('DELETE', '/v1/customers/carl')).toMatchObject({ status: 204 });
    expect(await segmentsOf(carl)).toEqual([]);
    await waitUntil(async () => (await members(body.id)).length === 1, { what: 'Carl to go' });
    expect(await segmentsOf(ada)).toEqual(['With Carl']);
  });

  test.each<[string, unknown, string]>([
    ['without a name', { filter }, "Payload must have required property 'name'"],
    ['with an empty name', { name: '', filter }, 'Property .name should NOT be shorter than 1 characters'],
    [
      'of another type',
      { name: 'n', type: 'dynamic', filter },
      'Property .type should be equal to one of the allowed values [ static, passive, auto-update ]',
    ],
    [
      'static without customers',
      { name: 'n', type: 'static' },
      "Payload must have required property 'customers'",
    ],
    [
      'passive without a filter',
      { name: 'n', type: 'passive' },
      "Payload must have required property 'filter'",
    ],
    ['of no customers’ ids', { name: 'n', customers: [1] }, 'Property .customers must be array of strings'],
    ['with a filter that is none', { name: 'n', filter: [] }, 'Property .filter must be object'],
    [
      'with another junction',
      { name: 'n', filter: { junction: 'xor' } },
      "Property .filter has wrong 'junction' property. It must be one of: and, or",
    ],
    [
      'without conditions',
      { name: 'n', filter: { city: { $is: 'x' } } },
      "Property .filter.city must have required property 'conditions'",
    ],
    [
      'by too many fields',
      {
        name: 'n',
        filter: Object.fromEntries(
          Array.from({ length: 21 }, (_, index) => [`metadata.f${index}`, { conditions: { $is: 'x' } }]),
        ),
      },
      'Property .filter.metadata.f20 is one field too many: filters can have 20',
    ],
    [
      'by too many values',
      { name: 'n', filter: { city: { conditions: { $in: Array.from({ length: 101 }, String) } } } },
      'Property .filter.city has too many values: filters can have 100 together',
    ],
    [
      'by an operator that the field does not have',
      { name: 'n', filter: { city: { conditions: { $today: true } } } },
      'Property .filter.city.conditions has an operator that its field does not have. Operators should be equal to one of the ' +
        'allowed values [ $is, $is_not, $in, $not_in, $has_value, $is_unknown, $contains, $not_contain, $starts_with, $ends_with ]',
    ],
    [
      'by a value that the field cannot have',
      { name: 'n', filter: { created_at: { conditions: { $is_days_ago: 'x' } } } },
      'Property .filter.created_at.conditions.$is_days_ago must be integer from 0 to 36525',
    ],
  ])('are refused %s', async (_, body, details) => {
    expect(await create(body)).toMatchObject({ status: 400, body: { key: 'invalid_payload', details } });
  });

  it('are refused by an unknown field or operator, which is named, and what is known is listed', async () => {
    const unknownField = await create({ name: 'n', filter: { colour: { conditions: { $is: 'x' } } } });
    expect(unknownField.body.details).toMatch(
      /^Property \.filter has an unknown field 'colour'\. Fields should be .* \[ name, email, .*metadata\.\*/,
    );
    const unknownOperator = await create({ name: 'n', filter: { city: { conditions: { $like: 'x' } } } });
    expect(unknownOperator.body.details).toMatch(
      /^Property \.filter\.city\.conditions has an unknown operator '\$like'\. Operators should be .* \[ \$is, /,
    );
  });

  it('have states that their events give', async () => {
    expect(await fixture.running.eventStores.get('customers')?.verifyState()).toEqual([]);
  });
});
