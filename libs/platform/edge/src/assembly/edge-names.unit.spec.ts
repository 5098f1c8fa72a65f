import { arrangements, testKeys } from '../testing/edge-application';
import { bootThings, type ThingsFixture } from './things.fixture';

describe.each(arrangements)('names that a call does not know: %s', (arrangement) => {
  let things: ThingsFixture;
  const strict = { ...testKeys.server, prefer: 'handling=strict' };
  const ignored = 'x-scrip-ignored';

  beforeAll(async () => {
    things = await bootThings(arrangement);
  });
  afterAll(() => things.close());

  const list = (query: string, headers: Record<string, string> = testKeys.server) =>
    things.call({ method: 'GET', url: `/v1/things${query}`, headers });

  it('are ignored, and named in a header', async () => {
    const misspelt = { name: 'a', ammount: 5, items: [{ sku: 'x', quantiy: 1 }], metadata: { own: 1 } };
    const { status, headers, body } = await things.post(misspelt);
    expect({ status, named: headers[ignored] }).toEqual({ status: 200, named: 'ammount, items[].quantiy' });
    expect(body).not.toHaveProperty('ammount');
  });

  it('are named in a query too', async () => {
    const { status, headers } = await list('?limt=5&voucher[code]=a');
    expect({ status, named: headers[ignored] }).toEqual({ status: 200, named: '?limt, ?voucher' });
  });

  it('are named beside a refusal', async () => {
    const { status, headers } = await things.post({ nmae: 'a' });
    expect({ status, named: headers[ignored] }).toEqual({ status: 400, named: 'nmae' });
  });

  it('are named where the call reads nothing at all', async () => {
    const { headers } = await things.call({
      method: 'GET',
      url: '/v1/things/1?expand=a',
      headers: testKeys.server,
    });
    expect(headers[ignored]).toBe('?expand');
  });

  it('leave no header where there are none', async () => {
    expect((await things.post({ name: 'a' })).headers).not.toHaveProperty(ignored);
    expect((await list('?limit=5')).headers).not.toHaveProperty(ignored);
  });

  test.each([
    ['handling=strict'],
    ['respond-async, handling=strict'],
    ['handling="strict"; wait=10'],
    ['Handling = Strict'],
  ])('are refused where the caller sends Prefer: %s', async (prefer) => {
    const { status, headers, body } = await things.post(
      { name: 'a', items: [{ sku: 'x' }, { sku: 'y', quantiy: 1 }] },
      { ...testKeys.server, prefer },
    );
    expect({ status, applied: headers['preference-applied'] }).toEqual({
      status: 400,
      applied: 'handling=strict',
    });
    expect(body).toMatchObject({
      key: 'invalid_payload',
      details: 'Property .items[1].quantiy is not known. Did you mean .items[1].quantity?',
    });
  });

  it('are refused in a query too', async () => {
    const { status, body } = await list('?limt=5', strict);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      key: 'invalid_query_params',
      details: 'Property .limt is not known. Did you mean .limit?',
    });
  });

  test.each([
    ['?starting_after_id=thing_1', 'starting_after_id'],
    ['?filters[name][conditions][$is]=a', 'filters'],
    ['?[filters][name][conditions][$is]=a', 'filters'],
  ])('that narrow other lists are refused by a list without them: %s', async (query, name) => {
    const { status, body } = await list(query);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      key: 'invalid_query_params',
      details: expect.stringMatching(
        new RegExp(`^Property \\.${name} is not taken by this list\\. Its parameters are \\[ .*limit.* \\]$`),
      ) as string,
    });
  });

  it('that narrow lists are ignored where one thing is shown', async () => {
    const { headers } = await things.call({
      method: 'GET',
      url: '/v1/things/1?filters=a',
      headers: testKeys.server,
    });
    expect(headers[ignored]).toBe('?filters');
  });

  it('come before what else is wrong with a strict call', async () => {
    expect((await things.post({ nmae: 'a' }, strict)).body).toMatchObject({
      details: 'Property .nmae is not known. Did you mean .name?',
    });
  });

  test.each([['handling=lenient'], ['return=minimal'], ['xhandling=strict'], ['handling=stricter']])(
    'are ignored where the caller sends Prefer: %s',
    async (prefer) => {
      const { status, headers } = await things.post({ name: 'a', x: 1 }, { ...testKeys.server, prefer });
      expect(status).toBe(200);
      expect(headers).not.toHaveProperty('preference-applied');
    },
  );

  it('are no concern of a strict call that has none', async () => {
    expect((await things.post({ name: 'a', metadata: { own: 1 } }, strict)).status).toBe(200);
  });
});
