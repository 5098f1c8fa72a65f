import { readInput } from '@scrip/edge';
import { type RequestContext, isRefused, newId } from '@scrip/kernel';
import { requestContext, startCustomers } from '../customers.fixture';
import { CustomerListQuery } from './customer-list.query';

let customers: Awaited<ReturnType<typeof startCustomers>>;

beforeAll(async () => {
  customers = await startCustomers('customer_lists');
});
afterAll(() => customers.stop());

const inProject = (projectId: string): RequestContext => ({
  ...requestContext(undefined, projectId),
  deadlineAt: Date.now() + 60_000,
});

const listed = async (projectId: string, query: object) => {
  const page = await customers.lists.list(inProject(projectId), readInput(CustomerListQuery, query, 'query'));
  if (isRefused(page)) throw new Error(page.details);
  return { names: page.customers.map(({ name }) => name), total: page.total, hasMore: page.hasMore };
};

describe('what lists find customers by', () => {
  test('follows changes of name, e-mail address and city, and ends with a deletion', async () => {
    const context = inProject('proj_found');
    const { id } = (await customers.port.resolve(context, {
      customer: { source_id: 'ada', name: 'Ada', email: 'a@example.com', address: { city: 'London' } },
      store: true,
      new_id: newId('cust_'),
    })) as { id: string };
    const found = (query: object) => listed('proj_found', query).then(({ total }) => total);
    expect(
      await Promise.all([{ name: 'Ada' }, { email: 'a@example.com' }, { city: 'London' }].map(found)),
    ).toEqual([1, 1, 1]);
    await customers.customers.update(context, id, { name: 'Eve', address: { city: 'Paris' } });
    expect(
      await Promise.all(
        [{ name: 'Ada' }, { name: 'Eve' }, { city: 'London' }, { city: 'Paris', email: 'a@example.com' }].map(
          found,
        ),
      ),
    ).toEqual([0, 1, 0, 1]);
    expect(await found({ name: 'eve' })).toBe(0);
    await customers.customers.delete(context, id);
    expect(await Promise.all([{ name: 'Eve' }, {}, { order: 'source_id' }].map(found))).toEqual([0, 0, 0]);
  });

  test('is filled in for customers whom an earlier release stored, and leaves alone what changed meanwhile', async () => {
    const context = inProject('proj_old');
    const ids: string[] = [];
    for (const name of ['Ada', 'Bob', 'Cy']) {
      const customer = await customers.port.resolve(context, {
        customer: { source_id: name, name },
        store: true,
        new_id: newId('cust_'),
      });
      ids.push((customer as { id: string }).id);
    }
    await customers.customers.delete(context, ids[2]!);
    await customers.dataSource.query(
      `UPDATE customer_keys SET source_id = '', name_hash = NULL, created_at = NULL, listed = NULL
       WHERE project_id = 'proj_old'`,
    );
    expect((await listed('proj_old', { name: 'Ada' })).total).toBe(0);
    expect((await listed('proj_old', {})).total).toBe(2);
    await customers.customers.update(context, ids[1]!, { name: 'Bo' });
    await customers.filler.fill();
    expect((await listed('proj_old', { order: 'source_id' })).names).toEqual(['Ada', 'Bo']);
    expect((await listed('proj_old', { name: 'Ada' })).total).toBe(1);
    expect((await listed('proj_old', { name: 'Bo' })).total).toBe(1);
    expect((await listed('proj_old', { name: 'Cy' })).total).toBe(0);
  });
});

describe('a set of customers (reference 07 §3, bulk calls)', () => {
  const item = (source_id: string, fields: object = {}) => ({
    customer: { source_id, ...fields },
    new_id: newId('cust_'),
  });
  const outcomeOf = (answers: Awaited<ReturnType<typeof customers.sets.upsertMany>>) =>
    answers.map((answer) =>
      isRefused(answer) ? answer.refused : `${answer.found ? 'found' : 'new'} ${answer.updated}`,
    );
  const bulk = { bulk: true };

  test('is created and changed by few statements, each customer with an answer of its own, without webhooks', async () => {
    const context = inProject('proj_sets');
    const first = Array.from({ length: 30 }, (_, n) => item(`s-${n}`, { name: `N${n}` }));
    expect(new Set(outcomeOf(await customers.sets.upsertMany(context, first, bulk)))).toEqual(
      new Set(['new true']),
    );
    expect(new Set(outcomeOf(await customers.sets.upsertMany(context, first, bulk)))).toEqual(
      new Set(['found false']),
    );
    const mixed = [
      item('s-0', { metadata: { a: 1 } }),
      item('s-0', { metadata: { b: 2 } }),
      item('new', { metadata: { a: 1 } }),
      { customer: { id: 'cust_none' }, new_id: newId('cust_') },
      item('large', { description: 'x'.repeat(300_000) }),
      item('s-1'),
    ];
    const answers = await customers.sets.upsertMany(context, mixed, bulk);
    expect(outcomeOf(answers)).toEqual([
      'found true',
      'found true',
      'new true',
      'not_found',
      'invalid_payload',
      'found false',
    ]);
    const stored = await customers.customers.get(context, 's-0');
    expect(stored).toMatchObject({ name: 'N0', metadata: { a: 1, b: 2 } });
    const stream = await customers.eventStore.readStream(
      'customer',
      'proj_sets',
      (stored as { id: string }).id,
    );
    expect(stream.map(({ type, data }) => [type, (data as { bulk?: boolean }).bulk])).toEqual([
      ['CustomerCreated', true],
      ['CustomerUpdated', true],
      ['CustomerUpdated', true],
    ]);
    expect((await listed('proj_sets', { name: 'N0' })).total).toBe(1);
    expect(await customers.eventStore.verifyState()).toEqual([]);
  });

  test('replaces what is not sent where it is asked to', async () => {
    const context = inProject('proj_sets');
    const full = item('replaced', { name: 'Ada', email: 'a@example.com', metadata: { a: 1 } });
    await customers.sets.upsertMany(context, [full], bulk);
    await customers.sets.upsertMany(context, [item('replaced', { name: 'Eve', metadata: { b: 1 } })], {
      bulk: true,
      replace: true,
    });
    expect(await customers.customers.get(context, 'replaced')).toMatchObject({
      source_id: 'replaced',
      name: 'Eve',
      email: null,
      metadata: { b: 1 },
    });
  });

  test('beside other calls loses nothing, and makes one record of a source id', async () => {
    const context = inProject('proj_beside');
    const items = (key: string) =>
      Array.from({ length: 20 }, (_, n) => item(`b-${n}`, { metadata: { [key]: n } }));
    const singly = items('single').map(({ customer, new_id }) =>
      customers.customers.upsert(context, { customer, new_id }),
    );
    const [one, two] = await Promise.all([
      customers.sets.upsertMany(context, items('one'), bulk),
      customers.sets.upsertMany(context, items('two'), bulk),
      ...singly,
    ]);
    expect([...outcomeOf(one!), ...outcomeOf(two!)].every((outcome) => outcome.endsWith('true'))).toBe(true);
    const page = await customers.lists.list(
      context,
      readInput(CustomerListQuery, { limit: '100', order: 'source_id' }, 'query'),
    );
    if (isRefused(page)) throw new Error(page.details);
    expect(page.total).toBe(20);
    for (const { metadata } of page.customers)
      expect(Object.keys(metadata).sort()).toEqual(['one', 'single', 'two']);
  });
});
