import { resolve } from 'node:path';
import { testProject } from '@scrip/edge/testing';
import {
  createDatabase,
  killWhileWorking,
  rounds,
  type RunningChild,
  startTypescript,
  waitUntil,
} from '@scrip/testing';
import { Client } from 'pg';

const program = resolve(__dirname, 'catalog-program.fixture.ts');
const kills = rounds(10);
const products = 10;
const skus = 5_000 * kills;

const headers = { 'x-app-id': 'app', 'x-app-token': testProject.id };

describe('a catalogue in a process that is killed', () => {
  let url: string;
  let database: Client;
  let child: RunningChild | undefined;

  const start = () => startTypescript(program, { DATABASE_URL: url });
  const scalar = async (sql: string): Promise<number> =>
    Number((await database.query<{ n: string }>(`SELECT (${sql}) AS n`)).rows[0]?.n);
  const post = async (path: string, body: object): Promise<any> => {
    const answer = await fetch(`${child!.origin}${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
    return answer.json();
  };

  beforeAll(async () => {
    url = await createDatabase('catalog_killed');
    child = await start();
    database = new Client({ connectionString: url });
    await database.connect();
  }, 120_000);
  afterAll(async () => {
    await child?.kill();
    await database?.end();
  });

  it(`imports each of ${skus} SKUs once although it is killed ${kills} times`, async () => {
    for (let product = 0; product < products; product += 1)
      await post('/v1/products', { source_id: `product ${product}` });
    const rows = Array.from({ length: skus }, (_, sku) => `product ${sku % products},sku ${sku},Name ${sku}`);
    const form = new FormData();
    form.append('file', new Blob([`product_id,source_id,sku\n${rows.join('\n')}\n`]), 'skus.csv');
    const answer = await fetch(`${child!.origin}/v1/skus/importCSV`, { method: 'POST', headers, body: form });
    expect(answer.status).toBe(200);

    child = await killWhileWorking({
      kills,
      first: child!,
      again: start,
      progress: () => scalar('SELECT count(*) FROM catalog.skus'),
      afterKill: async (done) => {
        expect(done).toBeLessThan(skus);
        expect(await scalar('SELECT sum(done + failed) FROM catalog.task_chunks')).toBe(done);
      },
    });

    await waitUntil(
      async () => (await scalar(`SELECT count(*) FROM catalog.tasks WHERE status <> 'DONE'`)) === 0,
      { what: 'the end of the import', timeoutMs: 120_000 },
    );
    expect(await scalar('SELECT count(DISTINCT source_id) FROM catalog.skus')).toBe(skus);
    expect(await scalar(`SELECT count(*) FROM catalog.events WHERE type = 'SkuCreated'`)).toBe(skus);
    expect(await scalar(`SELECT state->'async_action'->'result'->>'done_count' FROM catalog.tasks`)).toBe(
      skus,
    );
    expect(await scalar(`SELECT count(*) FROM catalog.events WHERE type = 'AsyncActionCompleted'`)).toBe(1);
  }, 600_000);

  it(`finds everything that belongs to a collection although it is killed ${kills} times`, async () => {
    const { id } = await post('/v1/product-collections', {
      name: 'SKUs',
      type: 'AUTO_UPDATE',
      filter: { junction: 'and', object: { conditions: { $is: ['sku'] } } },
    });
    child = await killWhileWorking({
      kills,
      first: child!,
      again: start,
      progress: () => scalar('SELECT count(*) FROM catalog.collection_items'),
      before: 0,
    });
    await waitUntil(async () => (await scalar('SELECT count(*) FROM catalog.collection_walks')) === 0, {
      what: 'the end of the walk',
      timeoutMs: 120_000,
    });
    const ofCollection = `SELECT count(*) FROM catalog.collection_items WHERE collection_id = '${id}'`;
    expect(await scalar(ofCollection)).toBe(skus);
    expect(await scalar(`${ofCollection} AND object = 'sku'`)).toBe(skus);
  }, 600_000);

  it(`purges each product with its SKUs and entries, or nothing of it, although it is killed ${kills} times`, async () => {
    const binned = 150 * kills;
    const numbers = Array.from({ length: binned }, (_, n) => n);
    await Promise.all(
      numbers.map(async (n) => {
        const { id } = await post('/v1/products', { source_id: `binned ${n}` });
        for (const sku of ['a', 'b']) await post(`/v1/products/${id}/skus`, { source_id: `${sku} ${n}` });
        for (const path of [`/v1/products/${id}/skus/a%20${n}`, `/v1/products/${id}`])
          await fetch(`${child!.origin}${path}`, { method: 'DELETE', headers });
      }),
    );
    const purged = () => scalar(`SELECT count(*) FROM catalog.events WHERE type = 'ProductPurged'`);
    const ofProducts = (status: string) =>
      scalar(`SELECT count(*) FROM catalog.products WHERE status = '${status}'`);
    const left = async (done: number) => {
      expect(await ofProducts('ERASED')).toBe(done);
      expect(await ofProducts('BINNED')).toBe(binned - done);
      const without = `NOT EXISTS (SELECT FROM catalog.products p WHERE p.id = x.product_id AND p.status <> 'ERASED')`;
      expect(await scalar(`SELECT count(*) FROM catalog.skus x WHERE ${without}`)).toBe(0);
      const skusLeft = `SELECT id, product_id FROM catalog.skus WHERE status = 'BINNED'`;
      expect(await scalar(`SELECT count(*) FROM catalog.bin_entries WHERE resource_type = 'product'`)).toBe(
        binned - done,
      );
      expect(await scalar(`SELECT count(*) FROM catalog.bin_entries WHERE resource_type = 'sku'`)).toBe(
        await scalar(`SELECT count(*) FROM (${skusLeft}) s`),
      );
    };
    const purging = () => startTypescript(program, { DATABASE_URL: url, PURGES: 'yes' });
    await child!.kill();
    child = await killWhileWorking({
      kills,
      first: await purging(),
      again: purging,
      progress: purged,
      afterKill: async (done) => {
        expect(done).toBeLessThan(binned);
        await left(done);
      },
    });
    await waitUntil(async () => (await purged()) === binned, { what: 'the last purge', timeoutMs: 60_000 });
    await left(binned);
  }, 600_000);
});
