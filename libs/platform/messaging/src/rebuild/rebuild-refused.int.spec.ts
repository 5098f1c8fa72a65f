import type { EventBatch } from '../feed/event-batch';
import type { Handle, RunningInstance } from '../testing/adapter-harness.fixture';
import {
  content,
  done,
  group,
  harness,
  held,
  notes,
  numbers,
  schemas,
  start,
  untilNoted,
  useRebuilds,
  write,
} from './rebuild.fixture';

useRebuilds();

describe('a rebuild is refused', () => {
  const begin = async (handle?: Handle, tables?: readonly string[]): Promise<RunningInstance> => {
    await start();
    await harness.publish(notes(1, 20));
    await untilNoted(20);
    return start(handle, tables);
  };
  afterEach(async () => {
    expect(await content()).toEqual(numbers(20));
    expect(await schemas()).toEqual([]);
  });

  it('where there is no such group, or where it does not say what it fills', async () => {
    const operator = await begin(write, []);
    expect(await operator.transport.rebuild('stats.none')).toMatchObject({
      refused: 'consumer_group_not_found',
    });
    expect(await operator.transport.rebuild(group)).toMatchObject({
      refused: 'consumer_group_not_rebuildable',
    });
  });

  it('while another one runs', async () => {
    const rebuilding = held();
    const operator = await begin(rebuilding.handle);
    const first = operator.transport.rebuild(group);
    await rebuilding.reached;
    const other = await start();
    expect(await other.transport.rebuild(group)).toMatchObject({ refused: 'consumer_group_rebuilding' });
    rebuilding.goOn();
    expect(await first).toEqual(done(20));
  });

  it('where more keys would fail than are parked now', async () => {
    const operator = await begin(async () => {
      throw new Error('it does not fit');
    });
    expect(await operator.transport.rebuild(group)).toMatchObject({
      refused: 'consumer_group_rebuild_fails',
      details: expect.stringMatching(/^7 keys failed, 0 are parked now: Error: it does not fit/),
    });
  });

  it.each(['other', 'stats.noted'])('where a handler writes what it does not fill: %s', async (table) => {
    await harness.database.query('CREATE TABLE other (number integer)');
    const stray = (batch: EventBatch): Promise<void> =>
      batch.commit(async (manager) => {
        await manager.query(
          table === 'other' ? 'INSERT INTO other VALUES (1)' : 'UPDATE stats.noted SET number = 7',
        );
      });
    const operator = await begin(stray);
    await expect(operator.transport.rebuild(group)).rejects.toThrow(
      `stats.notes writes stats.${table.replace('stats.', '')}, which it does not say that it fills`,
    );
    expect(await harness.database.query('SELECT 1 FROM other')).toEqual([]);
  });

  it.each([
    ['a view', 'CREATE VIEW noted_view AS SELECT * FROM noted', 'view noted_view'],
    [
      'another table',
      'CREATE TABLE quotes (place bigint REFERENCES noted)',
      'constraint quotes_place_fkey on table quotes depends on it',
    ],
    ['a serial column', 'ALTER TABLE noted ADD serial serial', 'owns sequence noted_serial_seq'],
    [
      'statistics',
      'CREATE STATISTICS noted_pairs ON stream, number FROM noted',
      'has the statistics noted_pairs',
    ],
  ])('where %s hangs on the table', async (_, sql, why) => {
    const operator = await begin();
    await harness.database.query(sql);
    await expect(operator.transport.rebuild(group)).rejects.toThrow(why);
  });

  it('where the table was altered meanwhile', async () => {
    const rebuilding = held();
    const operator = await begin(rebuilding.handle);
    const rebuilt = operator.transport.rebuild(group).catch((error: unknown) => error);
    await rebuilding.reached;
    await harness.database.query('ALTER TABLE noted ADD remark text');
    rebuilding.goOn();
    expect(String(await rebuilt)).toMatch(/noted.* was altered while it was rebuilt/);
  });

  it('where the group has got another partition meanwhile', async () => {
    const rebuilding = held();
    const operator = await begin(rebuilding.handle);
    const rebuilt = operator.transport.rebuild(group).catch((error: unknown) => error);
    await rebuilding.reached;
    await harness.database.query(
      `INSERT INTO consumer_positions (consumer_group, topic, partition, position)
       SELECT consumer_group, topic, 1, position FROM consumer_positions`,
    );
    rebuilding.goOn();
    expect(String(await rebuilt)).toMatch(/consumes more partitions/);
  });
});
