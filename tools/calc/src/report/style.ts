import { createColors } from 'picocolors';

/** How a report is written. */
export interface ReportStyle {
  /** An amount in minor units as text. */
  readonly amount: (amountMinor: number) => string;
  /** Never given an empty text: with colours on that would not stay empty. */
  readonly colours: ReturnType<typeof createColors>;
}

/** 1999 as `19.99`. Exact for all safe integers. */
export const majorUnits = (amountMinor: number): string => {
  const digits = String(Math.abs(amountMinor)).padStart(3, '0');
  return `${amountMinor < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

/** Without colours, for pipes, files and pages. */
export const plainStyle: ReportStyle = { amount: majorUnits, colours: createColors(false) };
