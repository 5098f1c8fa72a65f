import { type Moment } from './conditions';
import { hold, tuesday } from './hold.fixture';

const operators = ['$less_than', '$less_than_or_equal', '$more_than', '$more_than_or_equal'];
/** What the four operators and both aliases say when the value is less than, equal to or more than the operand, or
 *  cannot be compared with it. */
const expected: Record<string, boolean[]> = {
  less: [true, true, false, false],
  equal: [false, true, false, true],
  more: [false, false, true, true],
  neither: [false, false, false, false],
};

const compare = (value: unknown, operand: unknown, kind?: 'number', at: Moment = tuesday): boolean[] => {
  const holds = (operator: string) => hold({ [operator]: [operand] }, value, kind, at);
  const [, , more, moreOrEqual] = operators.map(holds);
  expect([holds('$greater_than'), holds('$greater_than_or_equal')]).toEqual([more, moreOrEqual]);
  return operators.map(holds);
};

const numbers: [unknown, unknown, string][] = [
  [4, 5, 'less'],
  [5, 5, 'equal'],
  [6, 5, 'more'],
  [-1, 0, 'less'],
  [-0, 0, 'equal'],
  [0.1, 0.2, 'less'],
  ['9', 10, 'less'],
  ['10', 9, 'more'],
  ['10', '9', 'more'],
  [10, '10.00', 'equal'],
  [10, '10.01', 'less'],
  ['-2.5', '-2.4', 'less'],
  ['1e3', 999, 'more'],
  ['0.1', 0.1, 'equal'],
  ['999999999999999', 1e15, 'less'],
  ['1000000000000000', 1e15, 'equal'],
  [9_007_199_254_740_992, '9007199254740993', 'less'],
  ['9007199254740993', 9_007_199_254_740_992, 'more'],
  ['9007199254740993', '9007199254740993', 'equal'],
  ['9007199254740994', '9007199254740993', 'more'],
  ['0.30000000000000000001', 0.3, 'more'],
  ['1e-999', 0, 'more'],
  ['1e999', 1e308, 'more'],
  [-1e308, 1e308, 'less'],
  ['abc', 5, 'neither'],
  ['', 5, 'neither'],
  ['5 ', 5, 'neither'],
  [' 5', 5, 'neither'],
  ['+5', 5, 'neither'],
  ['.5', 0.5, 'neither'],
  ['5.', 5, 'neither'],
  ['0x10', 5, 'neither'],
  ['x5', 5, 'neither'],
  ['12345678901234567x', 5, 'neither'],
  ['x12345678901234567', 5, 'neither'],
  ['1e1000', 5, 'neither'],
  ['1'.repeat(40), 5, 'more'],
  ['1'.repeat(41), 5, 'neither'],
  [`5.${'0'.repeat(40)}`, 5, 'equal'],
  [`5.${'0'.repeat(41)}`, 5, 'neither'],
  ['100E-2', 1, 'equal'],
  ['1e', 5, 'neither'],
  ['Infinity', 5, 'neither'],
  [NaN, 5, 'neither'],
  [true, 0, 'neither'],
  [{}, 0, 'neither'],
  [null, 0, 'neither'],
  [undefined, 0, 'neither'],
];

describe('comparison of numbers and numeric text', () => {
  it.each(numbers)('%p with %p: %s', (value, operand, order) => {
    expect(compare(value, operand, 'number')).toEqual(expected[order]);
    expect(compare(value, operand)).toEqual(expected[order]);
  });

  it('needs one of the operands and one element of a list', () => {
    expect(hold({ $more_than: [10, 5] }, 6)).toBe(true);
    expect(hold({ $more_than: [10, 5] }, 5)).toBe(false);
    expect(hold({ $more_than: [5, 10] }, 6)).toBe(true);
    expect(hold({ $less_than: [5] }, [6, '4'])).toBe(true);
    expect(hold({ $less_than: [5] }, [6, '5', null, 'x'])).toBe(false);
    expect(hold({ $less_than: [5] }, [])).toBe(false);
    expect(hold({ $less_than: [] }, 1)).toBe(false);
  });
});

const times: [string, unknown, string, string][] = [
  ['instants', '2026-03-10T09:59:59.999Z', '2026-03-10T10:00:00Z', 'less'],
  ['instants', '2026-03-10T10:00:00.000Z', '2026-03-10T10:00:00Z', 'equal'],
  ['instants', '2026-03-10T10:00:00.001Z', '2026-03-10T10:00:00Z', 'more'],
  ['fractions, cut to milliseconds', '2026-03-10T10:00:00.0019Z', '2026-03-10T10:00:00.001Z', 'equal'],
  ['tenths', '2026-03-10T10:00:00.1Z', '2026-03-10T10:00:00.099Z', 'more'],
  ['hours only', '2026-03-10T10', '2026-03-10T10:00:00Z', 'equal'],
  ['without Z, which are UTC', '2026-03-10T10:00', '2026-03-10T10:00:00Z', 'equal'],
  ['minutes', '2026-03-10T10:01Z', '2026-03-10T10:00:59Z', 'more'],
  ['offsets ahead', '2026-03-10T12:00:00+02:00', '2026-03-10T10:00:00Z', 'equal'],
  ['offsets behind', '2026-03-10T04:30:00-05:30', '2026-03-10T10:00:00Z', 'equal'],
  ['offsets in the operand', '2026-03-10T10:00:00Z', '2026-03-10T23:00:00+13:00', 'equal'],
  ['days', '2026-03-09', '2026-03-10', 'less'],
  ['days', '2026-03-10', '2026-03-10', 'equal'],
  ['a leap day', '2024-02-29', '2024-03-01', 'less'],
  ['years', '2025-12-31', '2026-01-01', 'less'],
  ['early years', '0099-12-31', '0100-01-01', 'less'],
  ['local midnight, an hour before that of UTC', '2026-03-09T22:59:59.999Z', '2026-03-10', 'less'],
  ['local midnight, an hour before that of UTC', '2026-03-09T23:00:00Z', '2026-03-10', 'equal'],
  ['local midnight, an hour before that of UTC', '2026-03-09T23:00:00.001Z', '2026-03-10', 'more'],
  ['local midnight in summer', '2026-07-09T22:00:00Z', '2026-07-10', 'equal'],
  ['a day with an instant', '2026-03-10', '2026-03-09T23:00:00Z', 'equal'],
  ['a time that does not exist', '2026-02-29', '2026-02-28', 'neither'],
  ['a month that does not exist', '2026-13-01', '2026-02-28', 'neither'],
  ['month 0', '2026-00-10', '2020-02-28', 'neither'],
  ['day 0', '2026-01-00', '2020-02-28', 'neither'],
  ['the 31st of a short month', '2026-04-31', '2020-02-28', 'neither'],
  ['hour 23', '2026-03-10T23:00:00Z', '2026-03-10T22:59:59Z', 'more'],
  ['hour 24', '2026-03-10T24:00:00Z', '2026-02-28', 'neither'],
  ['minute 59', '2026-03-10T10:59:00Z', '2026-03-10T10:58:59Z', 'more'],
  ['minute 60', '2026-03-10T10:60:00Z', '2026-02-28', 'neither'],
  ['second 59', '2026-03-10T10:00:59Z', '2026-03-10T10:00:58Z', 'more'],
  ['second 60', '2026-03-10T10:00:60Z', '2026-02-28', 'neither'],
  ['an offset of 23:59', '2026-03-10T23:59:00+23:59', '2026-03-10T00:00:00Z', 'equal'],
  ['an offset of a day', '2026-03-10T10:00:00+24:00', '2026-02-28', 'neither'],
  ['an offset of 60 minutes', '2026-03-10T10:00:00+01:60', '2026-02-28', 'neither'],
  ['an offset and Z', '2026-03-10T10:00:00Z+02:00', '2026-02-28', 'neither'],
  ['an offset without colon', '2026-03-10T10:00:00+0200', '2026-02-28', 'neither'],
  ['another separator', '2026-03-10 10:00:00', '2026-02-28', 'neither'],
  ['words', 'tomorrow', '2026-02-28', 'neither'],
  ['a number', 20_260_310, '2026-02-28', 'neither'],
  ['nothing', null, '2026-02-28', 'neither'],
];

describe('comparison of dates and date-times', () => {
  it.each(times)('%s: %p with %p: %s', (_, value, operand, order) => {
    expect(compare(value, operand)).toEqual(expected[order]);
    expect(hold({ $after: [operand] }, value)).toBe(order === 'more');
    expect(hold({ $before: [operand] }, value)).toBe(order === 'less');
  });

  it('never compares times with numbers', () => {
    expect(compare('2026-03-10', 5)).toEqual(expected.neither);
    expect(compare('2026', '2026-01-01')).toEqual(expected.neither);
  });

  it('needs one of the operands and one element of a list', () => {
    expect(hold({ $after: ['2026-03-10', '2026-01-01'] }, '2026-02-01')).toBe(true);
    expect(hold({ $after: ['2026-03-10', '2026-02-02'] }, '2026-02-01')).toBe(false);
    expect(hold({ $before: ['2026-01-01'] }, ['2026-02-01', '2025-12-31'])).toBe(true);
    expect(hold({ $before: ['2026-01-01'] }, ['2026-02-01', 'x'])).toBe(false);
  });

  it('follows the zone of the moment, also when it changes', () => {
    const at = (timezone: string): Moment => ({ now: tuesday.now, timezone });
    const value = '2026-03-10T03:00:00Z';
    const zones = ['Europe/Warsaw', 'America/New_York', 'Asia/Tokyo', 'UTC', 'America/New_York'];
    expect(zones.map((zone) => hold({ $after: ['2026-03-10'] }, value, 'metadata', at(zone)))).toEqual([
      true,
      false,
      true,
      true,
      false,
    ]);
  });

  it('begins a day when clocks skip midnight', () => {
    // In Beirut, 29 March 2026 began at 01:00, at 22:00 UTC.
    const at: Moment = { now: tuesday.now, timezone: 'Asia/Beirut' };
    expect(compare('2026-03-28T21:59:59.999Z', '2026-03-29', undefined, at)).toEqual(expected.less);
    expect(compare('2026-03-28T22:00:00Z', '2026-03-29', undefined, at)).toEqual(expected.equal);
  });

  it('says no where the zone is unknown', () => {
    const at: Moment = { now: tuesday.now, timezone: 'Mars/Olympus' };
    expect(compare('2026-03-10', '2026-03-10', undefined, at)).toEqual(expected.neither);
    expect(compare('2026-03-10T10:00:00Z', '2026-03-10', undefined, at)).toEqual(expected.neither);
  });
});
