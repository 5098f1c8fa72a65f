import { publicRoutes, type RouteRow } from '@scrip/contracts/registry';
import { type ScripAnswer, sharedScrip } from '@scrip/testing';
import { Client } from 'pg';
import { comparable, notRepeated, type RepeatedPost, repeatedPosts } from './repeated-posts.fixture';
import { type RepeatedWorld, repeatedWorld } from './repeated-world.fixture';

/** Contexts whose calls take their own way under a key: see `libs/contexts/qualification/src/redemption/idempotency.int.spec.ts`. */
const takesKeys = ({ method, secret, area, path, owner }: RouteRow): boolean =>
  method === 'POST' &&
  !secret &&
  ['server', 'client', 'management'].includes(area) &&
  (owner !== 'qualification' || path.startsWith('/v1/validation-rules'));

describe('a POST that is repeated under its key after a crash between effect and answer', () => {
  let world: RepeatedWorld;
  let database: Client;
  let schemas: string[];

  beforeAll(async () => {
    world = await repeatedWorld(await sharedScrip());
    database = new Client({ connectionString: world.scrip.databaseUrl });
    await database.connect();
    const { rows } = await database.query<{ schema: string }>(
      `SELECT table_schema AS schema FROM information_schema.tables WHERE table_name = 'idempotency_keys'`,
    );
    schemas = rows.map(({ schema }) => schema);
  }, 240_000);
  afterAll(() => database?.end());

  const send = ({ route, query = '', ...post }: RepeatedPost, key: string): Promise<ScripAnswer> => {
    const { scrip } = world;
    const names = post.at?.(world) ?? {};
    const filled = route
      .slice('POST '.length)
      .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name]!));
    const headers = { 'idempotency-key': key };
    if (post.file !== undefined) return scrip.upload(filled + query, post.file, {}, headers);
    const body = typeof post.body === 'function' ? post.body(world) : post.body;
    const call = filled.startsWith('/management') ? scrip.callAsManager : scrip.call;
    return call('POST', filled + query, body ?? {}, headers);
  };

  /** Leaves of the call's key what a process leaves that ends before it answers. */
  const forgetAnswer = async (key: string): Promise<void> => {
    let forgotten = 0;
    for (const schema of schemas) {
      const { rowCount } = await database.query(
        `UPDATE ${schema}.idempotency_keys SET status = NULL, body = NULL, customers = NULL, lease_until = now()
         WHERE project_id = $1 AND key LIKE '% ' || $2 AND status IS NOT NULL`,
        [world.scrip.credentials.project_id, key],
      );
      forgotten += rowCount ?? 0;
    }
    expect(forgotten).toBe(1);
  };

  it('is every one that takes a key', () => {
    const routes = publicRoutes.filter(takesKeys).map(({ path }) => `POST ${path}`);
    const told = new Set([...repeatedPosts.map(({ route }) => route), ...Object.keys(notRepeated)]);
    expect(routes.filter((route) => !told.has(route))).toEqual([]);
    expect([...told].filter((route) => !routes.includes(route))).toEqual([]);
  });

  it.each(
    repeatedPosts.map((post, n) => [`${post.route}${post.what ? `, ${post.what}` : ''}`, post, n] as const),
  )('has one effect: %s', async (_, post, n) => {
    const key = `repeated-${n}`;
    const first = await send(post, key);
    expect([first.status < 300, first.body]).toEqual([true, first.body]);
    await post.meanwhile?.(world, first.body);
    const before = await post.seen(world, first.body);
    await forgetAnswer(key);
    const again = await send(post, key);
    expect(await post.seen(world, first.body)).toEqual(before);
    const answered = ({ status, body }: ScripAnswer) => [status, body?.id ?? body?.async_action_id];
    expect(answered(again)).toEqual(answered(first));
    // What changed meanwhile is answered as it is, or as it was.
    if (!post.meanwhile) expect(comparable(again, post.moving)).toEqual(comparable(first, post.moving));
  });
});
