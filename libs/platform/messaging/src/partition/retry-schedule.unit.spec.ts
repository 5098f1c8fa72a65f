import { attemptOfUndecodable, defaultRetrySchedule, holdMs, nextAttempt } from './retry-schedule';

describe('the retry schedule', () => {
  it.each([
    [1, 'RETRYING', 100],
    [2, 'RETRYING', 1_000],
    [3, 'RETRYING', 5_000],
    [4, 'PARKED', 60_000],
    [5, 'PARKED', 600_000],
    [6, 'PARKED', 3_600_000],
    [7, 'PARKED', 3_600_000],
    [1_000, 'PARKED', 3_600_000],
  ])('after failure %i: %s for %i ms', (failures, state, delayMs) => {
    expect(nextAttempt(defaultRetrySchedule, failures)).toEqual({ state, delayMs });
  });

  it.each([
    [[100, 1_000, 5_000], 5_000],
    [[100, 60_000], 5_000],
    [[10, 30], 30],
  ])('holds work with the tries %j for %i ms between two faults', (triesMs, ms) => {
    expect(holdMs({ triesMs, parkedMs: [] })).toBe(ms);
  });

  it('gives what cannot be decoded no tries', () => {
    expect(attemptOfUndecodable(defaultRetrySchedule)).toEqual({ state: 'PARKED', delayMs: 60_000 });
  });
});
