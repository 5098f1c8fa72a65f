import { comparePositions, formatPosition, logStart, parsePosition } from './log-position';

describe('log positions', () => {
  it('compare as numbers, epoch first, then ord, then position', () => {
    const sorted = [
      logStart,
      '1-9-100',
      '1-10-1',
      '1-10-2',
      '1-9007199254740993-1',
      '1-9007199254740994-1',
      '2-1-1',
      '10-1-1',
    ];
    expect([...sorted].reverse().sort(comparePositions)).toEqual(sorted);
    expect(comparePositions('1-10-2', '1-10-2')).toBe(0);
  });

  it('keep values that no number holds', () => {
    const position = '1-18446744073709551615-9223372036854775807';
    expect(formatPosition(parsePosition(position))).toBe(position);
  });

  it.each(['', '1-2', '1-2-3-4', 'a-b-c', '-1-2-3', '1-2-3;', '01-2-3', '1-02-3', '1-2-03'])(
    'do not read %p',
    (text) => {
      expect(() => parsePosition(text)).toThrow(RangeError);
    },
  );
});
