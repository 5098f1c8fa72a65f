import { RetryTimes } from './retry-times';

const pausesAfter = (failures: number): number => {
  const times = new RetryTimes();
  for (let failure = 0; failure < failures; failure += 1) times.noteFailure('r_1', 1_000);
  let pauseMs = 0;
  while (!times.isDue('r_1', 1_000 + pauseMs)) pauseMs += 1_000;
  return pauseMs;
};

it.each([
  [0, 0],
  [1, 2_000],
  [2, 4_000],
  [5, 32_000],
  [6, 60_000],
  [40, 60_000],
])('after %d failures, work waits %d ms', (failures, pauseMs) => {
  expect(pausesAfter(failures)).toBe(pauseMs);
});

it('work that succeeded starts anew, and other work never waited', () => {
  const times = new RetryTimes();
  times.noteFailure('r_1', 0);
  expect(times.isDue('r_2', 0)).toBe(true);
  times.forget('r_1');
  expect(times.isDue('r_1', 0)).toBe(true);
});
