import { calendarDayOf } from '@scrip/kernel';

const quarterMs = 900_000;
const hourMs = 3_600_000;

/** When filters by days are to be tested again: within an hour, and at the beginning of a day of the zone, which is the
 *  beginning of a quarter of an hour everywhere. */
export const nextReview = (now: Date, zone: string): Date => {
  const today = calendarDayOf(now, zone);
  const first = Math.floor(now.getTime() / quarterMs + 1) * quarterMs;
  for (let at = first; at <= now.getTime() + hourMs; at += quarterMs) {
    if (calendarDayOf(new Date(at), zone) !== today) return new Date(at);
  }
  return new Date(now.getTime() + hourMs);
};
