import { Logger } from '@nestjs/common';
import { waitUntil } from '@scrip/testing';
import { arrangements, testKeys } from '../testing/edge-application';
import { bootThings, type ThingsFixture } from './things.fixture';

describe.each(arrangements)('what goes with every answer: %s', (arrangement) => {
  let things: ThingsFixture;

  beforeAll(async () => {
    things = await bootThings(arrangement);
  });
  afterAll(() => things.close());
  afterEach(() => jest.restoreAllMocks());

  const get = (url: string, headers: Record<string, string> = testKeys.server) =>
    things.call({ method: 'GET', url, headers });

  const answers = {
    'a success': () => get('/v1/things'),
    'a refusal': () => things.post({ name: 'taken' }),
    'a wrong body': () => things.post({}),
    'a defect': () => things.post({ name: 'crash' }),
    'missing credentials': () => get('/v1/things', {}),
    'an unknown route': () => get('/nowhere', {}),
    'a path that cannot be decoded': () => get('/v1/things/%ff'),
    'an open route': () => get('/healthz', {}),
  };

  it.each(Object.entries(answers))('is its id and that nothing keeps it: %s', async (_name, answer) => {
    const { headers, body } = await answer();
    expect(headers).toMatchObject({
      'x-request-id': expect.stringMatching(/^v-[0-9a-f]{18}$/) as string,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    const { request_id } = body as { request_id?: string };
    if (request_id !== undefined) expect(headers['x-request-id']).toBe(request_id);
  });

  describe('is a line in the log where it is a failure', () => {
    const linesOf = async (call: () => Promise<{ body: unknown }>) => {
      const log = jest.spyOn(Logger.prototype, 'log').mockImplementation();
      const lines = () => log.mock.calls.filter(([message]) => message === 'refused');
      const { body } = await call();
      const { request_id } = body as { request_id?: string };
      if (request_id !== undefined) await waitUntil(() => lines().length > 0, { what: 'a line in the log' });
      return { request_id, lines: lines().map(([, fields]) => fields as unknown) };
    };

    it('with key, project and resource of a refusal', async () => {
      const { request_id, lines } = await linesOf(() => things.post({ name: 'taken' }));
      expect(lines).toEqual([
        {
          request_id,
          method: 'POST',
          route: '/v1/things',
          status: 409,
          key: 'thing_taken',
          resource_type: 'thing',
          resource_id: '***',
          redeemable_id: '***',
          project: 'proj_1',
          app_id: 'eu1-app',
        },
      ]);
    });

    it('without a project where nobody was let in', async () => {
      const { request_id, lines } = await linesOf(() => get('/v1/things', {}));
      expect(lines).toEqual([
        { request_id, method: 'GET', route: '/v1/things', status: 401, key: 'unauthorized' },
      ]);
    });

    it('of a defect too, without its text', async () => {
      const error = jest.spyOn(Logger.prototype, 'error').mockImplementation();
      const { lines } = await linesOf(() => things.post({ name: 'crash' }));
      expect(lines).toEqual([
        expect.objectContaining({ status: 500, key: 'internal_error', project: 'proj_1' }),
      ]);
      expect(JSON.stringify(lines)).not.toContain('1234');
      expect(error).toHaveBeenCalledTimes(1);
    });

    it('and none where it is a success', async () => {
      expect((await linesOf(() => get('/v1/things'))).lines).toEqual([]);
    });
  });
});
