import type { OnApplicationBootstrap } from '@nestjs/common';
import type { RunningJob } from '@scrip/service';
import { waitUntil } from '@scrip/testing';
import { by, created, fixture, product, sourceIds, useCatalog } from './collection-calls.fixture';
import { CollectionItems } from './collection-items';
import { collectionJobs } from './collection.jobs';

useCatalog();

const get = <T>(token: abstract new (...args: any[]) => T): T =>
  fixture.running.app.get(token, { strict: false });
const until = (signal: AbortSignal) => ({ abortSignal: signal }) as RunningJob;

const walks = (id: string): Promise<object[]> =>
  fixture.database.query('SELECT object, after FROM collection_walks WHERE collection_id = $1', [id]);
const jobs = (id: string): Promise<object[]> =>
  fixture.database.query('SELECT FROM catalog_jobs._private_jobs WHERE key LIKE $1', [`%${id}`]);
const reviews = (id: string): Promise<object[]> =>
  fixture.database.query('SELECT FROM catalog_jobs._private_jobs WHERE key LIKE $1', [`review %${id}`]);
const loseJobs = (id: string): Promise<unknown> =>
  fixture.database.query('DELETE FROM catalog_jobs._private_jobs WHERE key LIKE $1', [`%${id}`]);

/** A collection of new products, with a product, that was built; its jobs are gone. */
const built = async (project: string): Promise<string> => {
  // Two days, so that a midnight during the test changes nothing.
  const filter = by('created_at', '$less_than_ago', 2);
  const { id } = await created({ name: project, type: 'AUTO_UPDATE', filter }, project);
  await product({ source_id: 'shirt' }, project);
  // The call that created it walked; its build is a job until it has planned the review.
  await waitUntil(async () => (await jobs(id)).length === 1 && (await reviews(id)).length === 1, {
    what: 'the end of the build, with the plan of a review',
  });
  await loseJobs(id);
  return id;
};

/** Ends the next walk after its first step, as the end of its process does. */
const endedAfterOneStep = (): AbortSignal => {
  const end = new AbortController();
  const items = get(CollectionItems);
  const walk = items.walk.bind(items);
  jest.spyOn(items, 'walk').mockImplementationOnce(async (...step) => {
    const more = await walk(...step);
    end.abort(new Error('the process ends'));
    return more;
  });
  return end.signal;
};

afterEach(() => jest.restoreAllMocks());

it.each(['review', 'retest'] as const)(
  'a %s that ended in the middle is resumed by its next attempt, and the next review is planned',
  async (kind) => {
    const project = `proj_${kind}_killed`;
    const id = await built(project);
    const payload = { project_id: project, collection_id: id };
    const run = (signal: AbortSignal) => get(collectionJobs.jobs)[kind](payload, until(signal));
    await expect(run(endedAfterOneStep())).rejects.toThrow('the process ends');
    expect(await walks(id)).toHaveLength(1);
    await run(new AbortController().signal);
    await waitUntil(async () => (await walks(id)).length === 0, { what: 'the end of the walk' });
    await waitUntil(async () => (await reviews(id)).length === 1, { what: 'the plan of the next review' });
  },
);

it('a build that is there goes on with a walk, and gets no other beside it', async () => {
  const project = 'proj_walked';
  const id = await built(project);
  await get(CollectionItems).beginWalk(project, id);
  const { payload, jobKey } = collectionJobs.buildEntry({ project_id: project, id });
  // As one that runs, in another process.
  await fixture.database.query(
    `WITH added AS (SELECT (catalog_jobs.add_job('build-collection', $1::json, job_key => $2, run_at => now() + interval '1 day')).id)
     SELECT id FROM added`,
    [JSON.stringify(payload), jobKey],
  );
  await fixture.database.query(
    `UPDATE catalog_jobs._private_jobs SET locked_at = now(), locked_by = 'another', attempts = 1 WHERE key = $1`,
    [jobKey],
  );
  await get(collectionJobs.jobs).review(payload, until(new AbortController().signal));
  expect(
    await fixture.database.query('SELECT locked_by FROM catalog_jobs._private_jobs WHERE key LIKE $1', [
      `%${id}`,
    ]),
  ).toEqual([{ locked_by: 'another' }]);
  await loseJobs(id);
});

it('a walk without a job goes on soon after the start of a process', async () => {
  const project = 'proj_started';
  const id = await built(project);
  await fixture.database.query('DELETE FROM collection_items WHERE collection_id = $1', [id]);
  await get(CollectionItems).beginWalk(project, id);
  (get(collectionJobs.jobs) as unknown as OnApplicationBootstrap).onApplicationBootstrap();
  await waitUntil(async () => (await walks(id)).length === 0, { what: 'the end of the walk' });
  expect(await sourceIds(id, project)).toEqual(['shirt']);
});
