import { type AuthFixture, bootAuth, knownKeys, serverKeys } from '../auth.fixture';

type Json = Record<string, unknown>;

const management = { 'x-management-id': 'boss', 'x-management-token': 'boss-secret' };
const managed = '/management/v1/projects/proj_demo/metadata-schemas';
const own = '/v1/metadata-schemas';
const text = { type: 'string', optional: true, array: false };

describe('metadata schemas (reference 07 §8)', () => {
  let fixture: AuthFixture;

  beforeAll(async () => {
    fixture = await bootAuth();
    await fixture.bootstrap.run(knownKeys);
  });
  afterAll(() => fixture.running.close());

  const call = async (
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: Json }> => {
    const response = await fetch(fixture.running.url + path, {
      method,
      headers: {
        ...(path.startsWith('/management') ? management : serverKeys),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = await response.text();
    return { status: response.status, body: answer === '' ? {} : (JSON.parse(answer) as Json) };
  };
  const create = (related_object: string, properties: Json, more: Json = {}) =>
    call('POST', managed, { related_object, properties, ...more });

  beforeEach(async () => {
    const { body } = await call('GET', managed);
    for (const { id } of body.data as { id: string }[]) await call('DELETE', `${managed}/${id}`);
  });

  it('name what of a definition nothing reads, and refuse it where the caller prefers that', async () => {
    const post = (headers: Record<string, string>) =>
      fetch(fixture.running.url + own, {
        method: 'POST',
        headers: { ...serverKeys, 'content-type': 'application/json', ...headers },
        body: JSON.stringify({
          related_object: 'customer',
          properties: { age: { type: 'number', lte: 5, maximum: 9 } },
        }),
      });
    const strict = await post({ prefer: 'handling=strict' });
    expect([strict.status, await strict.json()]).toMatchObject([
      400,
      { key: 'invalid_payload', details: 'Property .properties.age.maximum is not known' },
    ]);
    const lenient = await post({});
    expect([lenient.status, lenient.headers.get('x-scrip-ignored')]).toEqual([200, 'properties.age.maximum']);
  });

  it('are created, shown by id and by related object, and listed by related object', async () => {
    const definition = { type: 'string', optional: false, array: true, min_length: 1, eq: ['a', 'b'] };
    const created = await create('order', { tag: definition });
    expect(created).toEqual({
      status: 200,
      body: {
        id: expect.stringMatching(/^ms_[\da-f]{32}$/) as string,
        related_object: 'order',
        properties: { tag: definition },
        allow_defined_only: false,
        created_at: expect.stringMatching(/Z$/) as string,
        updated_at: null,
        object: 'metadata_schema',
      },
    });
    expect((await call('GET', `${managed}/${created.body.id as string}`)).body).toEqual(created.body);
    expect((await call('GET', `${managed}/order`)).body).toEqual(created.body);
    const other = await create('address', {}, { allow_defined_only: true });
    expect(other.body.allow_defined_only).toBe(true);
    expect((await call('GET', managed)).body).toEqual({
      object: 'list',
      data_ref: 'data',
      data: [other.body, created.body],
      total: 2,
    });
  });

  it('have names of several words in camel case for server keys', async () => {
    const properties = {
      home: { type: 'object', optional: true, array: false, objectType: 'address' },
      code: { ...text, minLength: 1, maxLength: 9, exactLength: 5 },
    };
    const created = await call('POST', own, { related_object: 'order', properties });
    expect(created).toMatchObject({ status: 200, body: { related_object: 'order', properties } });
    expect((await call('GET', `${own}/order`)).body).toEqual(created.body);
    expect((await call('GET', own)).body).toEqual({
      object: 'list',
      data_ref: 'schemas',
      schemas: [created.body],
      total: 1,
    });
    expect((await call('GET', `${managed}/order`)).body.properties).toEqual({
      home: { type: 'object', optional: true, array: false, object_type: 'address' },
      code: { ...text, min_length: 1, max_length: 9, exact_length: 5 },
    });
  });

  it('change where definitions are sent, which remove and restore them', async () => {
    const { body: created } = await create('order', { note: text, tag: text });
    const removed = await call('PUT', `${managed}/order`, {
      properties: { tag: { ...text, deleted: true } },
    });
    expect(removed).toMatchObject({
      status: 200,
      body: { id: created.id, properties: { note: text, tag: { ...text, deleted: true } } },
    });
    expect(removed.body.updated_at).not.toBeNull();
    const restored = await call('PUT', `${own}/${created.id as string}`, {
      allow_defined_only: true,
      properties: { tag: { ...text, deleted: false } },
    });
    expect(restored.body).toMatchObject({ allow_defined_only: true, properties: { note: text, tag: text } });
  });

  it('are dropped, and may be created anew under another id', async () => {
    const { body: first } = await create('order', { note: text });
    expect(await call('DELETE', `${own}/order`)).toEqual({ status: 204, body: {} });
    expect((await call('GET', `${managed}/${first.id as string}`)).status).toBe(404);
    const { body: second } = await create('order', { note: { ...text, type: 'number' } });
    expect(second.id).not.toBe(first.id);
  });

  it('exist once for each related object, whoever asks at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => create('customer', { [`key${index}`]: text })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(49);
    for (const { status, body } of refused) {
      expect({ status, ...body }).toMatchObject({
        status: 409,
        key: 'duplicate_found',
        message: 'Duplicated resource found',
        details: 'Duplicated metadata schema exists with related_object customer',
        resource_id: 'customer',
        resource_type: 'metadata schema',
      });
    }
  });

  it('keep every definition that callers add at the same time', async () => {
    await create('customer', {});
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        call('PUT', `${managed}/customer`, { properties: { [`key${index}`]: text } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { body } = await call('GET', `${managed}/customer`);
    expect(Object.keys(body.properties as Json)).toHaveLength(50);
  });

  it('are at most 100, whoever asks at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 110 }, (_, index) => create(`own${index}`, {})));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(100);
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details: 'A project can have at most 100 metadata schemas' },
    });
  });

  it.each<[string, unknown, string]>([
    [own, { properties: {} }, "Payload must have required property 'related_object'"],
    [own, { related_object: 'order' }, "Payload must have required property 'properties'"],
    [own, { related_object: 'order', properties: [] }, 'Property .properties must be object'],
    [own, { related_object: 'ms_1', properties: {} }, 'Property .related_object cannot begin with ms_'],
    [
      own,
      { related_object: 'order', properties: { '': text } },
      'Property .properties must have keys of 1 to 256 characters',
    ],
    [own, { related_object: 'order', properties: { a: 1 } }, 'Property .properties.a must be object'],
    [
      own,
      { related_object: 'order', properties: { a: {} } },
      "Property .properties.a must have required property 'type'",
    ],
    [
      own,
      { related_object: 'order', properties: { a: { type: 'text' } } },
      'Property .properties.a.type should be equal to one of the allowed values ' +
        '[ string, number, boolean, date, datetime, image_url, geopoint, object ]',
    ],
    [
      own,
      { related_object: 'order', properties: { a: { ...text, optional: 'no' } } },
      'Property .properties.a.optional must be boolean',
    ],
    [
      own,
      { related_object: 'order', properties: { a: { ...text, minLength: 1.5 } } },
      'Property .properties.a.minLength must be integer',
    ],
    [
      managed,
      { related_object: 'order', properties: { a: { ...text, max_length: -1 } } },
      'Property .properties.a.max_length must be >= 0',
    ],
    [
      managed,
      { related_object: 'order', properties: { a: { ...text, lt: '1' } } },
      'Property .properties.a.lt must be number',
    ],
    [
      managed,
      { related_object: 'order', properties: { a: { ...text, lt: 1 } } },
      'Property .properties.a.lt is for number only',
    ],
    [
      managed,
      { related_object: 'order', properties: { a: { ...text, eq: [true] } } },
      'Property .properties.a.eq must be array of strings of at most 256 characters or numbers',
    ],
    [
      managed,
      { related_object: 'order', properties: { a: { type: 'number', ne: ['1'] } } },
      'Property .properties.a.ne must be array of numbers',
    ],
    [
      own,
      { related_object: 'order', properties: { a: { type: 'object', objectType: 'customer' } } },
      'Property .properties.a.objectType cannot be customer: only schemas of other names are nested',
    ],
    [
      managed,
      { related_object: 'address', properties: { a: { type: 'object' } } },
      'Property .properties.a.type cannot be object: a schema that others nest has no nested objects',
    ],
  ])('%s refuses %j and says why', async (path, body, details) => {
    expect(await call('POST', path, body)).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details },
    });
  });

  it('keep the type of a key, and have at most 100 definitions', async () => {
    await create('order', { note: text });
    expect(await call('PUT', `${managed}/order`, { properties: { note: { type: 'number' } } })).toMatchObject(
      {
        status: 400,
        body: { key: 'invalid_payload', details: 'Property .properties.note.type cannot be changed' },
      },
    );
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`key${index}`, text]));
    expect(await call('PUT', `${managed}/order`, { properties: many })).toMatchObject({
      status: 400,
      body: {
        key: 'invalid_payload',
        details: 'Property .properties should NOT have more than 100 properties, removed ones included',
      },
    });
  });

  it.each(['GET', 'PUT', 'DELETE'])('are not found by %s where there is none', async (method) => {
    for (const path of [`${own}/order`, `${managed}/order`, `${managed}/ms_none`]) {
      const id = path.split('/').at(-1);
      expect(await call(method, path, method === 'PUT' ? { properties: {} } : undefined)).toMatchObject({
        status: 404,
        body: {
          key: 'not_found',
          details: `Cannot find metadata schema with id ${id}`,
          resource_id: id,
          resource_type: 'metadata schema',
        },
      });
    }
  });
});
