/** A place in a context's log: `epoch-ord-position`, decimal. Opaque to callers; compare with `comparePositions`,
 *  never as text. Source: architecture §4. */
export type LogPosition = string;

/** The parts of a position. `ord` and `position` are decimal texts, as they exceed what a number holds exactly. */
export interface PositionParts {
  epoch: number;
  ord: string;
  position: string;
}

/** Before every event. */
export const logStart: LogPosition = '0-0-0';

export const formatPosition = ({ epoch, ord, position }: PositionParts): LogPosition =>
  `${epoch}-${ord}-${position}`;

/** Throws `RangeError` for a text that no log gave out. */
export const parsePosition = (position: LogPosition): PositionParts => {
  const match = /^(0|[1-9]\d{0,9})-(0|[1-9]\d{0,19})-(0|[1-9]\d{0,18})$/.exec(position);
  if (!match) throw new RangeError(`not a log position: ${position}`);
  return { epoch: Number(match[1]), ord: match[2]!, position: match[3]! };
};

const endOfPart = (position: LogPosition, from: number): number => {
  const dash = position.indexOf('-', from);
  return dash < 0 ? position.length : dash;
};

const compareDigits = (a: string, b: string, from: readonly [number, number], count: number): number => {
  for (let at = 0; at < count; at += 1) {
    const difference = a.charCodeAt(from[0] + at) - b.charCodeAt(from[1] + at);
    if (difference !== 0) return difference;
  }
  return 0;
};

/** Negative when `a` comes before `b` in the log, 0 for the same place. Both as `formatPosition` writes them: of two numbers
 *  without leading zeros the longer one is the greater. Reads the texts in place: each consumer compares each event of its log. */
export const comparePositions = (a: LogPosition, b: LogPosition): number => {
  let [fromA, fromB] = [0, 0];
  while (fromA < a.length && fromB < b.length) {
    const [endA, endB] = [endOfPart(a, fromA), endOfPart(b, fromB)];
    const longer = endA - fromA - (endB - fromB);
    const difference = longer || compareDigits(a, b, [fromA, fromB], endA - fromA);
    if (difference !== 0) return difference;
    [fromA, fromB] = [endA + 1, endB + 1];
  }
  return 0;
};
