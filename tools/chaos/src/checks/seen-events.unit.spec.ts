import { SeenEvents } from './seen-events';

const seen = (...events: readonly [stream: string, sequence: number][]): SeenEvents => {
  const all = new SeenEvents();
  for (const [stream, sequence] of events) all.take(stream, `${stream}${sequence}`, sequence);
  return all;
};

describe('the order of streams, as a plain consumer sees it', () => {
  it('is kept where each stream goes forward, however they mix', () => {
    const { messages, repeated, outOfOrder } = seen(['a', 1], ['b', 1], ['a', 2], ['a', 5], ['b', 2]);
    expect({ messages, repeated, outOfOrder }).toEqual({ messages: 5, repeated: 0, outOfOrder: 0 });
  });

  it('is kept where a run of messages comes again', () => {
    const { repeated, outOfOrder } = seen(['a', 1], ['a', 2], ['a', 1], ['a', 2], ['a', 3]);
    expect({ repeated, outOfOrder }).toEqual({ repeated: 2, outOfOrder: 0 });
  });

  it('is broken by an event that comes first behind a later one', () => {
    expect(seen(['a', 1], ['a', 3], ['a', 2], ['a', 4]).outOfOrder).toBe(1);
  });
});
