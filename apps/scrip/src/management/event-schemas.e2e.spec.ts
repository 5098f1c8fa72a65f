import { type SharedScrip, sharedScrip } from '@scrip/testing';

const projects = '/management/v1/projects';

describe('schemas of custom events', () => {
  let scrip: SharedScrip;
  let schemas: string;

  beforeAll(async () => {
    scrip = await sharedScrip();
  }, 240_000);
  beforeEach(async () => {
    const project = { name: 'Shop', case_sensitive_codes: true, timezone: 'UTC', currency: 'EUR' };
    const { body } = await scrip.callAsManager('POST', projects, project);
    schemas = `${projects}/${body.id}/custom-event-schemas`;
  });

  const manage = (method: string, path = '', body?: unknown) =>
    scrip.callAsManager(method, schemas + path, body);
  const read = { properties: { issue: { type: 'number', optional: false } } };
  const create = async (name = 'read', schema: object = read) => {
    const { status, body } = await manage('POST', '', { name, schema });
    expect([status, body]).toEqual([200, expect.anything()]);
    return body as Record<string, any>;
  };

  it('are made, changed and removed', async () => {
    const made = await create();
    expect(made).toEqual({
      id: expect.stringMatching(/^ms_[0-9a-f]{32}$/),
      name: 'read',
      schema: read,
      created_at: expect.any(String),
      object: 'custom-event-schema',
    });
    const at = { at: { type: 'datetime', optional: true } };
    const changed = await manage('PUT', `/${made.id}`, {
      schema: { properties: { ...at, issue: { type: 'string', optional: true, deleted: true } } },
    });
    expect(changed.body).toEqual({
      ...made,
      schema: { properties: { ...at, issue: { type: 'string', optional: true, deleted: true } } },
      updated_at: expect.any(String),
    });
    const restored = await manage('PUT', `/${made.id}`, {
      schema: { properties: { issue: { type: 'string', optional: true, deleted: false } } },
    });
    expect(restored.body.schema).toEqual({
      properties: { ...at, issue: { type: 'string', optional: true } },
    });
    expect((await manage('PUT', `/${made.id}`, {})).body).toEqual(restored.body);
    expect((await manage('GET', `/${made.id}`)).body).toEqual(restored.body);
    expect((await manage('DELETE', `/${made.id}`)).status).toBe(204);
    expect(await manage('GET', `/${made.id}`)).toMatchObject({
      status: 404,
      body: {
        details: `Cannot find custom_event_schema with id ${made.id}`,
        resource_id: made.id,
        resource_type: 'custom_event_schema',
      },
    });
    for (const method of ['PUT', 'DELETE'])
      expect((await manage(method, `/${made.id}`, method === 'PUT' ? {} : undefined)).status).toBe(404);
    await create();
  });

  it('are listed newest first', async () => {
    const [first, second] = [await create('first', { properties: {} }), await create('second')];
    expect((await manage('GET')).body).toEqual({
      ...{ object: 'list', data_ref: 'data', total: 2 },
      data: [second, first],
    });
  });

  it('keep the name', async () => {
    const { id } = await create();
    const { body, headers } = await manage('PUT', `/${id}`, { name: 'other' });
    expect([body.name, headers.get('x-scrip-ignored')]).toEqual(['read', 'name']);
  });

  it('have names of their own, in the case that is sent', async () => {
    await create('read');
    await create('Read');
    expect(await manage('POST', '', { name: 'read', schema: read })).toMatchObject({
      status: 409,
      body: {
        key: 'duplicate_found',
        details: 'Duplicated custom_event_schema exists with name read',
        resource_id: 'read',
        resource_type: 'custom_event_schema',
      },
    });
  });

  it('are one where fifty calls make one of a name at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => manage('POST', '', { name: 'read', schema: read })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(49).fill(409)]);
  });

  it('keep each property that calls add at once', async () => {
    const { id } = await create('read', { properties: {} });
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        manage('PUT', `/${id}`, {
          schema: { properties: { [`p_${index}`]: { type: 'string', optional: true } } },
        }),
      ),
    );
    expect(Object.keys((await manage('GET', `/${id}`)).body.schema.properties)).toHaveLength(10);
  });

  it('are 100 at most, with 100 properties each', async () => {
    const names = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, n) => [`p_${n}`, { type: 'string', optional: true }]),
      );
    const tooMany =
      'Property .schema.properties should NOT have more than 100 properties, removed ones included';
    expect(await manage('POST', '', { name: 'read', schema: { properties: names(101) } })).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details: tooMany },
    });
    const { id } = await create('read', { properties: names(100) });
    const more = { schema: { properties: { more: { type: 'string', optional: true } } } };
    expect((await manage('PUT', `/${id}`, more)).body.details).toBe(tooMany);
    await Promise.all(Array.from({ length: 99 }, (_, n) => create(`event_${n}`, { properties: {} })));
    expect(await manage('POST', '', { name: 'more', schema: read })).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details: 'A project can have at most 100 event schemas' },
    });
  });

  it('are made once under an Idempotency-Key', async () => {
    const post = () =>
      scrip.callAsManager('POST', schemas, { name: 'read', schema: read }, { 'Idempotency-Key': 'a' });
    const [first, second] = [await post(), await post()];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });

  const issue = (property: unknown) => ({ name: 'read', schema: { properties: { issue: property } } });

  test.each<[string, object, string]>([
    ['no name', { schema: read }, "Payload must have required property 'name'"],
    ['an empty name', { name: '', schema: read }, 'Property .name should NOT be shorter than 1 characters'],
    [
      'a long name',
      { name: 'x'.repeat(301), schema: read },
      'Property .name should NOT be longer than 300 characters',
    ],
    ['no schema', { name: 'read' }, "Payload must have required property 'schema'"],
    ['a schema that is none', { name: 'read', schema: [] }, 'Property .schema must be object'],
    [
      'no properties',
      { name: 'read', schema: {} },
      "Property .schema must have required property 'properties'",
    ],
    [
      'properties that are none',
      { name: 'read', schema: { properties: 1 } },
      'Property .schema.properties must be object',
    ],
    [
      'a property without a name',
      { name: 'read', schema: { properties: { '': { type: 'string', optional: true } } } },
      'Property .schema.properties must have keys of 1 to 256 characters',
    ],
    ['a property that is none', issue('number'), 'Property .schema.properties.issue must be object'],
    [
      'no type',
      issue({ optional: true }),
      "Property .schema.properties.issue must have required property 'type'",
    ],
    [
      'no word on whether it is optional',
      issue({ type: 'number' }),
      "Property .schema.properties.issue must have required property 'optional'",
    ],
    [
      'an unknown type',
      issue({ type: 'object', optional: true }),
      'Property .schema.properties.issue.type should be equal to one of the allowed values [ string, number, date, datetime, boolean ]',
    ],
    [
      'a word that is none',
      issue({ type: 'number', optional: 'no' }),
      'Property .schema.properties.issue.optional must be boolean',
    ],
    [
      'a removal that is none',
      issue({ type: 'number', optional: true, deleted: 1 }),
      'Property .schema.properties.issue.deleted must be boolean',
    ],
  ])('are refused with %s', async (_, body, details) => {
    expect(await manage('POST', '', body)).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details },
    });
  });
});
