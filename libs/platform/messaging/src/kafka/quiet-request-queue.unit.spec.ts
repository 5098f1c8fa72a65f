import RequestQueue from 'kafkajs/src/network/requestQueue';
import { quietenRequestQueues } from './quiet-request-queue';

const queueWith = (parts: { pending?: unknown[]; throttledUntil?: number }): RequestQueue =>
  Object.assign(Object.create(RequestQueue.prototype) as RequestQueue, {
    ...{ pending: [], throttledUntil: -1, checkPendingRequests: () => undefined },
    ...parts,
  });

describe('a request queue of kafkajs', () => {
  beforeAll(quietenRequestQueues);
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it.each([
    ['nothing waits', {}, 0],
    ['a request waits', { pending: [{}] }, 1],
    ['the broker asked for silence', { throttledUntil: Date.now() + 1_000_000 }, 1],
  ])('when %s', (_what, parts, timers) => {
    queueWith(parts).scheduleCheckPendingRequests();
    expect(jest.getTimerCount()).toBe(timers);
  });
});
