import { arrangements, testKeys } from '../testing/edge-application';
import { bootThings, type ThingsFixture } from './things.fixture';

describe.each(arrangements)('who may pass the edge: %s', (arrangement) => {
  let things: ThingsFixture;
  const keys = testKeys.server;

  beforeAll(async () => {
    things = await bootThings(arrangement);
  });
  afterAll(() => things.close());

  const call: ThingsFixture['call'] = (options) => things.call(options);
  const post: ThingsFixture['post'] = (payload, headers) => things.post(payload, headers);

  describe('a feature that is switched off', () => {
    const managed = '/management/v1/projects/proj_none/things';
    const { management, server } = testKeys;
    const viewer = { 'x-app-id': 'viewer', 'x-app-token': 'secret' };

    test.each([
      ['PUT', '/v1/things/1/brand', server, 402, 'missing_required_feature'],
      ['PUT', '/v1/things/1/brand', viewer, 403, 'missing_required_permission'],
      ['GET', managed, management, 402, 'missing_required_feature'],
      ['GET', managed, {}, 401, 'unauthorized'],
    ] as const)(
      'is missed after the role, before the path: %s %s as %p',
      async (method, url, headers, status, key) => {
        const answer = await call({ method, url, headers });
        expect(answer).toMatchObject({ status, body: { code: status, key } });
      },
    );

    it('is named as the plan of the organisation', async () => {
      const { body } = await call({ method: 'GET', url: managed, headers: management });
      expect(body).toMatchObject({
        message: 'Payment required',
        details: 'Your current plan does not include a feature required to perform this operation.',
      });
    });
  });

  describe('authentication', () => {
    test.each([
      ['no credentials', {}, 401, 'unauthorized'],
      ['wrong credentials', { 'x-app-id': 'app', 'x-app-token': 'guess' }, 401, 'unauthorized'],
      ["another cluster's key", { 'x-app-id': 'us1-1', 'x-app-token': 'secret' }, 403, 'forbidden'],
      [
        'client keys on a server route',
        { 'x-client-application-id': 'web', 'x-client-token': 'secret' },
        401,
        'unauthorized',
      ],
      ['a token in the first header', { 'x-service-oauth': 'Bearer wide' }, 200, undefined],
      ['a token in Authorization', { authorization: 'bearer wide' }, 200, undefined],
      [
        'another scheme in Authorization beside keys',
        { authorization: 'Basic eA==', ...testKeys.server },
        200,
        undefined,
      ],
      [
        'a wrong token beside good keys',
        { authorization: 'Bearer guess', ...testKeys.server },
        401,
        'unauthorized',
      ],
      [
        'a token of too small a scope',
        { authorization: 'Bearer narrow' },
        403,
        'missing_required_permission',
      ],
      [
        'a client token on a server route',
        { authorization: 'Bearer browser' },
        403,
        'missing_required_permission',
      ],
    ])('%s', async (_name, headers, status, key) => {
      const answer = await call({ method: 'GET', url: '/v1/things', headers });
      expect(answer.status).toBe(status);
      expect((answer.body as { key?: string }).key).toBe(key);
    });

    it('answers 401 in the error shape', async () => {
      const { body, headers } = await call({ method: 'GET', url: '/v1/things' });
      expect(body).toEqual({
        code: 401,
        key: 'unauthorized',
        message: 'Unauthorized',
        details:
          'No credentials were sent. Send X-App-Id and X-App-Token, or "X-Service-OAuth: Bearer <access token>".',
        request_id: expect.stringMatching(/^v-[0-9a-f]{18}$/),
      });
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(headers['www-authenticate']).toBe(
        'Bearer realm="scrip", ApiKey realm="scrip", headers="X-App-Id X-App-Token"',
      );
    });

    const manage = '/management/v1/projects/proj_1/things/1';
    test.each([
      ['nothing for management', 'PUT', manage, {}, 'Send X-Management-Id and X-Management-Token.'],
      ['half a key', 'GET', '/v1/things', { 'x-app-id': 'app' }, 'Send X-App-Token too.'],
      [
        'another scheme',
        'GET',
        '/v1/things',
        { authorization: 'Basic eA==' },
        'The header Authorization holds no token. It must be "Bearer <access token>".',
      ],
      [
        'a token that nobody can have',
        'GET',
        '/v1/things',
        { authorization: `Bearer ${'x'.repeat(257)}` },
        'The header Authorization is longer than any key or token',
      ],
    ] as const)('says what to send instead of %s', async (_name, method, url, headers, details) => {
      const answer = await call({ method, url, headers });
      expect(answer).toMatchObject({
        status: 401,
        body: { details: expect.stringContaining(details) as string },
        headers: { 'www-authenticate': expect.stringContaining('ApiKey realm="scrip"') as string },
      });
    });

    it('tells wrong keys and wrong tokens apart from nothing, and from each other by the challenge only', async () => {
      const key = await call({
        method: 'GET',
        url: '/v1/things',
        headers: { 'x-app-id': 'app', 'x-app-token': 'guess' },
      });
      const token = await call({
        method: 'GET',
        url: '/v1/things',
        headers: { authorization: 'Bearer guess' },
      });
      expect((key.body as { details: string }).details).toMatch(/wrong, blocked or expired/);
      expect((token.body as { details: string }).details).toBe((key.body as { details: string }).details);
      expect(token.headers['www-authenticate']).toBe('Bearer realm="scrip", error="invalid_token"');
    });

    it('names the scope that a token lacks', async () => {
      const { body, headers } = await call({
        method: 'GET',
        url: '/v1/things',
        headers: { authorization: 'Bearer narrow' },
      });
      expect(body).toMatchObject({
        details:
          'User does not have a required permission to perform this operation. The access token needs the scope vouchers or api.',
      });
      expect(headers['www-authenticate']).toBe(
        'Bearer realm="scrip", error="insufficient_scope", scope="vouchers"',
      );
    });

    it('keeps tokens from token endpoints and management', async () => {
      const headers = { authorization: 'Bearer wide', 'content-type': 'application/x-www-form-urlencoded' };
      expect((await call({ method: 'POST', url: '/v1/oauth/token', headers, payload: 'a=b' })).status).toBe(
        403,
      );
      const url = '/management/v1/projects/proj_1/things/1';
      expect((await call({ method: 'PUT', url, headers: { authorization: 'Bearer wide' } })).status).toBe(
        403,
      );
    });

    describe('a call of integrations', () => {
      const url = '/v1/things/1/make';
      const integration = { 'x-app-id': 'integration', 'x-app-token': 'secret' };

      it('is reached by their keys alone', async () => {
        expect((await call({ method: 'GET', url, headers: integration })).status).toBe(200);
        const { status, body } = await call({ method: 'GET', url, headers: testKeys.server });
        expect({ status, body }).toMatchObject({
          status: 403,
          body: { code: 403, key: 'integration_api_key_required', message: 'Forbidden' },
        });
      });

      it('that writes does not answer HEAD', async () => {
        const { status } = await call({ method: 'HEAD', url, headers: integration });
        expect(status).toBe(405);
        expect((await call({ method: 'HEAD', url: '/v1/things', headers: integration })).status).toBe(200);
      });
    });

    it('lets a viewer read and not write', async () => {
      const viewer = { 'x-app-id': 'viewer', 'x-app-token': 'secret' };
      expect((await call({ method: 'GET', url: '/v1/things', headers: viewer })).status).toBe(200);
      expect((await post({ name: 'x' }, viewer)).body).toMatchObject({
        code: 403,
        key: 'missing_required_permission',
      });
    });
  });

  describe('management', () => {
    const headers = testKeys.management;

    it('takes the project from the path', async () => {
      const { body } = await call({ method: 'PUT', url: '/management/v1/projects/proj_1/things/1', headers });
      expect(body).toEqual({ project: 'proj_1' });
    });

    it('answers an unknown project with the whole error body', async () => {
      const { body } = await call({ method: 'PUT', url: '/management/v1/projects/proj_2/things/1', headers });
      expect(body).toMatchObject({
        code: 404,
        key: 'not_found',
        resource_id: 'proj_2',
        resource_type: 'project',
      });
    });

    it('takes management keys only', async () => {
      const { status } = await call({
        method: 'PUT',
        url: '/management/v1/projects/proj_1/things/1',
        headers: keys,
      });
      expect(status).toBe(401);
    });
  });

  describe('the client-side API', () => {
    const client = testKeys.client;

    it('answers no HEAD where GET may hold something', async () => {
      const url = '/client/v1/things/1/make';
      expect((await call({ method: 'GET', url, headers: client })).status).toBe(200);
      const { status, headers } = await call({ method: 'HEAD', url, headers: client });
      expect([status, headers['allow']]).toEqual([405, 'GET']);
    });

    it('echoes an admitted origin', async () => {
      const { status, headers, body } = await call({
        method: 'GET',
        url: '/client/v1/things',
        headers: client,
      });
      expect(status).toBe(200);
      expect(headers['access-control-allow-origin']).toBe('https://shop.example.com');
      expect(body).toMatchObject({ channel: 'CLIENT_API' });
    });

    test.each([
      [
        'a foreign origin',
        { ...client, origin: 'https://evil.example.com' },
        'The Origin https://evil.example.com is not among the trusted domains of the project. ' +
          'Whoever runs the server adds it with `npm run keys -- browsers <project id> --trust <origins>`',
      ],
      [
        'no origin',
        { 'x-client-application-id': 'web', 'x-client-token': 'secret' },
        'The request has no Origin; calls of the client-side API come from browsers',
      ],
    ])('refuses %s, and says what would be right', async (_name, headers, details) => {
      const answer = await call({ method: 'GET', url: '/client/v1/things', headers });
      expect(answer.body).toMatchObject({ code: 403, key: 'forbidden', details });
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    });

    it('names the setting of an action that is switched off', async () => {
      const headers = { ...client, 'x-client-application-id': 'off' };
      const { body } = await call({ method: 'POST', url: '/client/v1/things', headers });
      expect(body).toMatchObject({
        code: 403,
        key: 'forbidden',
        details: expect.stringContaining('client_redeem_enabled') as string,
      });
    });

    test.each([
      ['count where the project lets browsers create customers', '/client/v1/things', client, false],
      [
        'only identify where it does not',
        '/client/v1/things',
        { ...client, 'x-client-application-id': 'off' },
        true,
      ],
      ['always count in calls from servers', '/v1/things', testKeys.server, false],
    ])('has inline customers that %s', async (_name, url, headers, onlyIdentify) => {
      const { body } = await call({ method: 'GET', url, headers });
      expect(body).toMatchObject({ only_identify: onlyIdentify });
    });

    it('answers a preflight without credentials', async () => {
      const headers = { origin: 'https://any.example.com', 'access-control-request-method': 'POST' };
      const answer = await call({ method: 'OPTIONS', url: '/client/v1/things', headers });
      expect(answer.status).toBe(204);
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': 'https://any.example.com',
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers': expect.stringContaining('X-Client-Application-Id') as string,
      });
    });
  });

  it('asks nobody for credentials on open routes', async () => {
    expect(await call({ method: 'GET', url: '/healthz' })).toMatchObject({ status: 200, body: 'ok' });
  });
});
