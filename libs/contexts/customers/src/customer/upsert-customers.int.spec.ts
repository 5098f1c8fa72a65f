import { isRefused, newId, type RequestContext } from '@scrip/kernel';
import { requestContext, startCustomers } from '../customers.fixture';
import { sourceHashesOf, type UpsertItem } from './upsert-customers';

describe('sets of customers beside other calls', () => {
  let customers: Awaited<ReturnType<typeof startCustomers>>;
  const context: RequestContext = requestContext();

  beforeAll(async () => {
    customers = await startCustomers('customer_sets');
  });
  afterAll(() => customers?.stop());

  const item = (source_id: string, metadata: Record<string, unknown> = {}): UpsertItem => ({
    customer: { source_id, metadata },
    new_id: newId('cust_'),
  });
  const find = async (source_id: string) => {
    const found = await customers.customers.get(context, source_id);
    if (isRefused(found)) throw new Error(found.details);
    return found;
  };

  it('change who is named twice, and new, in order', async () => {
    const [first, second] = await customers.sets.upsertMany(
      context,
      [item('twice', { a: 1, b: 1 }), item('twice', { b: 2 })],
      { bulk: true },
    );
    expect([first, second]).toMatchObject([
      { found: false, updated: true },
      { found: true, updated: true },
    ]);
    expect((await find('twice')).metadata).toEqual({ a: 1, b: 2 });
    expect(await customers.eventStore.verifyState()).toEqual([]);
  });

  it('take what was made ahead of who is new, and of nobody who is there by then', async () => {
    await customers.sets.upsertMany(context, [item('there', { a: 1 })], {});
    const named = [
      item('there', { b: 2 }),
      item('new', { b: 2 }),
      item('new', { c: 3 }),
      item('late', { b: 2 }),
    ];
    const set = await customers.sets.madeAhead(context, named, { bulk: true });
    expect(set.map(({ ahead }) => ahead?.creation !== undefined)).toEqual([false, true, false, true]);
    await customers.sets.upsertMany(context, [item('late', { a: 1 })], {});
    const answers = await customers.sets.upsertMany(context, set, { bulk: true });
    expect(answers).toMatchObject([
      { found: true, updated: true },
      { found: false, customer: { id: named[1]!.new_id } },
      { found: true, customer: { id: named[1]!.new_id } },
      { found: true, updated: true },
    ]);
    expect((await find('there')).metadata).toEqual({ a: 1, b: 2 });
    expect((await find('new')).metadata).toEqual({ b: 2, c: 3 });
    expect((await find('late')).metadata).toEqual({ a: 1, b: 2 });
    expect(await customers.eventStore.verifyState()).toEqual([]);
  });

  it('create nobody twice whose creation was made ahead by two', async () => {
    const sets = [item('ahead', { a: 1 }), item('ahead', { b: 2 })].map(async (one) =>
      customers.sets.madeAhead(context, [one], {}),
    );
    for (const set of await Promise.all(sets)) {
      expect(set[0]!.ahead).toHaveProperty('creation');
      await customers.sets.upsertMany(context, set, {});
    }
    expect((await find('ahead')).metadata).toEqual({ a: 1, b: 2 });
  });

  it('say what finds their customers, unless one is named by id', async () => {
    const found = await Promise.all(
      [[item('a'), item('b'), { ...item(''), customer: {} }], [item('b')]].map(async (set) =>
        sourceHashesOf(await customers.sets.madeAhead(context, set, {})),
      ),
    );
    expect(found.map((hashes) => hashes?.size)).toEqual([2, 1]);
    expect([...found[0]!]).toEqual(expect.arrayContaining([...found[1]!]));
    const byId = await customers.sets.madeAhead(
      context,
      [item('a'), { ...item(''), customer: { id: 'cust_1' } }],
      {},
    );
    expect(sourceHashesOf(byId)).toBeNull();
  });

  it('do not see a deleted customer', async () => {
    await customers.sets.upsertMany(context, [item('gone')], {});
    const { id } = await find('gone');
    await customers.customers.delete(context, id);
    const answers = await customers.sets.upsertMany(
      context,
      [item('gone'), { customer: { id }, new_id: newId('cust_') }],
      {},
    );
    expect(answers).toMatchObject([{ found: false, updated: true }, { refused: 'not_found' }]);
  });

  it('lose no change, in whatever order they name the customers', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `busy ${index}`);
    await Promise.all(
      Array.from({ length: 25 }, async (_, n) => {
        const order = n % 2 === 0 ? names : [...names].reverse();
        const set = order.map((name) => item(name, { [`set ${n}`]: n }));
        await customers.sets.upsertMany(context, set, { bulk: true });
        await customers.customers.upsert(context, item(names[n % 10]!, { [`single ${n}`]: n }));
      }),
    );
    for (const [index, name] of names.entries()) {
      const keys = Object.keys((await find(name)).metadata);
      expect(keys.filter((key) => key.startsWith('set'))).toHaveLength(25);
      expect(keys.filter((key) => key.startsWith('single'))).toHaveLength(index < 5 ? 3 : 2);
    }
  });

  it('that create the same customers wait for each other in one order, whatever theirs', async () => {
    await customers.dataSource.query(`
      CREATE FUNCTION slowly() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.1); RETURN NEW; END $$;
      CREATE TRIGGER slowly BEFORE INSERT ON customer_keys FOR EACH ROW EXECUTE FUNCTION slowly()`);
    const names = ['new 1', 'new 2', 'new 3'];
    const answers = await Promise.all(
      [names, [...names].reverse()].map((order) =>
        customers.sets.upsertMany(
          context,
          order.map((name) => item(name)),
          {},
        ),
      ),
    );
    await customers.dataSource.query('DROP TRIGGER slowly ON customer_keys; DROP FUNCTION slowly');
    const created = answers.flat().filter((answer) => !isRefused(answer) && !answer.found);
    expect(created).toHaveLength(3);
  });
});
