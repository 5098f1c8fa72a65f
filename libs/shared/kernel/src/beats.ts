/** Calls `over` once after so many beats, unless the function that it returns was called before. They are beats of this
 *  process, not time: one that stood still, or gets hardly any processor time, has not heard what came meanwhile, and
 *  must not take its peers for dead. Does not keep the process alive. */
export const afterBeats = (
  { beats, everyMs }: { beats: number; everyMs: number },
  over: () => void,
): (() => void) => {
  let left = beats;
  const timer = setInterval(() => {
    left -= 1;
    if (left > 0) return;
    clearInterval(timer);
    over();
  }, everyMs).unref();
  return () => clearInterval(timer);
};

/** What is looked at once a beat. */
export interface Beating {
  beat(): void;
}

/** Beats at one interval for all of this process that is looked at so often: it wakes once for all of them. Does not keep the process
 *  alive. */
export class Pulse {
  private readonly all = new Set<Beating>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly everyMs: number) {}

  /** Its first beat comes within the interval. */
  add(one: Beating): void {
    this.all.add(one);
    this.timer ??= setInterval(() => {
      for (const each of this.all) each.beat();
    }, this.everyMs).unref();
  }

  remove(one: Beating): void {
    this.all.delete(one);
    if (this.all.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

const pulses = new Map<number, Pulse>();

/** Returns the one pulse of this process with an interval. */
export const pulseOf = (everyMs: number): Pulse => {
  const pulse = pulses.get(everyMs) ?? new Pulse(everyMs);
  pulses.set(everyMs, pulse);
  return pulse;
};
