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
  const match = /^(\d{1,10})-(\d{1,20})-(\d{1,19})$/.exec(position);
  if (!match) throw new RangeError(`not a log position: ${position}`);
  return { epoch: Number(match[1]), ord: match[2]!, position: match[3]! };
};

const sign = (difference: bigint): number => (difference > 0n ? 1 : difference < 0n ? -1 : 0);

/** Negative when `a` comes before `b` in the log, 0 for the same place. */
export const comparePositions = (a: LogPosition, b: LogPosition): number => {
  const [left, right] = [parsePosition(a), parsePosition(b)];
  return (
    left.epoch - right.epoch ||
    sign(BigInt(left.ord) - BigInt(right.ord)) ||
    sign(BigInt(left.position) - BigInt(right.position))
  );
};
