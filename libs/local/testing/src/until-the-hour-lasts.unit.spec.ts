import { untilTheHourLasts } from './until-the-hour-lasts';

describe('untilTheHourLasts', () => {
  afterEach(() => void jest.useRealTimers());

  /** How many milliseconds it waits at a time. */
  const waitedMs = async (now: string, ms: number): Promise<number> => {
    jest.useFakeTimers({ now: new Date(now) });
    let endedAt: number | undefined;
    const waiting = untilTheHourLasts(ms).then(() => (endedAt = Date.now()));
    for (let step = 0; endedAt === undefined && step < 1_000; step += 1)
      await jest.advanceTimersByTimeAsync(100);
    await waiting;
    return endedAt! - Date.parse(now);
  };

  it.each([
    ['2026-12-31T23:00:00.000Z', 10_000],
    ['2026-12-31T23:59:50.000Z', 10_000],
  ])('waits for nothing at %s, where %s ms are left', async (now, ms) => {
    expect(await waitedMs(now, ms)).toBe(0);
  });

  it('waits for the next hour where this one ends before', async () => {
    const waited = await waitedMs('2026-12-31T23:59:50.001Z', 10_000);
    expect(waited).toBeGreaterThanOrEqual(9_999);
    expect(waited).toBeLessThan(10_200);
  });
});
