import { type AuthPort, authPort } from '@scrip/contracts/auth';
import { testProject } from '@scrip/edge/testing';
import type { BusinessClock, RequestContext } from '@scrip/kernel';
import { FilterContexts } from '@scrip/metadata';
import { servedPortToken } from '@scrip/rpc';
import { BUSINESS_CLOCK, type RunningJob } from '@scrip/service';
import { holdFirst, waitUntil } from '@scrip/testing';
import { caller } from '../catalog.fixture';
import { CollectionConsumer } from './collection.consumer';
import { become, by, created, fixture, product, sourceIds, useCatalog } from './collection-calls.fixture';
import { CollectionItems } from './collection-items';
import type { TestedRecord } from './collection-matching';
import { collectionJobs } from './collection.jobs';

useCatalog();

const get = <T>(token: (abstract new (...args: any[]) => T) | symbol): T =>
  fixture.running.app.get(token, { strict: false });
const settings = () => fixture.running.app.get<AuthPort>(servedPortToken(authPort), { strict: false });

const projectIs = (facts: { timezone: string; schemaChanges?: number }) =>
  jest
    .spyOn(settings(), 'loadProject')
    .mockImplementation(async (_, { project_id }) => ({ ...testProject, ...facts, id: project_id }));

/** Of a project before its filters came to mean something else. */
const before = (project: string): RequestContext => ({
  ...caller(project),
  project: { ...testProject, id: project, timezone: 'UTC' },
});

const sinceIsAnInstant = {
  related_object: 'product',
  allow_defined_only: false,
  properties: { since: { type: 'datetime', array: false, optional: true, deleted: false } },
};

/** What changes the meaning of a filter, and the event that tells of it: the shirt belongs from then on. It was created at 22:30 on
 *  March 31st in UTC, in April in Warsaw. */
const meanings = {
  'schema of metadata': {
    filter: by('metadata.since', '$is', '2026-03-31T10:00:00.000Z'),
    change: () => {
      projectIs({ timezone: 'UTC', schemaChanges: 1 });
      jest
        .spyOn(settings(), 'loadMetadataSchemas')
        .mockResolvedValue({ schemas: [sinceIsAnInstant] } as never);
    },
    consumer: 'types',
    event: { type: 'MetadataSchemaUpdated', data: { schema: { related_object: 'product' } } },
  },
  'time zone': {
    filter: by('created_at', '$is_month', 4),
    change: () => void projectIs({ timezone: 'Europe/Warsaw' }),
    consumer: 'zones',
    event: { type: 'ProjectUpdated', data: {} },
  },
} as const;

const retested = async (project_id: string, id: string): Promise<void> => {
  const { payload } = collectionJobs.retestEntry({ project_id, id });
  await get(collectionJobs.jobs).retest(payload, { abortSignal: new AbortController().signal } as RunningJob);
};

/** A collection without the shirt. */
const stored = async (
  project: string,
  filter: object,
): Promise<{ collection: string; shirt: TestedRecord }> => {
  projectIs({ timezone: 'UTC' });
  const { id: collection } = await created({ name: project, type: 'AUTO_UPDATE', filter }, project);
  const tests = jest.spyOn(get(CollectionItems), 'test');
  const metadata = { since: '2026-03-31T10:00:00Z' };
  const { id } = await product({ source_id: 'shirt', metadata }, project);
  await waitUntil(() => Promise.resolve(tests.mock.calls.length > 0), { what: 'the test of the creation' });
  await Promise.all(tests.mock.results.map(({ value }) => value));
  tests.mockRestore();
  await fixture.database.query(`UPDATE products SET created_at = '2026-03-31T22:30:00Z' WHERE id = $1`, [id]);
  const shirt = { object: 'product', id, owner_id: id } as const;
  await get(CollectionItems).test(before(project), [shirt]);
  expect(await sourceIds(collection, project)).toEqual([]);
  return { collection, shirt };
};

afterEach(() => jest.restoreAllMocks());

describe.each(Object.entries(meanings))(
  'a collection whose filter means something else by another %s',
  (name, { filter, change, consumer, event }) => {
    const projectOf = (test: string) => `proj_${test}_${name.replaceAll(' ', '_')}`;

    it('is tested once more', async () => {
      const project = projectOf('retested');
      const { collection } = await stored(project, filter);
      change();
      await get(CollectionConsumer)[consumer]({
        events: [{ ...event, projectId: project }],
        commit: (effect: (manager: unknown) => Promise<void>) => fixture.database.transaction(effect),
      } as never);
      await become(collection, ['shirt'], project);
    });

    it('keeps what the retest found, though a test of before ends behind it', async () => {
      const project = projectOf('test');
      const { collection, shirt } = await stored(project, filter);
      const early = holdFirst(get(FilterContexts), 'now', ([of]) => of.project.id === project);
      const testing = get(CollectionItems).test(before(project), [shirt]);
      await early.isHeld();
      change();
      await retested(project, collection);
      expect(await sourceIds(collection, project)).toEqual(['shirt']);
      early.open();
      await testing;
      expect(await sourceIds(collection, project)).toEqual(['shirt']);
    });

    it('keeps it, though a call of before walks behind it', async () => {
      const project = projectOf('walk');
      const { collection } = await stored(project, filter);
      change();
      await retested(project, collection);
      await get(CollectionItems).beginWalk(project, collection);
      while (await get(CollectionItems).walk(before(project), collection));
      expect(await sourceIds(collection, project)).toEqual(['shirt']);
    });
  },
);

it('plans the next review of a collection by the days of the new time zone', async () => {
  const project = 'proj_planned';
  const { collection } = await stored(project, by('created_at', '$yesterday', true));
  const planned = () =>
    fixture.database.query<{ run_at: Date }[]>(
      'SELECT run_at FROM catalog_jobs._private_jobs WHERE key = $1',
      [`review ${project} ${collection}`],
    );
  await waitUntil(async () => (await planned()).length === 1, { what: 'the review that the build plans' });
  // Half an hour before April begins in Warsaw, and more than one before it does in UTC.
  jest.spyOn(get<BusinessClock>(BUSINESS_CLOCK), 'now').mockReturnValue(new Date('2099-03-31T21:30:00Z'));
  meanings['time zone'].change();
  await retested(project, collection);
  expect(await planned()).toEqual([{ run_at: new Date('2099-03-31T22:00:00Z') }]);
});
