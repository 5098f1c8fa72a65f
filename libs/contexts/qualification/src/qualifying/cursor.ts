import { instantInputForm, parseInstant } from '@scrip/kernel';
import type { Place } from '../candidates/candidates.reads';

/** A place in the order of candidates: behind all that were created at `at`, or, where `ordinal` is not 0, behind that many of them. */
export interface Cursor {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly ordinal: number;
}

/** The database reads no later instant that a request can name. */
const latestMs = Date.parse('9999-12-31T23:59:59.999Z');

/** Where a page begins: in front of all that were created at the instant where some of them have been shown. */
export const placeOf = ({ at, ordinal }: Cursor): Place => ({
  created_at: new Date(ordinal === 0 ? at : Math.min(at + 1, latestMs)).toISOString(),
  id: '',
});

/** Digits of the ordinal: behind the milliseconds, three or six. */
const short = 1_000;

/** Writes a cursor as the instant, whose digits behind the milliseconds are the ordinal. Source: reference 02 §8, §11. */
export const cursorText = ({ at, ordinal }: Cursor): string => {
  const instant = new Date(at).toISOString();
  if (ordinal === 0) return instant;
  return instant.replace('Z', `${String(ordinal).padStart(ordinal < short ? 3 : 6, '0')}Z`);
};

/** Reads a cursor, also one whose last zeros were cut; null: no instant. */
export const cursorOf = (text: string): Cursor | null => {
  const instant = parseInstant(text);
  if (!instant) return null;
  const fraction = instantInputForm.exec(text)?.[5] ?? '';
  const digits = fraction.slice(3);
  const ordinal = Number(digits.padEnd(digits.length > 3 ? 6 : 3, '0'));
  return { at: instant.getTime(), ordinal };
};
