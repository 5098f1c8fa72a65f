import { resolve } from 'node:path';
import { createDatabase, KilledProgram, rounds, waitUntil } from '@scrip/testing';

const file = resolve(__dirname, 'catalog-program.fixture.ts');
const kills = rounds(10);
const products = 10;
const skus = 5_000 * kills;

describe('a catalogue in a process that is killed', () => {
  let program: KilledProgram;

  const post = async (path: string, body: object): Promise<any> => {
    const { status, body: answered } = await program.call('POST', path, body);
    expect(status).toBe(200);
    return answered;
  };

  beforeAll(async () => {
    program = await KilledProgram.start(file, await createDatabase('catalog_killed'));
  }, 120_000);
  afterAll(async () => {
    await program?.end();
  });

  it(`imports each of ${skus} SKUs once although it is killed ${kills} times`, async () => {
    for (let product = 0; product < products; product += 1)
      await post('/v1/products', { source_id: `product ${product}` });
    const rows = Array.from({ length: skus }, (_, sku) => `product ${sku % products},sku ${sku},Name ${sku}`);
    const form = new FormData();
    form.append('file', new Blob([`product_id,source_id,sku\n${rows.join('\n')}\n`]), 'skus.csv');
    const answer = await program.call('POST', '/v1/skus/importCSV', form);
    expect(answer.status).toBe(200);

    await program.killWhileWorking({
      kills,
      progress: () => program.count('SELECT count(*) FROM catalog.skus'),
      afterKill: async (done) => {
        expect(done).toBeLessThan(skus);
        expect(await program.count('SELECT sum(done + failed) FROM catalog.task_chunks')).toBe(done);
      },
    });

    await waitUntil(
      async () => (await program.count(`SELECT count(*) FROM catalog.tasks WHERE status <> 'DONE'`)) === 0,
      { what: 'the end of the import', timeoutMs: 120_000 },
    );
    expect(await program.count('SELECT count(DISTINCT source_id) FROM catalog.skus')).toBe(skus);
    expect(await program.count(`SELECT count(*) FROM catalog.events WHERE type = 'SkuCreated'`)).toBe(skus);
    expect(
      await program.count(`SELECT state->'async_action'->'result'->>'done_count' FROM catalog.tasks`),
    ).toBe(skus);
    expect(
      await program.count(`SELECT count(*) FROM catalog.events WHERE type = 'AsyncActionCompleted'`),
    ).toBe(1);
  }, 600_000);

  it(`finds everything that belongs to a collection although it is killed ${kills} times`, async () => {
    const { id } = await post('/v1/product-collections', {
      name: 'SKUs',
      type: 'AUTO_UPDATE',
      filter: { junction: 'and', object: { conditions: { $is: ['sku'] } } },
    });
    await program.killWhileWorking({
      kills,
      progress: () => program.count('SELECT count(*) FROM catalog.collection_items'),
      before: 0,
    });
    await waitUntil(
      async () => (await program.count('SELECT count(*) FROM catalog.collection_walks')) === 0,
      { what: 'the end of the walk', timeoutMs: 120_000 },
    );
    const ofCollection = `SELECT count(*) FROM catalog.collection_items WHERE collection_id = '${id}'`;
    expect(await program.count(ofCollection)).toBe(skus);
    expect(await program.count(`${ofCollection} AND object = 'sku'`)).toBe(skus);
  }, 600_000);

  it(`purges each product with its SKUs and entries, or nothing of it, although it is killed ${kills} times`, async () => {
    const binned = 150 * kills;
    const bin = async (n: number): Promise<void> => {
      const { id } = await post('/v1/products', { source_id: `binned ${n}` });
      for (const sku of ['a', 'b']) await post(`/v1/products/${id}/skus`, { source_id: `${sku} ${n}` });
      for (const path of [`/v1/products/${id}/skus/a%20${n}`, `/v1/products/${id}`])
        await program.call('DELETE', path);
    };
    // By a few callers: of 1,500 connections that are opened at once, a server refuses some.
    let next = 0;
    const caller = async (): Promise<void> => {
      while (next < binned) await bin(next++);
    };
    await Promise.all(Array.from({ length: 20 }, caller));
    const purged = () => program.count(`SELECT count(*) FROM catalog.events WHERE type = 'ProductPurged'`);
    const ofProducts = (status: string) =>
      program.count(`SELECT count(*) FROM catalog.products WHERE status = '${status}'`);
    const left = async (done: number) => {
      expect(await ofProducts('ERASED')).toBe(done);
      expect(await ofProducts('BINNED')).toBe(binned - done);
      const without = `NOT EXISTS (SELECT FROM catalog.products p WHERE p.id = x.product_id AND p.status <> 'ERASED')`;
      expect(await program.count(`SELECT count(*) FROM catalog.skus x WHERE ${without}`)).toBe(0);
      const skusLeft = `SELECT id, product_id FROM catalog.skus WHERE status = 'BINNED'`;
      expect(
        await program.count(`SELECT count(*) FROM catalog.bin_entries WHERE resource_type = 'product'`),
      ).toBe(binned - done);
      expect(
        await program.count(`SELECT count(*) FROM catalog.bin_entries WHERE resource_type = 'sku'`),
      ).toBe(await program.count(`SELECT count(*) FROM (${skusLeft}) s`));
    };
    const purging = { PURGES: 'yes' };
    await program.kill();
    await program.startAgain(purging);
    await program.killWhileWorking(
      {
        kills,
        progress: purged,
        afterKill: async (done) => {
          expect(done).toBeLessThan(binned);
          await left(done);
        },
      },
      purging,
    );
    await waitUntil(async () => (await purged()) === binned, { what: 'the last purge', timeoutMs: 300_000 });
    await left(binned);
  }, 600_000);
});
