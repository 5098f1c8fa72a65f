import { waitUntil } from './wait-until';

const hourMs = 3_600_000;

/** Resolves at once where the hour lasts `ms` more, and else when the next one begins. Days, weeks and months end with an hour, in UTC
 *  and in zones whole hours from it: for steps that must all fall into one of them. `ms`: milliseconds, less than an hour. */
export const untilTheHourLasts = async (ms: number): Promise<void> => {
  await waitUntil(() => hourMs - (Date.now() % hourMs) >= ms, {
    what: 'the next hour',
    timeoutMs: ms + 10_000,
  });
};
