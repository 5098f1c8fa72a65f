import { publicRoutes, type RouteRow } from '@scrip/contracts/registry';
import { type MalformedRequest, malformedRequest } from '@scrip/edge/testing';
import { rounds, waitUntil } from '@scrip/testing';
import fc from 'fast-check';
import { type AccessFixture, bootAccess, goodBodies, redeeming } from './access.fixture';

const requests = rounds(20_000);

// HTTP itself has no room for other characters in headers.
const isHeaderText = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

describe(`${requests} malformed requests`, () => {
  let fixture: AccessFixture;

  beforeAll(async () => {
    fixture = await bootAccess();
  });
  afterAll(() => fixture.close());

  it('get no 5xx, and every refusal has the error shape', async () => {
    const { world, url, code } = fixture;
    const sampleOf = ({ method, path }: RouteRow): unknown =>
      /validations$|redemptions$/.test(path) ? redeeming(code) : (goodBodies[`${method} ${path}`] ?? {});
    const parameters = { ...(await world.own(publicRoutes[0] as RouteRow)) };
    const rows = publicRoutes.filter(({ path }) => path !== '/readyz');
    const request = fc.oneof(
      ...rows.map((row) => {
        const kind = row.area === 'client' || row.area === 'management' ? row.area : 'server';
        const headers =
          row.area === 'dashboard'
            ? { 'X-Scrip-Dashboard': '1', 'Sec-Fetch-Site': 'same-origin' }
            : world.keys[kind];
        return malformedRequest(row, { headers, parameters, sample: sampleOf(row) });
      }),
    );
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
