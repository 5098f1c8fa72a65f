import { Fault } from '@scrip/kernel';
import { waitUntil } from '@scrip/testing';
import type { EntityManager } from 'typeorm';
import type { TaskInput } from './item-task';
import { ItemRunner } from './item-runner';
import {
  bootTallies,
  CountApart,
  type HeldTasks,
  holdTasks,
  ImportTallies,
  named,
  project,
  type TalliesFixture,
  type Tally,
} from './tallies.fixture';

describe('the steps of a task', () => {
  let fixture: TalliesFixture;
  let held: HeldTasks;

  beforeAll(async () => {
    fixture = await bootTallies();
    held = holdTasks(fixture);
  });
  afterAll(() => fixture?.running.close());

  it('know exactly how far they are, whoever carries them out', async () => {
    const id = await held.order(named('half', 1_000));
    const runner = fixture.get(ItemRunner);
    expect((await fixture.task(id)).status).toBe('ENQUEUED');
    await Promise.all([runner.advance(project, id), runner.advance(project, id)]);
    const done = (await fixture.countsOf('half')).length;
    expect([200, 400]).toContain(done);
    expect(await fixture.task(id)).toMatchObject({ status: 'IN_PROGRESS', progress: done / 10 });
    const others = [1, 2, 3, 4].map(async () => {
      while (await runner.advance(project, id));
    });
    await Promise.all(others);
    expect((await fixture.task(id)).result?.done_count).toBe(1_000);
    expect(new Set(await fixture.countsOf('half'))).toEqual(new Set([1]));
  });

  it('of a kind that prepares early are prepared a chunk ahead, and each chunk is carried out with what is its own', async () => {
    const id = await held.order(named('early', 1_000), 'import');
    const [runner, task] = [fixture.get(ItemRunner), fixture.get(ImportTallies)];
    const steps: string[] = [];
    const { prepare, carryOut } = task;
    const at = (items: readonly Tally[]): number => Number(items[0]!.name.replace('early ', ''));
    const prepared = jest.spyOn(task, 'prepare').mockImplementation((context, items) => {
      steps.push(`prepare ${at(items)}`);
      return prepare.call(task, context, items);
    });
    const carriedOut = jest.spyOn(task, 'carryOut').mockImplementation(async (...given) => {
      const outcomes = await carryOut.apply(task, given);
      const first = at(given[2]);
      if (first < 600)
        await waitUntil(() => steps.includes(`prepare ${first + 200}`), { what: 'the next chunk' });
      steps.push(`carry out ${first}`);
      return outcomes;
    });
    let more = 4;
    expect(await runner.advance(project, id, () => (more -= 1) > 0)).toBe(true);
    expect(steps).toEqual([
      ...['prepare 0', 'prepare 200', 'carry out 0', 'prepare 400', 'carry out 200'],
      ...['prepare 600', 'carry out 400', 'carry out 600'],
    ]);
    for (const spy of [prepared, carriedOut]) spy.mockRestore();
    while (await runner.advance(project, id, () => true));
    expect((await fixture.task(id)).result?.done_count).toBe(1_000);
    expect(await fixture.countsOf('early')).toEqual(Array.from({ length: 1_000 }, () => 1));
  });

  it('that prepare early do each input once, whoever carries them out', async () => {
    const id = await held.order(named('both', 2_000), 'import');
    const runner = fixture.get(ItemRunner);
    await Promise.all([1, 2, 3].map(() => runner.advance(project, id, () => true)));
    while (await runner.advance(project, id, () => true));
    expect((await fixture.task(id)).result?.done_count).toBe(2_000);
    expect(await fixture.countsOf('both')).toEqual(Array.from({ length: 2_000 }, () => 1));
  });

  it('lose nothing and double nothing where the end of a chunk is not stored', async () => {
    const id = await held.order(named('cut', 300));
    const runner = fixture.get(ItemRunner);
    await fixture.database.query(
      `ALTER TABLE task_chunks ADD CONSTRAINT cut CHECK (task_id <> '${id}' OR results IS NULL)`,
    );
    await expect(runner.advance(project, id)).rejects.toThrow('cut');
    expect(await fixture.countsOf('cut')).toEqual([]);
    await fixture.database.query('ALTER TABLE task_chunks DROP CONSTRAINT cut');
    while (await runner.advance(project, id));
    expect(await fixture.countsOf('cut')).toEqual(Array.from({ length: 300 }, () => 1));
  });

  describe('of a kind that says which records a chunk has', () => {
    /** Chunks of 200 inputs that each have the name of their group first. */
    const inGroups = (task: string, groups: readonly string[]): TaskInput<Tally>[] =>
      groups.flatMap((group, chunk) => [
        { item: { name: `${task} group ${group}` } },
        ...named(`${task} chunk ${chunk}`, 199),
      ]);

    /** Calls `first` in the transaction of a chunk before it is carried out, with its position and what it writes by. */
    const beforeEachChunk = (first: (position: number, manager: EntityManager) => Promise<void>) => {
      const task = fixture.get(CountApart);
      const { carryOut } = task;
      return jest.spyOn(task, 'carryOut').mockImplementation(async (...given) => {
        await first(Number(/chunk (\d+)/.exec(given[2][1]!.name)?.[1]), given[0]);
        return carryOut.apply(task, given);
      });
    };

    it('have chunks side by side that have none in common', async () => {
      const id = await held.order(inGroups('apart', ['a', 'b', 'c', 'd', 'e']), 'apart');
      const begun = new Set<number>();
      const spy = beforeEachChunk(async (position) => {
        begun.add(position);
        if (position < 4) await waitUntil(() => begun.has(position + 1), { what: 'the chunk behind it' });
      });
      while (await fixture.get(ItemRunner).advance(project, id, () => true));
      spy.mockRestore();
      expect((await fixture.task(id)).result).toMatchObject({ done_count: 1_000, failed_count: 0 });
      expect(await fixture.countsOf('apart')).toEqual(Array.from({ length: 1_000 }, () => 1));
    });

    it('have chunks in their order that have one in common, whoever carries them out', async () => {
      const groups = Array.from({ length: 24 }, (_, chunk) =>
        String(chunk % 3 === 2 ? 'often' : Math.floor(chunk / 3)),
      );
      const id = await held.order(inGroups('order', groups), 'apart');
      const wrong: string[] = [];
      const spy = beforeEachChunk(async (position, manager) => {
        const before = groups.slice(0, position).lastIndexOf(groups[position]!);
        const waiting = await manager.query<unknown[]>(
          'SELECT 1 FROM task_chunks WHERE task_id = $1 AND position = $2 AND inputs IS NOT NULL',
          [id, before],
        );
        if (waiting.length > 0) wrong.push(`${position} before ${before}`);
      });
      const runner = fixture.get(ItemRunner);
      await Promise.all([1, 2, 3].map(() => runner.advance(project, id, () => true)));
      while (await runner.advance(project, id, () => true));
      spy.mockRestore();
      expect(wrong).toEqual([]);
      expect((await fixture.task(id)).result).toMatchObject({ done_count: 4_800, failed_count: 0 });
      const counts = Object.entries(await fixture.tallies()).filter(([name]) =>
        name.startsWith('order group'),
      );
      expect(Object.fromEntries(counts)).toMatchObject({ 'order group often': 8 });
    });

    it('lose nothing where one of two fails', async () => {
      const id = await held.order(inGroups('broken', ['a', 'b', 'c']), 'apart');
      const runner = fixture.get(ItemRunner);
      const begun = new Set<number>();
      const spy = beforeEachChunk(async (position) => {
        begun.add(position);
        if (position > 0) return;
        await waitUntil(() => begun.has(1), { what: 'the second chunk' });
        throw new Fault('unavailable', 'gone for now');
      });
      await expect(runner.advance(project, id, () => true)).rejects.toThrow('gone for now');
      spy.mockRestore();
      expect(await fixture.tallies()).not.toHaveProperty('broken group a');
      while (await runner.advance(project, id, () => true));
      expect((await fixture.task(id)).result).toMatchObject({ done_count: 600, failed_count: 0 });
      expect(await fixture.countsOf('broken')).toEqual(Array.from({ length: 600 }, () => 1));
    });
  });
});
