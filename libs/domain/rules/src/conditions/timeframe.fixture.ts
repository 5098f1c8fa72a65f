import { type Moment } from './conditions';
import { hold, tuesday } from './hold.fixture';

/** The moment of these specs in another zone. */
export const inZone = (timezone: string): Moment => ({ now: tuesday.now, timezone });

/** Which of `times` lie in a window of the timeframe. */
export const open = (
  operator: string,
  operand: string,
  times: string[],
  timezone = 'Europe/Warsaw',
): string[] => times.filter((time) => hold({ [operator]: [operand] }, time, 'metadata', inZone(timezone)));
