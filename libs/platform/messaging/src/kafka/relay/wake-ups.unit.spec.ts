import { WakeUps } from './wake-ups';

describe('the rest between reads of a log', () => {
  const running = new AbortController().signal;
  const wakeUps = new WakeUps({ onCommit: () => () => undefined });

  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it.each([
    [1, 40],
    [10, 40],
    [20, 80],
    [1_000, 100],
  ])('after %i events is %i ms', async (events, ms) => {
    let rested = false;
    const rest = wakeUps.rest(events, running).then(() => {
      rested = true;
    });
    await jest.advanceTimersByTimeAsync(ms - 1);
    expect(rested).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(rested).toBe(true);
    await rest;
  });

  it('ends with the relay', async () => {
    const stopping = new AbortController();
    const rest = wakeUps.rest(1_000, stopping.signal);
    stopping.abort();
    await expect(rest).resolves.toBeUndefined();
  });
});

describe('the wait for news of a log', () => {
  const running = new AbortController().signal;
  let commit: () => void;
  let wakeUps: WakeUps;

  beforeEach(() => {
    jest.useFakeTimers();
    wakeUps = new WakeUps({
      onCommit: (listener) => {
        commit = listener;
        return () => undefined;
      },
    });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const waitMs = async (): Promise<number> => {
    const startedAt = performance.now();
    let endedAt = 0;
    void wakeUps.next(running).then(() => (endedAt = performance.now()));
    while (endedAt === 0) await jest.advanceTimersByTimeAsync(1);
    return Math.round(endedAt - startedAt);
  };

  it('is short while commits come and for 10 s after, then a second', async () => {
    await jest.advanceTimersByTimeAsync(9_000);
    expect(await waitMs()).toBe(100);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await waitMs()).toBe(1_000);
    await wakeUps.rest(1, AbortSignal.abort());
    expect(await waitMs()).toBe(100);
  });

  it('ends with a commit, which is followed up three times', async () => {
    await jest.advanceTimersByTimeAsync(20_000);
    const waited = waitMs();
    await jest.advanceTimersByTimeAsync(500);
    commit();
    expect(await waited).toBeLessThan(510);
    expect([await waitMs(), await waitMs(), await waitMs(), await waitMs()]).toEqual([10, 10, 10, 100]);
  });
});
