import { publicRoutes, type RouteRow } from '@scrip/contracts/registry';
import { type MalformedRequest, malformedRequest } from '@scrip/edge/testing';
import { rounds, waitUntil } from '@scrip/testing';
import fc from 'fast-check';
import { type AccessFixture, bootAccess } from './access.fixture';
import { decisionBodies, decisionQueries, openCode } from './decision-bodies.fixture';

const requests = rounds(20_000);

// HTTP itself has no room for other characters in headers.
const isHeaderText = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/** What decides on a body: the most that may be wrong. */
const isDecided = ({ owner, method }: RouteRow): boolean =>
  owner === 'qualification' && method !== 'GET' && method !== 'DELETE';

const goodQueryOf = ({ method, path }: RouteRow): readonly string[] =>
  decisionQueries[`${method} ${path}`] ?? [];

describe(`${requests} malformed requests`, () => {
  let fixture: AccessFixture;

  beforeAll(async () => {
    fixture = await bootAccess();
  });
  afterAll(() => fixture.close());

  const parametersOf = async (row: RouteRow): Promise<Record<string, string>> => ({
    ...(await fixture.world.own(row)),
    ...(row.owner === 'qualification' ? { code: openCode } : {}),
  });

  it('begin with good ones, where something is decided', async () => {
    const { world } = fixture;
    const answers: Record<string, unknown> = {};
    for (const row of publicRoutes.filter(isDecided)) {
      const parameters = await parametersOf(row);
      const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? '');
      const keys = world.keys[row.area === 'client' ? 'client' : 'server'];
      const { status, body } = await world.call({
        method: row.method,
        path: `${path}?${goodQueryOf(row).join('&')}`,
        headers: { ...keys, 'Content-Type': 'application/json' },
        body: world.body?.(row) as object,
      });
      answers[`${row.method} ${row.path}`] = status === 200 || body;
    }
    expect(answers).toEqual(Object.fromEntries(Object.keys(answers).map((route) => [route, true])));
    expect(Object.keys(answers).sort()).toEqual(Object.keys(decisionBodies).sort());
  });

  it('get no 5xx, and every refusal has the error shape', async () => {
    const { world, url } = fixture;
    const rows = publicRoutes.filter(({ path }) => path !== '/readyz');
    const requestsOf = await Promise.all(
      rows.map(async (row) => {
        const kind = row.area === 'client' || row.area === 'management' ? row.area : 'server';
        const headers =
          row.area === 'dashboard'
            ? { 'X-Scrip-Dashboard': '1', 'Sec-Fetch-Site': 'same-origin' }
            : world.keys[kind];
        const parameters = await parametersOf(row);
        const goodQuery = goodQueryOf(row);
        const arbitrary = malformedRequest(row, {
          ...{ headers, parameters, goodQuery },
          sample: world.body?.(row),
        });
        return { arbitrary, weight: isDecided(row) ? 4 : 1 };
      }),
    );
    const request = fc.oneof(...requestsOf);
    const send = async ({ method, target, headers, body }: MalformedRequest) => {
      const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => isHeaderText(value)));
      const init = { method, headers: sent, ...(body === undefined ? {} : { body }) };
      // Between processes 503 says that one did not answer in time, on a machine with other work; then it is asked again.
      const answer = await waitUntil(
        async () => {
          const given = await fetch(`${url}${target}`, init);
          return given.status !== 503 && given;
        },
        { what: 'an answer that is not 503', intervalMs: 500 },
      );
      const text = await answer.text();
      if (answer.status >= 500) throw new Error(`${answer.status} ${text}`);
      // Of what fails, only the revocation of an unknown token has no body.
      if (answer.status >= 400 && text !== '') {
        expect(JSON.parse(text)).toMatchObject({
          code: answer.status,
          message: expect.any(String) as string,
        });
      }
    };
    const groups = fc.array(request, { minLength: 10, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(groups, async (group) => void (await Promise.all(group.map(send)))),
      { numRuns: requests / 10, endOnFailure: true },
    );
  }, 900_000);
});
