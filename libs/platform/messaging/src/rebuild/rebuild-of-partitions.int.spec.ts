import type { KafkaTransportOptions } from '../kafka/kafka-event-transport';
import {
  begin,
  expectAll,
  expireAll,
  harness,
  notes,
  start,
  streams,
  untilEffects,
  untilRuns,
  useFeed,
} from '../testing/feed-of-notes.fixture';

useFeed();

describe('a rebuild of six partitions that two processes consume', () => {
  it('reads the log of the owner once, whatever the topic still holds', async () => {
    await begin();
    let read = 0;
    const readOwnersLog: KafkaTransportOptions['readOwnersLog'] = async (_topic, { after, limit }) => {
      const page = await harness.store.readLog({ after, limit, aggregates: ['note'] });
      read += page.length;
      return page;
    };
    const fills = ['noted'];
    const first = await start({ fills }, { readOwnersLog });
    const second = await start({ fills }, { readOwnersLog });
    await harness.publish(notes(1, 60));
    await untilEffects(60 * streams.length);
    await untilRuns(first, 3);
    await untilRuns(second, 3);
    await expireAll(harness.topics[0]);
    await harness.database.query('DELETE FROM noted WHERE number % 2 = 0');
    read = 0;
    expect(await first.transport.rebuild('stats.notes')).toEqual({
      group: 'stats.notes',
      topics: [harness.topics[0]],
      events: 60 * streams.length,
    });
    expect(read).toBe(60 * streams.length);
    await expectAll(1, 60);
    await harness.publish(notes(61, 62));
    await untilEffects(62 * streams.length);
    await expectAll(1, 62);
  });
});
