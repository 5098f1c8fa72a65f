/** Tells a project's business time: it decides about validity, expiry and schedules, and stands in public dates. Deciders
 *  have no clock: they get `now` as an argument. All projects have the machine's time. Source: architecture §10. */
export interface BusinessClock {
  now(project: { id: string }): Date;
}

/** Tells the time of the process: for leases, deadlines, retries and retention. Source: architecture §10. */
export interface MachineClock {
  now(): Date;
}

/** The machine's clock, and every project's. */
export const systemClock: BusinessClock & MachineClock = { now: () => new Date() };

/** Returns a clock that always shows `iso`, for tests and replays. Throws `RangeError` when `iso` is not a time. */
export const fixedClock = (iso: string): BusinessClock & MachineClock => {
  const instantMs = Date.parse(iso);
  if (Number.isNaN(instantMs)) throw new RangeError(`not a time: ${iso}`);
  return { now: () => new Date(instantMs) };
};
