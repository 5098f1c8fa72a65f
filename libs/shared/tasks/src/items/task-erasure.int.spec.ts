import { derivedIds, isRefused } from '@scrip/kernel';
import { waitUntil } from '@scrip/testing';
import { TaskJobs } from '../task/task-jobs';
import { TaskPruner } from '../task/task-pruner';
import { noteCleared } from './erased-name.table';
import { BatchTable } from './batch.table';
import type { TaskInput } from './item-task';
import { ItemRunner } from './item-runner';
import { TaskErasure } from './task-erasure';
import {
  bootTallies,
  caller,
  CountTallies,
  keyOf,
  project,
  type TalliesFixture,
  type Tally,
} from './tallies.fixture';

const gone = 'The customer was deleted permanently meanwhile';

describe('tasks and customers that are deleted permanently', () => {
  let fixture: TalliesFixture;
  const held = new Set<string>();

  beforeAll(async () => {
    fixture = await bootTallies();
    const jobs = fixture.get(TaskJobs);
    const { add } = jobs;
    jest.spyOn(jobs, 'add').mockImplementation((tasks, manager) =>
      add.call(
        jobs,
        tasks.filter(({ id }) => !held.has(id)),
        manager,
      ),
    );
  });
  afterEach(() => fixture.database.query('DELETE FROM erased_names'));
  afterAll(() => fixture?.running.close());

  /** Stores the name of a customer that was erased, as the statement of the deletion does. */
  const named = async (name: string, until = 'clock_timestamp()'): Promise<string> => {
    const customerId = `cust_${name.replaceAll(' ', '_')}`;
    await fixture.database.query(
      `INSERT INTO erased_names (project_id, customer_id, name, named_until) VALUES ($1, $2, $3, ${until})`,
      [project.id, customerId, keyOf(name)],
    );
    return customerId;
  };
  const erase = async (...names: string[]): Promise<void> => {
    const ids: string[] = [];
    for (const name of names) ids.push(await named(name));
    await fixture.get(TaskErasure).erase(project.id, ids);
  };
  const tallies = (...names: string[]): TaskInput<Tally>[] => names.map((name) => ({ item: { name } }));
  let orders = 0;
  /** Orders a task that no job carries out. */
  const unhurried = async (inputs: Iterable<TaskInput<Tally>>): Promise<string> => {
    const ids = () => derivedIds({ createdAt: new Date(), commandId: `unhurried ${orders}` });
    orders += 1;
    const own = ids();
    held.add(own.next('aa_c', 'async-action'));
    return fixture.order(inputs, { ids: own });
  };
  const carryOut = async (id: string): Promise<void> => {
    while (await fixture.get(ItemRunner).advance(project, id));
  };
  const lines = async (id: string) => {
    const page = await fixture.items.report(caller, { id, from: 0 });
    if (isRefused(page)) throw new Error(page.details);
    return page.results;
  };
  const identifiers = async (id: string) => (await lines(id)).map(({ identifier }) => identifier);
  /** What the chunks of a task hold, opened. */
  const stored = async (id: string): Promise<string> => {
    const chunks = await fixture
      .get(BatchTable)
      .chunksAfter(
        { projectId: project.id, until: new Date(Date.now() + 60_000) },
        { taskId: '', position: -1 },
        1_000,
      );
    return JSON.stringify(chunks.filter(({ taskId }) => taskId === id));
  };

  it('name them by no result any more, whether they succeeded or failed', async () => {
    const id = await fixture.order([
      ...tallies('result 0', 'result 1', 'result 2'),
      { item: { name: 'result 3', trouble: 'refused' } },
    ]);
    await fixture.ended(id);
    await erase('result 1', 'result 3');
    await fixture.get(TaskErasure).erase(project.id, ['cust_result_1']);
    expect(await identifiers(id)).toEqual(['result 0', null, 'result 2', null]);
    expect((await lines(id))[3]!.failure).toMatchObject({ key: 'invalid_payload', details: '' });
    expect(await stored(id)).not.toMatch(/result [13]/);
  });

  it('drop what waits for them, in whichever chunk', async () => {
    const id = await unhurried(
      Array.from({ length: 5_000 }, (_, index) => ({ item: { name: `waiting ${index}` } })),
    );
    await erase('waiting 4999', 'waiting 0');
    expect(await stored(id)).not.toMatch(/waiting (0|4999)"/);
    await carryOut(id);
    expect(await fixture.task(id)).toMatchObject({
      result: { done_count: 4_998, failed_count: 2 },
      failures: {
        results: [
          { identifier: null, failure: { key: 'not_found', details: gone } },
          { identifier: null, failure: { details: gone } },
        ],
      },
    });
    expect(Object.keys(await fixture.tallies())).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^waiting (0|4999)$/)]),
    );
  });

  it('drop what waits of a call that never got to its task', async () => {
    function* broken(): Generator<TaskInput<Tally>> {
      for (let index = 0; index < 300; index++) yield { item: { name: `broken ${index}` } };
      throw new Error('the caller went away');
    }
    await expect(unhurried(broken())).rejects.toThrow('the caller went away');
    const [{ task_id: id }] = await fixture.database.query<[{ task_id: string }]>(
      'SELECT b.task_id FROM task_batches b LEFT JOIN tasks t ON t.id = b.task_id WHERE t.id IS NULL',
    );
    // The chunk is stored while the next inputs are read.
    await waitUntil(async () => (await stored(id)).includes('broken 7"'), { what: 'the chunk under way' });
    await erase('broken 7');
    expect(await stored(id)).not.toContain('broken 7"');
    expect(await stored(id)).toContain('broken 8"');
  });

  it('refuse inputs that were taken in before, also where they were stored behind the purge', async () => {
    const id = await unhurried(tallies('late 0', 'late 1'));
    await named('late 1');
    await carryOut(id);
    expect(await fixture.tallies()).toMatchObject({ 'late 0': 1 });
    expect(await fixture.tallies()).not.toHaveProperty('late 1');
    expect(await fixture.task(id)).toMatchObject({
      failures: { results: [{ identifier: null, failure: { details: gone } }] },
    });
    expect(await stored(id)).not.toContain('late 1');
  });

  it('refuse inputs of a customer that is erased while they are being carried out', async () => {
    const id = await unhurried(tallies('during 0', 'during 1'));
    const task = fixture.get(CountTallies);
    const carry = task.carryOut.bind(task);
    const spy = jest.spyOn(task, 'carryOut').mockImplementationOnce(async (...how) => {
      const outcomes = await carry(...how);
      await named('during 1');
      return outcomes;
    });
    await carryOut(id);
    expect(spy).toHaveBeenCalledTimes(2);
    spy.mockRestore();
    expect(await fixture.tallies()).toMatchObject({ 'during 0': 1 });
    expect(await fixture.tallies()).not.toHaveProperty('during 1');
    expect(await stored(id)).not.toContain('during 1');
  });

  it('carry out inputs that were taken in after the customer was gone: they mean another one', async () => {
    const customerId = await named('again', `now() - interval '1 minute'`);
    const id = await unhurried(tallies('again'));
    await fixture.get(TaskErasure).erase(project.id, [customerId]);
    await carryOut(id);
    expect(await fixture.tallies()).toMatchObject({ again: 1 });
    await fixture.get(TaskErasure).erase(project.id, [customerId]);
    expect(await identifiers(id)).toEqual(['again']);
  });

  it('forget the names once nothing that was taken in before can bring them up', async () => {
    const id = await unhurried(tallies('pruned 0'));
    const customer = { projectId: project.id, customerId: await named('pruned 1') };
    const prunedAfter = async (change: string): Promise<boolean> => {
      await fixture.database.query(`UPDATE erased_names SET ${change}`);
      await fixture.get(TaskPruner).prune();
      return (await fixture.database.query<unknown[]>('SELECT 1 FROM erased_names')).length === 0;
    };
    await carryOut(await unhurried([]));
    expect(await prunedAfter(`erased_at = now() - interval '25 hours'`)).toBe(false);
    await noteCleared(fixture.database.manager, [customer]);
    expect(await prunedAfter(`erased_at = now()`)).toBe(false);
    expect(await prunedAfter(`erased_at = now() - interval '25 hours'`)).toBe(false);
    await carryOut(id);
    await fixture.database.query(
      `DELETE FROM task_batches b WHERE NOT EXISTS (SELECT 1 FROM tasks t WHERE t.id = b.task_id)`,
    );
    expect(await prunedAfter('named_until = named_until')).toBe(true);
  });
});
