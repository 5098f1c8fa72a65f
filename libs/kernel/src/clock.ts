/** Where a program reads the time. Deciders never hold one: they receive `now` as an argument. */
export interface Clock {
  now(): Date;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date() };

/** A clock that stands still at `iso`, for tests and replays. Throws `RangeError` when `iso` is no time. */
export const fixedClock = (iso: string): Clock => {
  const instantMs = Date.parse(iso);
  if (Number.isNaN(instantMs)) throw new RangeError(`not a time: ${iso}`);
  return { now: () => new Date(instantMs) };
};
