import { problemOf } from './hold.fixture';
import { open } from './timeframe.fixture';

describe('$timeframe_absolute', () => {
  it('includes both ends (reference 02 §2)', () => {
    const times = [
      '2026-03-01T09:59:59.999Z',
      '2026-03-01T10:00:00Z',
      '2026-03-05',
      '2026-03-10T10:00:00Z',
      '2026-03-10T10:00:00.001Z',
    ];
    expect(open('$timeframe_absolute', '2026-03-01T10:00:00Z;2026-03-10T10:00:00Z', times)).toEqual(
      times.slice(1, 4),
    );
  });

  it('takes days as their local midnight', () => {
    const times = [
      '2026-02-28T22:59:59.999Z',
      '2026-02-28T23:00:00Z',
      '2026-03-01',
      '2026-03-10',
      '2026-03-09T23:00:00Z',
      '2026-03-09T23:00:00.001Z',
    ];
    expect(open('$timeframe_absolute', '2026-03-01;2026-03-10', times)).toEqual(times.slice(1, 5));
    expect(open('$timeframe_absolute', '2026-03-01;2026-03-10', times, 'UTC')).toEqual([
      times[2],
      times[3],
      times[4],
      times[5],
    ]);
  });

  it('that ends before it starts never opens', () => {
    expect(
      open('$timeframe_absolute', '2026-03-10;2026-03-01', ['2026-03-01', '2026-03-05', '2026-03-10']),
    ).toEqual([]);
  });

  it.each([
    '2026-03-01',
    '2026-03-01;',
    ';2026-03-01',
    '2026-03-01;x',
    '2026-03-01;2026-03-02;',
    'x;2026-03-01',
    '',
  ])('refuses %p', (operand) => {
    expect(problemOf({ $timeframe_absolute: [operand] })).toBe(
      "Operator '$timeframe_absolute' of rule 'r' takes only texts of the form 'from;to'",
    );
  });
});
