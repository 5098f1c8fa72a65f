/** One line of what a run showed. `isMet` null: told, but no bar was set. */
export interface Figure {
  what: string;
  measured: string | number;
  bar: string;
  isMet: boolean | null;
}

/** How a scenario is run. */
export interface RunOptions {
  /** How long faults are injected. */
  seconds: number;
  /** Redemptions per second. */
  rate: number;
  /** Codes to generate, where a scenario generates some. */
  count: number;
  /** Tells what happens, a line at a time. */
  tell: (line: string) => void;
}

/** A fault, and what has to survive it. */
export interface Scenario {
  name: string;
  /** What it does, for the list and the page. */
  what: string;
  /** Unless another length is asked for. */
  seconds: number;
  run(options: RunOptions): Promise<Figure[]>;
}

/** A figure that must be 0. */
export const none = (what: string, measured: number): Figure => ({
  what,
  measured,
  bar: '0',
  isMet: measured === 0,
});

/** A figure that must not be above a limit; `measured` null: it did not come to an end. */
export const atMost = (what: string, measured: number | null, limit: number, unit: string): Figure => ({
  what,
  measured: measured === null ? 'never' : `${Math.round(measured * 10) / 10} ${unit}`,
  bar: `≤ ${limit} ${unit}`,
  isMet: measured !== null && measured <= limit,
});

/** A count without a bar. */
export const told = (what: string, measured: string | number): Figure => ({
  what,
  measured,
  bar: '',
  isMet: null,
});
