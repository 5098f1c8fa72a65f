import { fixedClock } from './clock';

describe('fixedClock', () => {
  it('always answers the same instant, in a new object each time', () => {
    const clock = fixedClock('2026-03-31T10:00:00Z');
    clock.now().setFullYear(1999);
    expect(clock.now().toISOString()).toBe('2026-03-31T10:00:00.000Z');
  });

  it('refuses what is not a time', () => {
    expect(() => fixedClock('yesterday')).toThrow(RangeError);
  });
});
