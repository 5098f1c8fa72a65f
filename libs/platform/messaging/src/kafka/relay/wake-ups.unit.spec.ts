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
