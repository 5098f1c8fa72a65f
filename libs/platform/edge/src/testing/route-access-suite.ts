import type { RouteMethod, RouteRow } from '@scrip/contracts/registry';

/** A request of the suite, and what came back. `body`: parsed JSON, or the text. */
export interface AccessRequest {
  method: RouteMethod;
  path: string;
  headers: Record<string, string>;
  body?: unknown;
}

export interface AccessAnswer {
  status: number;
  body: unknown;
}

type Headers = Record<string, string>;
type Parameters = Record<string, string>;

/** A running application as the suite needs it. */
export interface AccessWorld {
  call(request: AccessRequest): Promise<AccessAnswer>;
  /** Good credentials of each kind; client ones with an admitted Origin. */
  keys: { server: Headers; client: Headers; management: Headers };
  /** An access token of exactly this scope, as headers. */
  token(scope: string): Promise<Headers>;
  /** Path parameters that exist in the project of `keys`. */
  own(row: RouteRow): Parameters | Promise<Parameters>;
  /** Path parameters (the project's own `projectId` aside) that exist in another project only; null where a row names
   *  nothing of a project. */
  foreign(row: RouteRow): Parameters | null | Promise<Parameters | null>;
  /** A body that the row would take. */
  body?(row: RouteRow): unknown;
}

const browser = { Origin: 'https://shop.example.com' };

const wrong: Record<'server' | 'client' | 'management', Headers> = {
  server: { 'X-App-Id': 'nobody', 'X-App-Token': 'guess' },
  client: { 'X-Client-Application-Id': 'nobody', 'X-Client-Token': 'guess', ...browser },
  management: { 'X-Management-Id': 'nobody', 'X-Management-Token': 'guess' },
};

const elsewhere: typeof wrong = {
  server: { 'X-App-Id': 'us1-0190000000007000800000000000abcd', 'X-App-Token': 'guess' },
  client: {
    'X-Client-Application-Id': 'us1-0190000000007000800000000000abcd',
    'X-Client-Token': 'guess',
    ...browser,
  },
  management: { 'X-Management-Id': 'us1-0190000000007000800000000000abcd', 'X-Management-Token': 'guess' },
};

const kindOf = ({ area }: RouteRow): keyof typeof wrong =>
  area === 'client' || area === 'management' ? area : 'server';

const pathOf = ({ path }: RouteRow, parameters: Parameters): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? 'absent'));

/** Whether a call of `path` reaches the row of `template`, one of whose parameters may stand for a name in it. */
const covers = (template: string, path: string): boolean => {
  const [segments, others] = [template.split('/'), path.split('/')];
  return (
    segments.length === others.length &&
    segments.every((segment, index) => segment.startsWith('{') || segment === others[index])
  );
};

const absentLike = (parameters: Parameters): Parameters =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, name === 'projectId' ? value : absentId(value)]),
  );

/** Of the same form, but of no resource. */
const absentId = (id: string): string =>
  /[0-9a-z]{6}$/i.test(id) ? `${id.slice(0, -6)}000000` : `${id}000000`;

/** An answer without what may differ between two ids: the ids themselves, the request's and that of a failed redemption. */
const withoutIds = (answer: AccessAnswer, parameters: Parameters): unknown => {
  const hidden = Object.entries(parameters).filter(([name]) => name !== 'projectId');
  const text = hidden.reduce((left, [, value]) => left.replaceAll(value, '<id>'), JSON.stringify(answer));
  const alike = text.replace(/v-[0-9a-f]{18}/g, '<request>').replace(/rf_[0-9a-f]{32}/g, '<redemption>');
  return JSON.parse(alike) as unknown;
};

const isJson = (row: RouteRow): boolean => row.method === 'POST' || row.method === 'PUT';

/** Runs every row of the table against a running application: what must be refused, is, and how. Names of the rules are
 *  those of reference 07 §1.2, §1.3 and §2. Call it inside of a `describe`; `world` is asked when tests run. */
export const routeAccessSuite = (rows: readonly RouteRow[], world: () => AccessWorld): void => {
  const request = (
    row: RouteRow,
    headers: Headers,
    parameters: Parameters,
    method = row.method,
  ): AccessRequest => ({
    method,
    path: pathOf(row, parameters),
    headers: {
      ...(row.consumes === 'form' && row.method === 'POST'
        ? { 'Content-Type': 'application/x-www-form-urlencoded' }
        : {}),
      ...(row.consumes !== 'form' && isJson(row) ? { 'Content-Type': 'application/json' } : {}),
      ...headers,
    },
    ...(isJson(row) ? { body: world().body?.(row) ?? {} } : {}),
  });
  const call = async (row: RouteRow, headers: Headers) =>
    world().call(request(row, headers, await world().own(row)));
  const refusedWith = (status: number, key: string) => ({ status, body: { code: status, key } });

  const guarded = rows
    // Routes of the dashboard take sessions alone: see the table of sessions.
    .filter(({ area }) => area !== 'open' && area !== 'dashboard')
    .map((row) => [`${row.method} ${row.path}`, row] as const);
  const openRows = rows
    // Of a report the token in its link is the credential.
    .filter(({ area, path }) => area === 'open' && !path.startsWith('/v1/task-results/'))
    .map((row) => [`${row.method} ${row.path}`, row] as const);

  describe.each(guarded)('%s', (_name, row) => {
    const kind = kindOf(row);

    it('is served', async () => {
      const answer = await call(row, world().keys[kind]);
      expect(JSON.stringify(answer)).not.toContain('Cannot find the requested endpoint');
      expect(answer.status).toBeLessThan(500);
    });

    it('answers 401 without credentials', async () => {
      expect(await call(row, kind === 'client' ? browser : {})).toMatchObject(
        refusedWith(401, 'unauthorized'),
      );
    });

    it('answers 401 to wrong credentials', async () => {
      expect(await call(row, wrong[kind])).toMatchObject(refusedWith(401, 'unauthorized'));
      expect(await call(row, { Authorization: 'Bearer nonsense', ...world().keys[kind] })).toMatchObject(
        refusedWith(401, 'unauthorized'),
      );
    });

    it("answers 403 to another cluster's credentials", async () => {
      expect(await call(row, elsewhere[kind])).toMatchObject({
        status: 403,
        body: {
          code: 403,
          key: 'forbidden',
          message: 'Forbidden',
          details: 'Project is bound to different region',
        },
      });
    });

    it('answers 401 to keys of another kind', async () => {
      const others = (Object.keys(wrong) as (keyof typeof wrong)[]).filter((other) => other !== kind);
      for (const other of others) {
        expect(
          await call(row, { ...(kind === 'client' ? browser : {}), ...world().keys[other] }),
        ).toMatchObject(refusedWith(401, 'unauthorized'));
      }
    });

    it('answers 403 to a token whose scope is too small', async () => {
      const tooSmall = row.scope === 'segments' ? 'rewards' : 'segments';
      const wide = row.area === 'client' ? 'api' : 'client_api';
      for (const scope of [tooSmall, wide]) {
        const headers = { ...(row.area === 'client' ? browser : {}), ...(await world().token(scope)) };
        expect(await call(row, headers)).toMatchObject(refusedWith(403, 'missing_required_permission'));
      }
    });

    if (row.scope === null) {
      it('is out of reach for any token', async () => {
        expect(await call(row, await world().token('api'))).toMatchObject(
          refusedWith(403, 'missing_required_permission'),
        );
      });
    }

    it('answers 405 to a method it does not have', async () => {
      const method = (['DELETE', 'PUT', 'POST', 'GET'] as const).find(
        (other) => !rows.some(({ path, method: known }) => known === other && covers(path, row.path)),
      );
      if (!method) return;
      const answer = await world().call(request(row, world().keys[kind], await world().own(row), method));
      expect(answer).toMatchObject({ status: 405, body: { code: 405, message: 'HTTP Method Not Allowed' } });
    });

    if (row.path.includes('{')) {
      it('does not tell what is foreign from what is absent', async () => {
        const foreign = await world().foreign(row);
        if (!foreign) return;
        const parameters = { ...(await world().own(row)), ...foreign };
        const absent = absentLike(parameters);
        const [left, right] = [
          await world().call(request(row, world().keys[kind], parameters)),
          await world().call(request(row, world().keys[kind], absent)),
        ];
        if (!answersUnknown.has(`${row.method} ${row.path}`)) expect(left.status).toBeGreaterThanOrEqual(400);
        expect(withoutIds(left, parameters)).toEqual(withoutIds(right, absent));
      });
    }
  });

  it.each(openRows)('%s asks nobody for credentials', async (_name, row) => {
    const { status } = await call(row, {});
    expect([401, 403]).not.toContain(status);
    expect(status).toBeLessThan(500);
  });
};

/** Routes to which an unknown id is no error. Source: reference 07 §3, reference 02 §5, reference 03 §14. */
const answersUnknown = new Set([
  'PUT /client/v1/customers/{customerId}/consents',
  'POST /v1/vouchers/{code}/validate',
  'POST /v1/promotions/tiers/{promotionTierId}/validation',
  'GET /v1/customers/{customerId}/segments',
  'GET /v1/validation-rules/{validationRuleId}/assignments',
]);
