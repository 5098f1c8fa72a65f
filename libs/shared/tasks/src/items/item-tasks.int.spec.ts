import { derivedIds, Fault, isRefused } from '@scrip/kernel';
import { type JobDefinition, type JobQueue, jobQueueToken, jobsSchema } from '@scrip/service';
import { waitUntil } from '@scrip/testing';
import { QueryFailedError } from 'typeorm';
import { TaskJobs } from '../task/task-jobs';
import { TaskPruner } from '../task/task-pruner';
import { noSettings } from '../internal-contexts';
import type { TaskInput } from './item-task';
import { AbandonedTasks } from '../task/abandoned-tasks';
import { ItemRunner } from './item-runner';
import {
  bootTallies,
  caller,
  CountTallies,
  type HeldTasks,
  holdTasks,
  ImportTallies,
  named,
  project,
  type TalliesFixture,
  type Tally,
} from './tallies.fixture';

describe('tasks of many inputs', () => {
  let fixture: TalliesFixture;
  let held: HeldTasks;

  beforeAll(async () => {
    fixture = await bootTallies();
    held = holdTasks(fixture);
  });
  afterAll(() => fixture?.running.close());

  const chunksLeft = async (id: string): Promise<{ inputs: number; shared: number }> => {
    const [row] = await fixture.database.query<{ inputs: string; shared: string }[]>(
      `SELECT count(c.inputs) AS inputs, count(DISTINCT b.shared) AS shared
       FROM task_batches b LEFT JOIN task_chunks c USING (project_id, task_id) WHERE task_id = $1`,
      [id],
    );
    return { inputs: Number(row?.inputs), shared: Number(row?.shared) };
  };

  it('carry out each input once, and keep none of them', async () => {
    const id = await fixture.order(named('once', 450), { by: 3 });
    expect(await fixture.ended(id)).toMatchObject({
      status: 'DONE',
      operation_status: 'SUCCESS',
      progress: 100,
      result: { done_count: 450, failed_count: 0 },
    });
    const counts = await fixture.countsOf('once');
    expect([counts.length, new Set(counts)]).toEqual([450, new Set([3])]);
    expect(await chunksLeft(id)).toEqual({ inputs: 0, shared: 0 });
  });

  it('store inputs and results as sealed texts', async () => {
    const id = await fixture.order(named('personal', 2));
    await fixture.ended(id);
    const rows = await fixture.database.query<{ results: string }[]>(
      'SELECT results FROM task_chunks WHERE task_id = $1',
      [id],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]!.results).toMatch(/^e1\./);
  });

  it('tell which inputs failed, while the others succeed', async () => {
    const inputs: TaskInput<Tally>[] = [
      { item: { name: 'some 1' }, row: 1 },
      { item: { name: 'some 2', trouble: 'refused' }, row: 2 },
      {
        identifier: null,
        failure: { key: 'invalid_payload', message: 'Invalid payload', details: 'No name' },
        row: 3,
      },
      { item: { name: 'some 4', trouble: 'thrown' }, row: 4 },
      { item: { name: 'some 5' }, row: 5 },
    ];
    const task = await fixture.ended(await fixture.order(inputs, { kind: 'import' }));
    expect(task).toMatchObject({
      status: 'DONE',
      result: { message: '2 counted, 3 not.', done_count: 2, failed_count: 3 },
      failures: {
        identified_by: 'source_id',
        results: [
          { identifier: 'some 2', row: 2, failure: { key: 'invalid_payload', details: 'Not this one' } },
          { identifier: null, row: 3, failure: { key: 'invalid_payload', details: 'No name' } },
          { identifier: 'some 4', row: 4, failure: { key: 'internal_error' } },
        ],
      },
    });
    const report = await fixture.items.report(caller, { id: task.id, from: 0 });
    expect(report).toMatchObject({
      results: [
        { identifier: 'some 1', row: 1, updated: true },
        { identifier: 'some 2', row: 2, updated: false, failure: { details: 'Not this one' } },
        { identifier: null, row: 3, failure: { details: 'No name' } },
        { identifier: 'some 4', row: 4, failure: { key: 'internal_error' } },
        { identifier: 'some 5', row: 5, updated: true },
      ],
    });
    expect(await fixture.countsOf('some')).toEqual([1, 1]);
  });

  it('show the first 100 failures', async () => {
    const inputs = named('no', 450).map((input): TaskInput<Tally> => ({
      item: { ...(input as { item: Tally }).item, trouble: 'refused' },
    }));
    const task = await fixture.ended(await fixture.order(inputs));
    expect(task.failures?.results.map(({ identifier }) => identifier)).toEqual(
      Array.from({ length: 100 }, (_, index) => `no ${index}`),
    );
    expect(task).toMatchObject({
      status: 'FAILED',
      operation_status: 'FAILED',
      progress: 100,
      result: { done_count: 0, failed_count: 450 },
    });
  });

  it('end well without any input', async () => {
    const task = await fixture.ended(await fixture.order([]));
    expect(task).toMatchObject({ status: 'DONE', operation_status: 'SUCCESS', result: { done_count: 0 } });
  });

  it('take turns: a small one behind a long one ends first', async () => {
    const [long, small] = [await held.order(named('long', 800)), await held.order(named('small', 1))];
    const ordered = [long, small];
    await waitUntil(() => ordered.every((id) => held.isHeard(id)), {
      what: 'the events of both to be heard',
    });
    ordered.forEach((id) => held.release(id));
    const counting = fixture.get(CountTallies);
    const { carryOut } = counting;
    const steps: string[] = [];
    let smallWaits: () => void = () => undefined;
    const isSmallWaiting = new Promise<void>((resolve) => (smallWaits = resolve));
    // Time passes only where a chunk of the long one ends, and then more than a slice has.
    let now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now);
    const spy = jest.spyOn(counting, 'carryOut').mockImplementation(async (...given) => {
      const [name] = given[2][0]!.name.split(' ');
      steps.push(name!);
      const outcomes = await carryOut.apply(counting, given);
      if (name !== 'long') return outcomes;
      await isSmallWaiting;
      now += 1_000;
      return outcomes;
    });
    const jobs = fixture.get(TaskJobs);
    for (const id of ordered)
      await jobs.add([{ id, projectId: project.id, work: { kind: counting.kind, count: 1 } }]);
    smallWaits();
    await Promise.all(ordered.map((id) => fixture.ended(id)));
    for (const mocked of [spy, clock]) mocked.mockRestore();
    expect(steps).toEqual(['long', 'long', 'small', 'long', 'long']);
    const ends = await fixture.database.query<{ stream_id: string }[]>(
      `SELECT stream_id FROM events WHERE stream_id = ANY($1) AND type = 'AsyncActionCompleted'
       ORDER BY epoch, ord, position`,
      [ordered],
    );
    expect(ends.map(({ stream_id }) => stream_id)).toEqual([small, long]);
    expect(await fixture.countsOf('long')).toEqual(Array.from({ length: 800 }, () => 1));
  });

  it('end with what was done where the rest fails too often', async () => {
    const id = await held.order(named('rest', 500));
    const runner = fixture.get(ItemRunner);
    await runner.advance(project, id);
    await runner.giveUp(project, id);
    expect(await fixture.task(id)).toMatchObject({
      status: 'FAILED',
      progress: 40,
      result: { done_count: 200, failed_count: 0, error: 'The rest could not be stored.' },
    });
    expect(await runner.advance(project, id)).toBe(false);
    expect(await chunksLeft(id)).toEqual({ inputs: 2, shared: 0 });
    await fixture.get(TaskPruner).prune();
    expect(await chunksLeft(id)).toEqual({ inputs: 0, shared: 0 });
  });

  it('are ordered once under the same ids, also where the first call ended half way', async () => {
    const ids = () => derivedIds({ createdAt: new Date('2026-03-01T10:00:00Z'), commandId: 'v-1' });
    function* broken(): Generator<TaskInput<Tally>> {
      yield* named('same', 300);
      throw new Error('the caller went away');
    }
    await expect(fixture.order(broken(), { ids: ids() })).rejects.toThrow('the caller went away');
    const id = await fixture.order(named('same', 500), { ids: ids() });
    expect(await fixture.order(named('same', 500), { ids: ids() })).toBe(id);
    expect((await fixture.ended(id)).result?.done_count).toBe(500);
    expect(await fixture.countsOf('same')).toEqual(Array.from({ length: 500 }, () => 1));
  });

  it('are not ordered where the first call ended half way and made chunks of another size', async () => {
    const ids = () => derivedIds({ createdAt: new Date('2026-03-01T10:00:00Z'), commandId: 'sized' });
    const ofAnotherRelease = Object.assign(Object.create(fixture.get(CountTallies)) as CountTallies, {
      itemsAtOnce: 100,
    });
    function* broken(): Generator<TaskInput<Tally>> {
      yield* named('sized', 300);
      throw new Error('the caller went away');
    }
    const first = fixture.items.enqueue(caller, ids(), ofAnotherRelease, broken(), { by: 1 });
    await expect(first).rejects.toThrow('the caller went away');
    await expect(fixture.order(named('sized', 500), { ids: ids() })).rejects.toThrow('another size');
    const id = ids().next('aa_c', 'async-action');
    expect(await fixture.items.find(caller, id)).toMatchObject({ refused: 'not_found' });
  });

  it('tell what became of each input, in order, a page at a time, for 30 days', async () => {
    const id = await fixture.order(named('told', 250));
    await fixture.ended(id);
    const lines: unknown[] = [];
    for (let from: number | null = 0; from !== null;) {
      const page = await fixture.items.report(caller, { id, from });
      if (isRefused(page)) throw new Error(page.details);
      expect(page.identified_by).toBe('source_id');
      lines.push(...page.results);
      from = page.next;
    }
    expect(lines).toEqual(
      named('told', 250).map((input) => ({
        identifier: (input as { item: Tally }).item.name,
        found: false,
        updated: true,
      })),
    );
    const { result, updated_at } = await fixture.task(id);
    const days = (Date.parse(result!.reports_available_till!) - Date.parse(updated_at!)) / 86_400_000;
    expect(days).toBe(30);
  });

  it('tell nothing of one of another project', async () => {
    expect(await fixture.items.report(caller, { id: 'aa_c_other', from: 0 })).toMatchObject({
      refused: 'not_found',
      resourceType: 'task_result',
    });
  });

  it('are forgotten after their time, and so are inputs whose call broke off', async () => {
    const aged = async (what: string, age: string): Promise<string> => {
      const id = await fixture.order(named(what, 1));
      await fixture.ended(id);
      await fixture.database.query(
        `UPDATE task_batches SET created_at = now() - $2::interval WHERE task_id = $1`,
        [id, age],
      );
      await fixture.database.query(
        `UPDATE tasks SET state = jsonb_set(state, '{async_action,updated_at}', to_jsonb(now() - $2::interval)) WHERE id = $1`,
        [id, age],
      );
      return id;
    };
    const [old, young] = [await aged('old', '30 days 1 minute'), await aged('young', '29 days')];
    await fixture.database.query(
      `INSERT INTO task_batches (project_id, task_id, wrapped_key, created_at)
       VALUES ('p', 'aa_broken', '', now() - interval '25 hours'), ('p', 'aa_under_way', '', now() - interval '23 hours')`,
    );
    await fixture.get(TaskPruner).prune();
    const left = await fixture.database.query<{ task_id: string }[]>(
      'SELECT task_id FROM task_batches WHERE task_id = ANY($1) ORDER BY task_id',
      [[old, young, 'aa_broken', 'aa_under_way']],
    );
    expect(left.map(({ task_id }) => task_id).sort()).toEqual([young, 'aa_under_way'].sort());
    expect(await fixture.database.query('SELECT 1 FROM task_chunks WHERE task_id = $1', [old])).toEqual([]);
  });

  it('go on where the last attempt failed before it reached them, once they are a minute old', async () => {
    const id = await held.order(named('abandoned', 1));
    await waitUntil(() => held.isHeard(id), { what: 'the event of the task to be heard' });
    held.release(id);
    const abandoned = fixture.get(AbandonedTasks);
    await abandoned.resume();
    const jobs = () =>
      fixture.database.query<{ attempts: number }[]>(
        `SELECT attempts FROM ${jobsSchema('campaigns')}.jobs WHERE key = $1`,
        [id],
      );
    expect(await jobs()).toEqual([]);
    await fixture.database.query(
      `UPDATE task_batches SET created_at = now() - interval '61 s' WHERE task_id = $1`,
      [id],
    );
    // A task of a kind that only a newer release carries out keeps none of the others waiting.
    const unknown = await held.order(named('unknown', 1));
    await fixture.database.query(
      `UPDATE task_batches SET created_at = now() - interval '62 s' WHERE task_id = $1`,
      [unknown],
    );
    await fixture.database.query(
      `UPDATE tasks SET state = jsonb_set(state, '{work,kind}', '"TALLIES.PAINT"') WHERE id = $1`,
      [unknown],
    );
    await abandoned.resume();
    expect((await fixture.ended(id)).result).toMatchObject({ done_count: 1 });
    expect((await fixture.task(unknown)).status).toBe('ENQUEUED');
  });

  describe('whose job fails for the last time', () => {
    const runTask: JobDefinition<object> = { context: 'campaigns', task: 'run-task' };

    /** A task whose one attempt failed by `error`, before its first chunk. */
    const failedBy = async (name: string, error: Error): Promise<string> => {
      const prepare = jest.spyOn(fixture.get(ImportTallies), 'prepare').mockRejectedValueOnce(error);
      const id = await held.order(named(name, 3), 'import');
      const queue = fixture.running.app.get<JobQueue>(jobQueueToken('campaigns'), { strict: false });
      const payload = { project_id: project.id, task_id: id };
      await queue.add(runTask, payload, { jobKey: id, maxAttempts: 1 });
      await waitUntil(
        async () =>
          (
            await fixture.database.query<object[]>(
              `SELECT FROM ${jobsSchema('campaigns')}.jobs WHERE key = $1 AND last_error IS NOT NULL`,
              [id],
            )
          ).length === 1,
        { what: 'the end of the last attempt' },
      );
      prepare.mockRestore();
      return id;
    };

    it.each([
      ['another context was away', new Fault('unavailable', 'catalog does not answer')],
      ['another context had too much to do', new Fault('overloaded', 'catalog is busy')],
      [
        'the database was away',
        new QueryFailedError('SELECT', [], Object.assign(new Error('shutting down'), { code: '57P01' })),
      ],
    ])('go on later where %s', async (why, error) => {
      const id = await failedBy(why, error);
      expect((await fixture.task(id)).status).toBe('IN_PROGRESS');
      await fixture.database.query(
        `UPDATE task_batches SET created_at = now() - interval '61 s' WHERE task_id = $1`,
        [id],
      );
      held.release(id);
      await fixture.get(AbandonedTasks).resume();
      expect(await fixture.ended(id)).toMatchObject({ status: 'DONE', result: { done_count: 3 } });
    });

    it.each([
      ['it is a defect', new TypeError('undefined is no function')],
      ['the same would take too long again', new Fault('deadline', 'catalog took too long')],
    ])('end where %s', async (why, error) => {
      const id = await failedBy(why, error);
      expect((await fixture.task(id)).status).toBe('FAILED');
    });
  });

  it('of a project that was deleted end', async () => {
    const id = await held.order(named('deleted', 2));
    await fixture.get(ItemRunner).giveUp(noSettings(project.id), id);
    expect((await fixture.task(id)).status).toBe('FAILED');
  });

  it('of a kind that answers fewer outcomes than items fail item by item', async () => {
    const spy = jest.spyOn(fixture.get(CountTallies), 'carryOut').mockResolvedValue([]);
    const task = await fixture.ended(await fixture.order(named('odd', 2)));
    spy.mockRestore();
    expect(task.result).toMatchObject({ done_count: 0, failed_count: 2 });
  });
});
