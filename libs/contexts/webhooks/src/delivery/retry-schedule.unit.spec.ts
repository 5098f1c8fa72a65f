import { attemptsMax, nextAttemptMs, retryDueMs } from './retry-schedule';

const minutes = (n: number) => n * 60_000;

describe('the retry schedule (reference 06 §5.2)', () => {
  it.each([
    [1, 1],
    [2, 2],
    [3, 4],
    [4, 8],
    [5, 16],
    [6, 32],
    [7, 64],
    [8, 128],
    [9, 256],
    [10, 512],
    [11, 1_024],
    [12, 1_440],
  ])('makes retry %i due %i minutes after the first attempt', (retry, due) => {
    expect(retryDueMs(retry)).toBe(minutes(due));
    expect(nextAttemptMs(retry, 0, null)).toBe(minutes(due));
  });

  it('ends after the thirteenth attempt', () => {
    expect(nextAttemptMs(attemptsMax - 1, 0, null)).toBe(minutes(1_440));
    expect(nextAttemptMs(attemptsMax, 0, null)).toBeNull();
  });

  it('spreads a retry by up to a tenth of its gap, never the last', () => {
    expect(nextAttemptMs(11, 1, null)).toBe(minutes(1_024) + minutes(51.2));
    expect(nextAttemptMs(12, 1, null)).toBe(minutes(1_440));
  });

  it('lets Retry-After move a retry later, but not past the next slot', () => {
    expect(nextAttemptMs(1, 0, minutes(1.5))).toBe(minutes(1.5));
    expect(nextAttemptMs(1, 0, minutes(90))).toBe(minutes(2));
    expect(nextAttemptMs(2, 0, minutes(1))).toBe(minutes(2));
    expect(nextAttemptMs(12, 0, minutes(2_000))).toBe(minutes(1_440));
  });
});
