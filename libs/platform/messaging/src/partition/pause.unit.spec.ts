import { getEventListeners, getMaxListeners } from 'node:events';
import { pause } from './pause';

const waiting = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

it('lets any number wait on one signal without a warning of a leak', async () => {
  const ending = new AbortController();
  const pauses = Array.from({ length: 20 }, () => pause(60_000, ending.signal));
  expect([waiting(ending.signal), getMaxListeners(ending.signal)]).toEqual([20, Infinity]);
  ending.abort();
  await Promise.all(pauses);
});

it('leaves nothing on the signal once the time is over', async () => {
  const { signal } = new AbortController();
  await Promise.all(Array.from({ length: 20 }, () => pause(1, signal)));
  expect(waiting(signal)).toBe(0);
});

it('does not wait where the signal has aborted', async () => {
  await pause(60_000, AbortSignal.abort());
});
