import { problemOf } from './hold.fixture';
import { open } from './timeframe.fixture';

describe('$timeframe_daily_hours', () => {
  it('opens on its weekdays from the first to the last moment, on local clocks (reference 02 §2)', () => {
    // Tuesday and Wednesday, 10 and 11 March 2026.
    const times = [
      '2026-03-10T16:59:59.999Z',
      '2026-03-10T17:00:00Z',
      '2026-03-10T19:01:00Z',
      '2026-03-10T19:01:00.001Z',
      '2026-03-11T18:00:00Z',
      '2026-03-09T18:00:00Z',
      '2026-03-12T18:00:00Z',
    ];
    expect(open('$timeframe_daily_hours', '18:00;20:01;2,3', times)).toEqual([times[1], times[2], times[4]]);
    expect(open('$timeframe_daily_hours', '18:00;20:01;2,3', times, 'UTC')).toEqual([
      times[2],
      times[3],
      times[4],
    ]);
  });

  it('follows clocks when they change', () => {
    const times = [
      '2026-03-27T17:00:00Z',
      '2026-03-30T16:00:00Z',
      '2026-03-30T17:00:00Z',
      '2026-03-30T15:59:59Z',
    ];
    expect(open('$timeframe_daily_hours', '18:00;18:30;0,1,2,3,4,5,6', times)).toEqual([times[0], times[1]]);
  });

  it('takes the weekday of local time', () => {
    const times = ['2026-03-10T22:30:00Z', '2026-03-10T23:30:00Z'];
    expect(open('$timeframe_daily_hours', '00:00;23:59;2', times)).toEqual([times[0]]);
    expect(open('$timeframe_daily_hours', '00:00;23:59;3', times)).toEqual([times[1]]);
  });

  it('knows seconds', () => {
    const times = [
      '2026-03-10T17:00:04Z',
      '2026-03-10T17:00:05Z',
      '2026-03-10T17:00:06Z',
      '2026-03-10T17:00:06.001Z',
    ];
    expect(open('$timeframe_daily_hours', '18:00:05;18:00:06;2', times)).toEqual([times[1], times[2]]);
  });

  it('takes a day as its midnight', () => {
    expect(open('$timeframe_daily_hours', '00:00;00:00;2', ['2026-03-10', '2026-03-09'])).toEqual([
      '2026-03-10',
    ]);
    expect(open('$timeframe_daily_hours', '00:01;23:59;2', ['2026-03-10'])).toEqual([]);
  });

  it('counts times before 1970', () => {
    expect(
      open(
        '$timeframe_daily_hours',
        '10:00;11:00;3',
        ['1969-12-31T10:30:00Z', '1969-12-31T11:30:00Z'],
        'UTC',
      ),
    ).toEqual(['1969-12-31T10:30:00Z']);
  });

  it.each([
    ['18:00;20:01;0,6', true],
    ['18:00;18:00;1', true],
    ['00:00;23:59:59;1', true],
    ['18:01;18:00;1', false],
    ['24:00;24:00;1', false],
    ['18:60;19:00;1', false],
    ['18:00:60;19:00;1', false],
    ['8:00;19:00;1', false],
    ['118:00;19:00;1', false],
    ['18:00;19:00Z;1', false],
    ['18:00;19:00;7', false],
    ['18:00;19:00;-1', false],
    ['18:00;19:00;1,', false],
    ['18:00;19:00;,1', false],
    ['18:00;19:00;12', false],
    ['18:00;19:00;1;', false],
    ['18:00;19:00;', false],
    ['18:00;19:00', false],
    ['18:00', false],
    ['', false],
  ])('%p is taken: %p', (operand, taken) => {
    expect(problemOf({ $timeframe_daily_hours: [operand] })).toBe(
      taken
        ? null
        : "Operator '$timeframe_daily_hours' of rule 'r' takes only texts of the form '18:00;20:00;1,2'",
    );
  });
});
