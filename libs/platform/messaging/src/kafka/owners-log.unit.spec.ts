import type { StoredEvent } from '@scrip/event-store';
import type { PartitionWorker } from '../partition/partition-worker';
import { type ReadOwnersLog, nextOfOwner, readFromOwner } from './owners-log';
import { partitionOfKey } from './partitioning';

const of = { group: 'stats.notes', topic: 'scrip.shop.note.v1', partition: 0 };
const partitions = 6;
const elsewhere = ['a', 'b'].filter((stream) => partitionOfKey(`proj_1|${stream}`, partitions) !== 0);
const here =
  'abcdefghijkl'.split('').find((stream) => partitionOfKey(`proj_1|${stream}`, partitions) === 0) ?? '';

const event = (streamId: string, number: number): StoredEvent =>
  ({ projectId: 'proj_1', streamId, version: number, position: `1-700-${number}` }) as StoredEvent;

/** A log whose pages hold two events each, as those of large events do. */
const shortPages =
  (log: readonly StoredEvent[]): ReadOwnersLog =>
  async (_topic, { after }) =>
    log.filter(({ version }) => version > Number(after.split('-')[2])).slice(0, 2);

describe('an owner whose pages are short', () => {
  const [other = ''] = elsewhere;
  const log = [event(other, 1), event(other, 2), event(here, 3), event(other, 4), event(here, 5)];

  it('is read to the end of its log, a page at a time', async () => {
    const applied: number[][] = [];
    const worker = {
      of,
      position: '0-0-0',
      apply: async (events: StoredEvent[]) => void applied.push(events.map(({ version }) => version)),
    } as unknown as PartitionWorker;
    expect(await readFromOwner(worker, partitions, shortPages(log), () => true)).toBe(true);
    expect(applied).toEqual([[3], [5]]);
  });

  it('is searched behind its first page', async () => {
    expect(await nextOfOwner(of, partitions, '0-0-0', shortPages(log))).toBe('1-700-3');
    expect(await nextOfOwner(of, partitions, '1-700-5', shortPages(log))).toBeUndefined();
  });
});
