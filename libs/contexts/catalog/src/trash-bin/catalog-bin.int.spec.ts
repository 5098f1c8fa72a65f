import type { BinEntriesWanted, BinEntry } from '@scrip/contracts/operations';
import { StaleRow } from '@scrip/event-store';
import { isRefused } from '@scrip/kernel';
import { waitUntil } from '@scrip/testing';
import { bootCatalog, caller, type CatalogFixture } from '../catalog.fixture';
import { ProductHandlers } from '../product/product.handlers';
import { CatalogHasABin1800000002500 } from '../migrations/catalog-has-a-bin.migration';

let fixture: CatalogFixture;

beforeAll(async () => {
  fixture = await bootCatalog();
});
afterAll(() => fixture?.running.close());

let projects = 0;

/** A project of its own. */
const project = () => {
  projects += 1;
  const id = `proj_bin_${projects}`;
  const context = () => caller(id);
  const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
    fixture.call(method, path, body, id);
  const ask = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => {
    const { status, body: answer } = await call(method, path, body);
    expect({ path, status, answer }).toMatchObject({ status: method === 'DELETE' ? 204 : 200 });
    return answer;
  };
  const product = (fields: object) => ask('POST', '/v1/products', fields);
  const sku = (of: string, fields: object) => ask('POST', `/v1/products/${of}/skus`, fields);
  const listed = (wanted: Partial<BinEntriesWanted> = {}) =>
    fixture.port.listBinEntries(context(), {
      wanted: { limit: 100, order: 'id', after: null, filters: null, ...wanted },
    });
  const entries = async (wanted: Partial<BinEntriesWanted> = {}): Promise<BinEntry[]> => {
    const found = await listed(wanted);
    if (isRefused(found)) throw new Error(found.details);
    return found;
  };
  const names = async (wanted: Partial<BinEntriesWanted> = {}) =>
    (await entries(wanted)).map(({ resource_name }) => resource_name);
  const entryOf = async (name: string) =>
    (await entries()).find(({ resource_name }) => resource_name === name)!.id;
  const purge = (entry: string) => fixture.port.purgeBinEntry(context(), { id: entry });
  return { id, context, call, ask, product, sku, listed, entries, names, entryOf, purge };
};

const stored = async (projectId: string) => {
  const count = async (sql: string) =>
    Number((await fixture.database.query<{ n: string }[]>(sql, [projectId]))[0]!.n);
  return {
    products: await count("SELECT count(*) AS n FROM products WHERE project_id = $1 AND status = 'BINNED'"),
    skus: await count('SELECT count(*) AS n FROM skus WHERE project_id = $1'),
    entries: await count('SELECT count(*) AS n FROM bin_entries WHERE project_id = $1'),
  };
};

describe('the bin of the catalog (reference 07 §13)', () => {
  it('has an entry for each product and SKU that is deleted, and none for what is deleted for good', async () => {
    const { product, sku, ask, entries } = project();
    const shirt = await product({ source_id: 'shirt', name: 'Shirt' });
    const red = await sku('shirt', { source_id: 'red', sku: 'Red shirt' });
    await sku('shirt', { source_id: 'gone' });
    await product({ source_id: 'gone' });
    await ask('DELETE', '/v1/products/shirt/skus/red');
    await ask('DELETE', '/v1/products/shirt/skus/gone?force=true');
    await ask('DELETE', '/v1/products/shirt');
    await ask('DELETE', '/v1/products/gone?force=true');
    const entry = {
      id: expect.stringMatching(/^tbe_[0-9a-f]{32}$/) as string,
      created_at: expect.stringMatching(/Z$/) as string,
      deleted_by_user_id: null,
    };
    expect(await entries()).toEqual([
      {
        ...entry,
        resource_id: red.id,
        resource_type: 'sku',
        resource_name: 'Red shirt',
        resource_parent_id: shirt.id,
      },
      {
        ...entry,
        resource_id: shirt.id,
        resource_type: 'product',
        resource_name: 'Shirt',
        resource_parent_id: null,
      },
    ]);
  });

  it('names what has no name by its source id, else by its id', async () => {
    const { product, ask, names } = project();
    await product({ source_id: 'nameless' });
    const { id } = await product({});
    for (const one of ['nameless', id]) await ask('DELETE', `/v1/products/${one}`);
    expect(await names()).toEqual(['nameless', id]);
  });

  it('names the user who deleted', async () => {
    const { product, entries, context } = project();
    const { id } = await product({ name: 'By a user' });
    const handlers = fixture.running.app.get(ProductHandlers, { strict: false });
    const user = { id: 'user_1' };
    expect(await handlers.delete({ ...context(), user }, id, { bin_entry_id: 'tbe_1' })).toBeNull();
    expect(await entries()).toMatchObject([{ id: 'tbe_1', deleted_by_user_id: 'user_1' }]);
  });

  it('lists in both orders, on behind an entry, and what a filter asks for', async () => {
    const { product, sku, ask, names, entryOf } = project();
    await product({ source_id: 'p', name: 'Kept' });
    for (const name of ['a', 'b', 'c']) {
      await product({ source_id: name, name });
      await ask('DELETE', `/v1/products/${name}`);
    }
    const { id } = await sku('p', { source_id: 'd', sku: 'd' });
    await ask('DELETE', '/v1/products/p/skus/d');
    expect(await names()).toEqual(['a', 'b', 'c', 'd']);
    expect(await names({ limit: 2 })).toEqual(['a', 'b']);
    expect(await names({ after: await entryOf('b') })).toEqual(['c', 'd']);
    expect(await names({ order: '-id', limit: 1, after: await entryOf('c') })).toEqual(['b']);
    const by = (field: string, conditions: Record<string, string[]>) =>
      names({ filters: { junction: 'and', fields: { [field]: conditions } } });
    expect(await by('id', { $is: [await entryOf('c')] })).toEqual(['c']);
    expect(await by('resource_type', { $is: ['sku'] })).toEqual(['d']);
    expect(await by('resource_type', { $in: ['campaign', 'voucher'] })).toEqual([]);
    expect(await by('resource_name', { $starts_with: ['b'] })).toEqual(['b']);
    expect(await by('resource_id', { $is: [id] })).toEqual(['d']);
  });

  it('refuses filters that do not fit', async () => {
    const { listed } = project();
    const filters = (field: string, conditions: Record<string, string[]>) =>
      listed({ filters: { junction: 'and', fields: { [field]: conditions } } });
    expect(await filters('resource_type', { $is: ['customer'] })).toMatchObject({
      refused: 'invalid_query_params',
      details: expect.stringMatching(
        /^Property \.filters\.resource_type\.conditions\.\$is .*campaign/,
      ) as string,
    });
    expect(await filters('resource_name', { $more_than: ['1'] })).toMatchObject({
      refused: 'invalid_query_params',
      details: expect.stringContaining('Property .filters.resource_name.conditions') as string,
    });
  });
});

describe('a purge', () => {
  it('of a product frees its ids and those of its SKUs, with their entries', async () => {
    const { id: projectId, product, sku, ask, entryOf, purge, entries } = project();
    const { id } = await product({ source_id: 'belt', name: 'Belt' });
    const red = await sku('belt', { source_id: 'belt-red' });
    await sku('belt', { source_id: 'belt-gone' });
    await ask('DELETE', '/v1/products/belt/skus/belt-gone');
    await ask('DELETE', '/v1/products/belt');
    expect(await entries()).toHaveLength(2);
    expect(await purge(await entryOf('Belt'))).toEqual({ purged: true });
    expect(await stored(projectId)).toEqual({ products: 0, skus: 0, entries: 0 });
    expect(await product({ id, source_id: 'belt', name: 'Belt' })).toMatchObject({ id, source_id: 'belt' });
    expect(await sku('belt', { id: red.id, source_id: 'belt-red' })).toMatchObject({ id: red.id });
    await sku('belt', { source_id: 'belt-gone' });
  });

  it('of a SKU frees its ids, whether its product is live or in the bin', async () => {
    const { id: projectId, product, sku, ask, call, entryOf, purge, names } = project();
    await product({ source_id: 'hat', name: 'Hat' });
    const { id } = await sku('hat', { source_id: 'hat-red' });
    await sku('hat', { source_id: 'hat-blue' });
    for (const one of ['hat-red', 'hat-blue']) await ask('DELETE', `/v1/products/hat/skus/${one}`);
    expect((await call('POST', '/v1/products/hat/skus', { source_id: 'hat-red' })).status).toBe(409);
    await purge(await entryOf('hat-red'));
    expect(await sku('hat', { id, source_id: 'hat-red' })).toMatchObject({ id, source_id: 'hat-red' });
    await ask('DELETE', '/v1/products/hat');
    await purge(await entryOf('hat-blue'));
    expect(await names()).toEqual(['Hat']);
    expect(await stored(projectId)).toMatchObject({ products: 1, skus: 1 });
  });

  it('of one of fifty callers succeeds, and the others find nothing', async () => {
    const { id: projectId, product, sku, ask, entryOf, purge } = project();
    await product({ source_id: 'tie', name: 'Tie' });
    for (const one of ['tie-1', 'tie-2']) {
      await sku('tie', { source_id: one });
      await ask('DELETE', `/v1/products/tie/skus/${one}`);
    }
    await ask('DELETE', '/v1/products/tie');
    const ids = [await entryOf('tie-1'), await entryOf('Tie')];
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => purge(ids[index % 2]!)));
    const purged = answers.filter((answer) => !isRefused(answer));
    // That of the product may come first, and takes the other entry along.
    expect([1, 2]).toContain(purged.length);
    expect(answers.filter(isRefused)[0]).toMatchObject({
      refused: 'not_found',
      resourceType: 'bin_entry',
      details: expect.stringMatching(/^Cannot find bin_entry with id tbe_/) as string,
    });
    expect(await stored(projectId)).toEqual({ products: 0, skus: 0, entries: 0 });
    expect(
      await fixture.database.query(
        "SELECT count(*)::int AS n FROM events WHERE project_id = $1 AND type = 'ProductPurged'",
        [projectId],
      ),
    ).toEqual([{ n: 1 }]);
  });

  it('whose connection breaks in the middle has changed nothing, and is repeated', async () => {
    const { id: projectId, product, sku, ask, entryOf, purge } = project();
    await product({ source_id: 'cap', name: 'Cap' });
    for (const one of ['cap-1', 'cap-2']) await sku('cap', { source_id: one });
    await ask('DELETE', '/v1/products/cap/skus/cap-1');
    await ask('DELETE', '/v1/products/cap');
    const entry = await entryOf('Cap');
    const other = fixture.database.createQueryRunner();
    await other.startTransaction();
    await other.query("SELECT FROM bin_entries WHERE project_id = $1 AND resource_type = 'sku' FOR UPDATE", [
      projectId,
    ]);
    const purging = purge(entry);
    // It has deleted the SKUs by then.
    const cutOff = async () => {
      const backends = await fixture.database.query<unknown[]>(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'DELETE FROM bin_entries%'`,
      );
      return backends.length > 0;
    };
    await waitUntil(cutOff, { what: 'the purge to wait for the entry', intervalMs: 5 });
    expect(await stored(projectId)).toEqual({ products: 1, skus: 2, entries: 2 });
    await other.rollbackTransaction();
    await other.release();
    expect(await purging).toEqual({ purged: true });
    expect(await stored(projectId)).toEqual({ products: 0, skus: 0, entries: 0 });
  });

  it('never takes a record that was deleted once more under another entry', async () => {
    const { product, ask, entryOf, purge, names, context } = project();
    const { id } = await product({ name: 'Again' });
    await ask('DELETE', `/v1/products/${id}`);
    const first = await entryOf('Again');
    await purge(first);
    await product({ id, name: 'Again' });
    await ask('DELETE', `/v1/products/${id}`);
    const handlers = fixture.running.app.get(ProductHandlers, { strict: false });
    await expect(handlers.purge(context(), { id, bin_entry_id: first })).rejects.toThrow(StaleRow);
    expect(await purge(first)).toMatchObject({ refused: 'not_found', resourceId: first });
    expect(await names()).toEqual(['Again']);
  });

  it('finds no entry of another project', async () => {
    const { product, ask, entryOf, names } = project();
    await product({ source_id: 'mine', name: 'Mine' });
    await ask('DELETE', '/v1/products/mine');
    expect(await project().purge(await entryOf('Mine'))).toMatchObject({ refused: 'not_found' });
    expect(await names()).toEqual(['Mine']);
  });
});

it('a product that is deleted for good takes the entries of its SKUs along', async () => {
  const { id, product, sku, ask } = project();
  await product({ source_id: 'sock' });
  await sku('sock', { source_id: 'sock-red' });
  await ask('DELETE', '/v1/products/sock/skus/sock-red');
  await ask('DELETE', '/v1/products/sock?force=true');
  expect(await stored(id)).toEqual({ products: 0, skus: 0, entries: 0 });
});

it('what was deleted before there was a bin gets entries', async () => {
  const { product, sku, ask, entries } = project();
  await product({ source_id: 'old', name: 'Old' });
  await sku('old', { source_id: 'old-red', sku: 'Red' });
  await ask('DELETE', '/v1/products/old/skus/old-red');
  await ask('DELETE', '/v1/products/old');
  const byType = (found: BinEntry[]) => found.sort((a, b) => (a.resource_type < b.resource_type ? -1 : 1));
  const before = byType(await entries());
  const migration = new CatalogHasABin1800000002500();
  const runner = fixture.database.createQueryRunner();
  await migration.down(runner);
  await migration.up(runner);
  await runner.release();
  const id = expect.stringMatching(/^tbe_[0-9a-f]{32}$/) as string;
  expect(byType(await entries())).toEqual(before.map((entry) => ({ ...entry, id })));
});

it('states are what the events give', async () => {
  expect(await fixture.running.eventStores.get('catalog')?.verifyState()).toEqual([]);
});
