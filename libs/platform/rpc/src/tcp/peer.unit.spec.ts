import { backoffMs } from './peer';

const limits = { backoffMinMs: 50, backoffMaxMs: 1_000 };

describe('the pause before the next attempt', () => {
  it.each([
    [0, 50],
    [1, 100],
    [4, 800],
    [5, 1_000],
    [50, 1_000],
    [5_000, 1_000],
  ])('after %i failures is at most %i ms, and at least three quarters of that', (failures, mostMs) => {
    expect(backoffMs(failures, limits, () => 1)).toBe(mostMs);
    expect(backoffMs(failures, limits, () => 0)).toBe(0.75 * mostMs);
  });
});
