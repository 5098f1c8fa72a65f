import { createDatabase } from '@scrip/testing';
import { DataSource } from 'typeorm';
import {
  type AggregateDefinition,
  type AggregateStore,
  EventStore,
  MissingEvent,
  PreparingClient,
  eventStoreMigrations,
  snapshotColumns,
  stateSource,
  stateTableColumns,
} from '../index';
import { merged, nobody, project, unmerged } from '../test-bed/tickets.fixture';

interface Letter {
  text: string;
  read: boolean;
}

type LetterEvent =
  | { type: 'LetterWritten'; data: { letter: Letter } }
  | { type: 'LetterNoted'; data: object }
  | { type: 'LetterRead'; data: object };

/** `LetterNoted` changes nothing, `LetterRead` does, and neither holds the letter. */
const definition: AggregateDefinition<Letter, LetterEvent> = {
  aggregate: 'letter',
  table: 'letters',
  evolve: (letter, event) => {
    switch (event.type) {
      case 'LetterWritten':
        return event.data.letter;
      case 'LetterNoted':
        return letter!;
      case 'LetterRead':
        return { ...letter!, read: true };
    }
  },
  columns: {},
  snapshotEvents: ['LetterWritten'],
  upcasters: { LetterWritten: [({ text }) => ({ letter: { text, read: false } })] },
};

const written = (text: string): LetterEvent => ({
  type: 'LetterWritten',
  data: { letter: { text, read: false } },
});
const noted: LetterEvent = { type: 'LetterNoted', data: {} };
const read: LetterEvent = { type: 'LetterRead', data: {} };

const open: DataSource[] = [];
let url: string;

beforeAll(async () => {
  url = await createDatabase('snapshots');
  const first = await connect(true);
  await first.query(`CREATE TABLE letters (${stateTableColumns}, ${snapshotColumns})`);
});
afterAll(() => Promise.all(open.map((dataSource) => dataSource.destroy())));

const connect = async (migrate = false): Promise<DataSource> => {
  const dataSource = await new DataSource({
    type: 'postgres',
    url,
    migrations: eventStoreMigrations,
    migrationsRun: migrate,
    extra: { Client: PreparingClient },
  }).initialize();
  open.push(dataSource);
  return dataSource;
};

describe.each([
  ['by itself', unmerged],
  ['in a merged statement', merged],
])('a row written %s', (way, limits) => {
  let dataSource: DataSource;
  let store: EventStore;
  let letters: AggregateStore<Letter, LetterEvent>;

  beforeAll(async () => {
    dataSource = await connect();
    store = new EventStore('letters', dataSource, limits);
    await store.start();
    letters = store.aggregate(definition);
  });

  const append = (id: string, ...events: LetterEvent[]) =>
    letters.execute({ context: nobody, streamId: `${way} ${id}`, decide: () => ({ events, answer: null }) });
  const rowOf = async (id: string) =>
    (
      await dataSource.query<{ state: Letter | null; version: string | null }[]>(
        'SELECT state, snapshot_version AS version FROM letters WHERE id = $1',
        [`${way} ${id}`],
      )
    )[0];
  const loaded = async (id: string) => (await letters.load(project.id, `${way} ${id}`))?.state;

  it('names the event that holds its state, and is read from it', async () => {
    await append('named', written('one'));
    await append('named', written('two'), noted);
    expect(await rowOf('named')).toEqual({ state: null, version: '2' });
    expect(await loaded('named')).toEqual({ text: 'two', read: false });
    const many = await letters.loadMany(project.id, [`${way} named`]);
    expect([...many.values()]).toEqual([{ state: { text: 'two', read: false }, version: 3, epoch: 1 }]);
  });

  it('holds its state itself as soon as that is another one, until an event holds it again', async () => {
    await append('changed', written('one'));
    await append('changed', noted);
    expect(await rowOf('changed')).toEqual({ state: { text: 'one', read: false }, version: null });
    await append('changed', read);
    expect(await loaded('changed')).toEqual({ text: 'one', read: true });
    await append('changed', written('two'), read);
    expect(await rowOf('changed')).toEqual({ state: { text: 'two', read: true }, version: null });
    await append('changed', written('three'));
    expect(await rowOf('changed')).toEqual({ state: null, version: '6' });
    expect(await loaded('changed')).toEqual({ text: 'three', read: false });
  });

  it('is made in bulk in the same way, and changed', async () => {
    const ids = ['bulk 1', 'bulk 2'].map((id) => `${way} ${id}`);
    await letters.createMany(
      null,
      nobody,
      ids.map((streamId, index) => ({
        streamId,
        events: index === 0 ? [written('one')] : [written('two'), read],
      })),
    );
    expect([await rowOf('bulk 1'), await rowOf('bulk 2')]).toEqual([
      { state: null, version: '1' },
      { state: { text: 'two', read: true }, version: null },
    ]);
    const state = (await loaded('bulk 1'))!;
    await letters.commitMany(null, nobody, [
      { streamId: ids[0]!, expectedVersion: 1, expectedEpoch: 1, state, events: [written('three'), noted] },
    ]);
    expect(await rowOf('bulk 1')).toEqual({ state: null, version: '2' });
    expect(await loaded('bulk 1')).toEqual({ text: 'three', read: false });
  });

  it('of an older release holds its state, and is changed like any other', async () => {
    await dataSource.query(
      `INSERT INTO letters (project_id, id, version, state) VALUES ($1, $2, 1, '{"text": "old", "read": false}')`,
      [project.id, `${way} old`],
    );
    await append('old', read);
    expect(await loaded('old')).toEqual({ text: 'old', read: true });
    await dataSource.query('DELETE FROM letters WHERE id = $1', [`${way} old`]);
    await dataSource.query('DELETE FROM events WHERE stream_id = $1', [`${way} old`]);
  });

  it('names an event of an older schema version, and reads it as the newest', async () => {
    await append('upcast', written('new'));
    await dataSource.query(
      `UPDATE events SET schema_version = 1, data = '{"text": "old"}' WHERE stream_id = $1`,
      [`${way} upcast`],
    );
    expect(await loaded('upcast')).toEqual({ text: 'old', read: false });
  });

  const forget = async (id: string) => {
    await dataSource.query('DELETE FROM letters WHERE id = $1', [`${way} ${id}`]);
    await dataSource.query('DELETE FROM events WHERE stream_id = $1', [`${way} ${id}`]);
  };

  it('whose event the log has lost is an error, and no stream that could begin again', async () => {
    await append('lost', written('one'));
    await dataSource.query('DELETE FROM events WHERE stream_id = $1', [`${way} lost`]);
    await expect(loaded('lost')).rejects.toThrow(MissingEvent);
    await expect(letters.loadMany(project.id, [`${way} lost`])).rejects.toThrow(MissingEvent);
    const begin = letters.executeLocked({
      context: nobody,
      streamId: `${way} lost`,
      decide: () => Promise.resolve({ events: [written('two')], answer: null }),
    });
    await expect(begin).rejects.toThrow(`letter ${way} lost names its event 1`);
    expect(await store.verifyState()).toMatchObject([{ streamId: `${way} lost`, problem: 'event' }]);
    await forget('lost');
  });

  it('that holds a state is read from it, also where it still names an event', async () => {
    await append('both', written('one'));
    await dataSource.query(
      `UPDATE letters SET version = 2, state = '{"text": "two", "read": false}' WHERE id = $1`,
      [`${way} both`],
    );
    expect(await loaded('both')).toEqual({ text: 'two', read: false });
    await forget('both');
  });

  it('says what its events say', async () => {
    expect(await store.verifyState()).toEqual([]);
    const name = (version: number) =>
      dataSource.query(
        `UPDATE letters t SET snapshot_version = e.version, snapshot_at = e.recorded_at FROM events e
         WHERE t.id = $1 AND e.stream_id = t.id AND e.version = $2`,
        [`${way} named`, version],
      );
    await name(1);
    expect(await store.verifyState()).toMatchObject([{ streamId: `${way} named`, problem: 'state' }]);
    await name(2);
    expect(await store.verifyState()).toEqual([]);
  });
});

test('reading a row opens the partition of the event it names, and no other', async () => {
  const dataSource = await connect();
  const [{ from, columns }] = [stateSource(definition)];
  const plan = await dataSource.query<Record<string, string>[]>(
    `EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off) SELECT ${columns} FROM ${from} WHERE t.project_id = $1 AND t.id = $2`,
    [project.id, 'by itself named'],
  );
  const lines = plan.map((row) => row['QUERY PLAN']!);
  const opened = lines.filter((line) => / on events_\w+ /.test(line) && !line.includes('never executed'));
  expect(opened).toHaveLength(1);
});
