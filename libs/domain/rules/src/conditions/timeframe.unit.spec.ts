import { hold, problemOf } from './hold.fixture';
import { inZone, open } from './timeframe.fixture';

describe('$timeframe', () => {
  const daily = '2024-11-12T14:59:23.019Z;P1D;PT1H';

  it.each([
    ['2024-11-12T14:59:23.018Z', false],
    ['2024-11-12T14:59:23.019Z', true],
    ['2024-11-12T15:59:23.018Z', true],
    ['2024-11-12T15:59:23.019Z', false],
    ['2024-11-13T14:59:23.018Z', false],
    ['2024-11-13T14:59:23.019Z', true],
    ['2024-11-13T15:59:23.018Z', true],
    ['2024-11-13T15:59:23.019Z', false],
    ['2026-01-31T15:30:00Z', true],
    ['2026-01-31T16:30:00Z', false],
    ['2024-11-11T15:30:00Z', false],
  ])('of the spec’s example holds %s: %p (reference 02 §2)', (time, expected) => {
    expect(hold({ $timeframe: [daily] }, time)).toBe(expected);
  });

  it('keeps its local hour when clocks change', () => {
    // Warsaw: 29 March 2026 to summer time, 25 October 2026 back.
    const evenings = '2026-03-01T17:00:00Z;P1D;PT1H';
    const times = [
      '2026-03-28T16:59:59Z',
      '2026-03-28T17:00:00Z',
      '2026-03-29T15:59:59Z',
      '2026-03-29T16:00:00Z',
      '2026-03-29T16:59:59Z',
      '2026-03-29T17:00:00Z',
      '2026-10-25T16:59:59Z',
      '2026-10-25T17:00:00Z',
    ];
    expect(open('$timeframe', evenings, times)).toEqual([
      '2026-03-28T17:00:00Z',
      '2026-03-29T16:00:00Z',
      '2026-03-29T16:59:59Z',
      '2026-10-25T17:00:00Z',
    ]);
    expect(open('$timeframe', evenings, times, 'UTC')).toEqual([
      '2026-03-28T17:00:00Z',
      '2026-03-29T17:00:00Z',
      '2026-10-25T17:00:00Z',
    ]);
  });

  it('of a day within a day of 25 hours closes for the last', () => {
    const times = [
      '2026-10-25T21:59:59Z',
      '2026-10-25T22:00:00Z',
      '2026-10-25T22:59:59Z',
      '2026-10-25T23:00:00Z',
    ];
    expect(open('$timeframe', '2026-10-01;P1D;PT24H', times)).toEqual([times[0], times[3]]);
    expect(open('$timeframe', '2026-10-01;P1D;P1D', times)).toEqual(times);
  });

  it('of hours counts hours that pass', () => {
    const times = [
      '2026-03-29T00:59:59Z',
      '2026-03-29T02:00:00Z',
      '2026-03-29T02:59:59Z',
      '2026-03-29T03:00:00Z',
    ];
    expect(open('$timeframe', '2026-03-29T00:00:00Z;PT2H;PT1H', times)).toEqual([
      times[0],
      times[1],
      times[2],
    ]);
  });

  it('of months starts on the same day, or the last of a short month', () => {
    const times = [
      '2024-02-28',
      '2024-02-29',
      '2024-03-01',
      '2024-03-30',
      '2024-03-31',
      '2024-04-29',
      '2024-04-30',
      '2025-02-28',
    ];
    expect(open('$timeframe', '2024-01-31;P1M;P1D', times)).toEqual([
      '2024-02-29',
      '2024-03-31',
      '2024-04-30',
      '2025-02-28',
    ]);
  });

  it('of 30 days in each month leaves out the 31st', () => {
    const times = ['2026-01-30', '2026-01-31', '2026-02-01', '2026-02-28', '2026-03-30', '2026-03-31'];
    expect(open('$timeframe', '2026-01-01;P1M;P30D', times)).toEqual([
      '2026-01-30',
      '2026-02-01',
      '2026-02-28',
      '2026-03-30',
    ]);
  });

  it('of years, weeks and mixed parts', () => {
    expect(
      open('$timeframe', '2024-02-29;P1Y;P1D', [
        '2025-02-27',
        '2025-02-28',
        '2025-03-01',
        '2028-02-28',
        '2028-02-29',
      ]),
    ).toEqual(['2025-02-28', '2028-02-29']);
    expect(
      open('$timeframe', '2026-03-02;P2W;P1D', ['2026-03-02', '2026-03-09', '2026-03-16', '2026-03-17']),
    ).toEqual(['2026-03-02', '2026-03-16']);
    const mixed = [
      '2026-03-02T11:59:59Z',
      '2026-03-02T12:00:00Z',
      '2026-03-02T12:29:59Z',
      '2026-03-02T12:30:00Z',
    ];
    expect(open('$timeframe', '2026-03-01T00:00:00Z;P1DT12H;PT30M', mixed, 'UTC')).toEqual([
      mixed[1],
      mixed[2],
    ]);
  });

  it('longer than its interval never closes, and has no window before its start', () => {
    const times = ['2026-02-28T22:59:59.999Z', '2026-02-28T23:00:00Z', '2026-03-15T10:00:00Z', '2050-01-01'];
    expect(open('$timeframe', '2026-03-01;P1D;P2D', times)).toEqual(times.slice(1));
  });

  it('finds the occurrence centuries later', () => {
    const times = ['9999-12-10', '9999-12-11', '9999-12-12', '9999-12-13'];
    expect(open('$timeframe', '0001-01-12;P1M;P1D', times)).toEqual(['9999-12-12']);
    expect(open('$timeframe', '0001-12-12;P1Y;P1D', times)).toEqual(['9999-12-12']);
    expect(open('$timeframe', '2000-01-01T00:00:00Z;PT1S;PT1S', times)).toEqual(times);
  });

  it('finds the occurrence before a short month, years later', () => {
    const times = [
      '2023-01-01T23:59:59Z',
      '2023-01-02T00:00:00Z',
      '2023-01-31T12:00:00Z',
      '2023-02-01T00:00:00Z',
      '2023-02-28T12:00:00Z',
      '2023-03-01T00:00:00Z',
    ];
    expect(open('$timeframe', '2011-08-01T00:00:00Z;P1M;P1D', times, 'UTC')).toEqual([
      times[0],
      times[3],
      times[5],
    ]);
  });

  it('begins at local midnight when it starts on a day', () => {
    const times = [
      '2026-03-10T22:59:59Z',
      '2026-03-10T23:00:00Z',
      '2026-03-10T23:59:59Z',
      '2026-03-11T00:00:00Z',
    ];
    expect(open('$timeframe', '2026-03-01;P1D;PT1H', times)).toEqual([times[1], times[2]]);
    expect(open('$timeframe', '2026-03-01;P1D;PT1H', times, 'UTC')).toEqual([times[3]]);
  });

  it.each([
    ['1 second', '2026-01-01;PT1S;PT1S', true],
    ['less than a second', '2026-01-01;PT0.999S;PT1S', false],
    ['lasting less than a second', '2026-01-01;PT1S;PT0.999S', false],
    ['10000 years', '2026-01-01;P10000Y;P1D', true],
    ['far longer', '2026-01-01;P10100Y;P1D', false],
    ['lasting far longer', '2026-01-01;P1D;P99999999999Y', false],
    ['no interval', '2026-01-01;PT0S;PT1H', false],
    ['an interval without an amount', '2026-01-01;P;PT1H', false],
    ['a negative interval', '2026-01-01;-P1D;PT1H', false],
    ['a partly negative interval', '2026-01-01;P1M-29D;PT1H', false],
    ['a negative duration', '2026-01-01;P1D;-PT1H', false],
    ['words', 'start;interval;duration', false],
    ['no start', ';P1D;PT1H', false],
    ['a start that does not exist', '2026-02-29;P1D;PT1H', false],
    ['no duration', '2026-01-01;P1D', false],
    ['an empty duration', '2026-01-01;P1D;', false],
    ['only a start', '2026-01-01', false],
    ['a fourth part', '2026-01-01;P1D;PT1H;', false],
    ['an empty text', '', false],
    ['a number', 5, false],
    ['null', null, false],
    ['a list', ['2026-01-01', 'P1D', 'PT1H'], false],
  ])('with %s: %p is taken: %p', (_, operand, taken) => {
    expect(problemOf({ $timeframe: [operand] })).toBe(
      taken
        ? null
        : "Operator '$timeframe' of rule 'r' takes only texts of the form 'start;interval;duration'",
    );
  });
});

describe('all timeframes', () => {
  const operands: [string, string, string][] = [
    ['$timeframe', '2026-03-10;P1Y;P1D', '2026-03-12;P1Y;P1D'],
    ['$timeframe_absolute', '2026-03-10;2026-03-10', '2026-03-12;2026-03-12'],
    ['$timeframe_daily_hours', '00:00;23:00;2', '00:00;23:00;4'],
  ];

  it.each(operands)('%s needs one of the operands and one element of a list', (operator, tenth, twelfth) => {
    expect(hold({ [operator]: [tenth, twelfth] }, '2026-03-12')).toBe(true);
    expect(hold({ [operator]: [tenth, twelfth] }, '2026-03-11')).toBe(false);
    expect(hold({ [operator]: [tenth] }, ['2026-03-11', '2026-03-10'])).toBe(true);
    expect(hold({ [operator]: [tenth] }, ['2026-03-11', 'x', null])).toBe(false);
    expect(hold({ [operator]: [] }, '2026-03-10')).toBe(false);
  });

  it.each(operands)('%s holds for no other values, nor in unknown zones', (operator, tenth) => {
    for (const value of ['x', '', 5, true, {}, '2026-02-30'])
      expect(hold({ [operator]: [tenth] }, value)).toBe(false);
    expect(hold({ [operator]: [tenth] }, '2026-03-10', 'metadata', inZone('Mars/Olympus'))).toBe(false);
    expect(hold({ [operator]: [tenth] }, '2026-03-10T10:00:00Z', 'metadata', inZone('Mars/Olympus'))).toBe(
      false,
    );
  });
});
