import { type Moment } from './conditions';
import { hold, tuesday } from './hold.fixture';

const operators = [
  ...['$is_days_ago', '$more_than_ago', '$less_than_ago'],
  ...['$is_days_in_future', '$more_than_future', '$less_than_future'],
];

/** The operators that hold for `value` against two days. */
const holding = (value: unknown, at: Moment = tuesday): string[] =>
  operators.filter((operator) => hold({ [operator]: [2] }, value, 'metadata', at));

describe('days from today, 10 March 2026 in Warsaw, against 2 (reference 02 §2)', () => {
  it.each<[unknown, string[]]>([
    ['2026-03-07', ['$more_than_ago']],
    ['2026-03-08', ['$is_days_ago']],
    ['2026-03-09', ['$less_than_ago']],
    ['2026-03-10', ['$less_than_ago', '$less_than_future']],
    ['2026-03-11', ['$less_than_future']],
    ['2026-03-12', ['$is_days_in_future']],
    ['2026-03-13', ['$more_than_future']],
    ['2026-03-07T22:59:59.999Z', ['$more_than_ago']],
    ['2026-03-07T23:00:00Z', ['$is_days_ago']],
    ['2026-03-08T22:59:59.999Z', ['$is_days_ago']],
    ['2026-03-08T23:00:00Z', ['$less_than_ago']],
    ['2026-03-12T22:59:59.999Z', ['$is_days_in_future']],
    ['2026-03-12T23:00:00Z', ['$more_than_future']],
    ['2026-03-12T23:30:00+02:00', ['$is_days_in_future']],
    ['2026-02-30', []],
    ['today', []],
    ['', []],
    [5, []],
    [true, []],
    [{}, []],
    [[], []],
    [['x', '2026-03-08'], ['$is_days_ago']],
    [
      ['2026-03-08', '2026-03-12'],
      ['$is_days_ago', '$is_days_in_future'],
    ],
  ])('%j', (value, expected) => {
    expect(holding(value)).toEqual(expected);
  });

  it('today is what the project’s clocks show', () => {
    const at = (now: string, timezone: string): Moment => ({ now: new Date(now), timezone });
    expect(holding('2026-03-08', at('2026-03-09T22:59:59.999Z', 'Europe/Warsaw'))).toEqual([
      '$less_than_ago',
    ]);
    expect(holding('2026-03-08', at('2026-03-09T23:00:00Z', 'Europe/Warsaw'))).toEqual(['$is_days_ago']);
    expect(holding('2026-03-08', at('2026-03-10T14:59:59Z', 'Asia/Tokyo'))).toEqual(['$is_days_ago']);
    expect(holding('2026-03-08', at('2026-03-10T15:00:00Z', 'Asia/Tokyo'))).toEqual(['$more_than_ago']);
    expect(holding('2026-03-08', at('2026-03-10T03:00:00Z', 'America/New_York'))).toEqual(['$less_than_ago']);
  });

  it('days of 23 and 25 hours are whole days', () => {
    const at = (now: string): Moment => ({ now: new Date(now), timezone: 'Europe/Warsaw' });
    // Clocks went forward on 29 March and back on 25 October.
    expect(holding('2026-03-28', at('2026-03-29T22:00:00Z'))).toEqual(['$is_days_ago']);
    expect(holding('2026-03-28T22:59:59Z', at('2026-03-29T22:00:00Z'))).toEqual(['$is_days_ago']);
    expect(holding('2026-03-28T23:00:00Z', at('2026-03-29T22:00:00Z'))).toEqual(['$less_than_ago']);
    expect(holding('2026-10-26', at('2026-10-25T22:59:59Z'))).toEqual(['$less_than_future']);
    expect(holding('2026-10-26', at('2026-10-24T21:59:59Z'))).toEqual(['$is_days_in_future']);
  });

  it('leap days count', () => {
    const at: Moment = { now: new Date('2024-03-01T12:00:00Z'), timezone: 'UTC' };
    expect(holding('2024-02-28', at)).toEqual(['$is_days_ago']);
    expect(holding('2024-02-29', at)).toEqual(['$less_than_ago']);
  });

  it('needs one of the operands', () => {
    expect(hold({ $is_days_ago: [1, 2] }, '2026-03-08')).toBe(true);
    expect(hold({ $is_days_ago: [1, 3] }, '2026-03-08')).toBe(false);
    expect(hold({ $is_days_ago: [0] }, '2026-03-10')).toBe(true);
    expect(hold({ $is_days_in_future: [0] }, '2026-03-10')).toBe(true);
    expect(hold({ $less_than_ago: [0] }, '2026-03-10')).toBe(false);
    expect(hold({ $less_than_future: [0] }, '2026-03-10')).toBe(false);
    expect(hold({ $is_days_ago: [] }, '2026-03-08')).toBe(false);
  });

  it('says no where the zone is unknown or the moment none', () => {
    expect(holding('2026-03-08', { now: tuesday.now, timezone: 'Mars/Olympus' })).toEqual([]);
    expect(holding('2026-03-08', { now: new Date(NaN), timezone: 'Europe/Warsaw' })).toEqual([]);
  });
});

describe('$dow', () => {
  it.each<[unknown, number]>([
    ['2026-03-08', 0],
    ['2026-03-09', 1],
    ['2026-03-10', 2],
    ['2026-03-11', 3],
    ['2026-03-12', 4],
    ['2026-03-13', 5],
    ['2026-03-14', 6],
    ['1969-12-31', 3],
    ['1960-02-29', 1],
    ['2024-02-29', 4],
    ['2026-03-10T22:59:59.999Z', 2],
    ['2026-03-10T23:00:00Z', 3],
    ['2026-07-10T21:59:59Z', 5],
    ['2026-07-10T22:00:00Z', 6],
    ['2026-07-10T22:30:00+02:00', 5],
  ])('of %j is %p in Warsaw', (value, day) => {
    const days = [0, 1, 2, 3, 4, 5, 6];
    expect(days.filter((operand) => hold({ $dow: [operand] }, value))).toEqual([day]);
  });

  it('is of local time', () => {
    const at = (timezone: string): Moment => ({ now: tuesday.now, timezone });
    expect(hold({ $dow: [1] }, '2026-03-10T03:59:59Z', 'metadata', at('America/New_York'))).toBe(true);
    expect(hold({ $dow: [2] }, '2026-03-10T04:00:00Z', 'metadata', at('America/New_York'))).toBe(true);
    expect(hold({ $dow: [2] }, '2026-03-10', 'metadata', at('America/New_York'))).toBe(true);
  });

  it('needs one of the operands and one element of a list', () => {
    expect(hold({ $dow: [1, 2] }, '2026-03-10')).toBe(true);
    expect(hold({ $dow: [0, 1] }, '2026-03-10')).toBe(false);
    expect(hold({ $dow: [1] }, ['2026-03-10', '2026-03-09'])).toBe(true);
    expect(hold({ $dow: [3] }, ['2026-03-10', 'x'])).toBe(false);
    expect(hold({ $dow: [] }, '2026-03-10')).toBe(false);
  });

  it.each([['x'], [5], [''], [{}], [true]])('%j has none', (value) => {
    expect(hold({ $dow: [0, 1, 2, 3, 4, 5, 6] }, value)).toBe(false);
  });
});
