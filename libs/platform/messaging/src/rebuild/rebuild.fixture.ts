import { waitUntil } from '@scrip/testing';
import {
  type Handle,
  type Note,
  type RunningInstance,
  startInstance,
  writeNotes,
} from '../testing/adapter-harness.fixture';
import { type PostgresHarness, postgresHarness } from '../testing/postgres-harness.fixture';

const fills = ['noted'];

/** The group that is rebuilt. */
export const group = 'stats.notes';

/** Writes each note down. */
export const write: Handle = (batch) => batch.commit((manager) => writeNotes(manager, batch));

/** Notes of seven streams. */
export const notes = (from: number, to: number): Note[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({
    stream: `s${(from + index) % 7}`,
    number: from + index,
  }));

/** A handler that waits at its first batch until the test lets it go on. */
export const held = (): { handle: Handle; reached: Promise<void>; goOn: () => void } => {
  let goOn: () => void = () => undefined;
  let arrive: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (goOn = resolve));
  const reached = new Promise<void>((resolve) => (arrive = resolve));
  const handle: Handle = async (batch) => {
    arrive();
    await opened;
    await write(batch);
  };
  return { handle, reached, goOn };
};

/** Of the current test. */
export let harness: PostgresHarness;
let running: RunningInstance[];

/** Gives each test a database of its own, and stops what it started. */
export const useRebuilds = (): void => {
  beforeEach(async () => {
    harness = await postgresHarness();
    running = [];
  });
  afterEach(async () => {
    await Promise.all(running.map((instance) => instance.stop()));
    await harness.close();
  });
};

/** A process whose group fills `tables`. */
export const start = async (
  handle: Handle = write,
  tables: readonly string[] = fills,
): Promise<RunningInstance> => {
  const options = tables.length > 0 ? { group, fills: tables } : { group };
  const instance = await startInstance(harness, [{ topics: harness.topics[0], options, handle }]);
  running.push(instance);
  return instance;
};

/** Every effect as it lies in the table: a missing or doubled one shows. */
export const content = async (): Promise<number[]> => {
  const rows = await harness.database.query<{ number: number }[]>(
    'SELECT number FROM noted ORDER BY number, place',
  );
  return rows.map(({ number }) => number);
};

/** Waits for so many effects. */
export const untilNoted = (count: number): Promise<unknown> =>
  waitUntil(async () => (await content()).length >= count, { what: `${count} notes` });

/** What the notes up to `to` leave. */
export const numbers = (to: number): number[] => notes(1, to).map(({ number }) => number);

/** What rebuilds under way have made beside the tables. */
export const schemas = async (): Promise<unknown[]> =>
  harness.database.query(`SELECT nspname FROM pg_namespace WHERE nspname LIKE '%rebuild%'`);

/** The answer of a rebuild from so many events. */
export const done = (events: number) => ({ group, topics: [harness.topics[0]], events });
