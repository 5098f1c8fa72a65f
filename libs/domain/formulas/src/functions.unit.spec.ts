import { holds, order, resultOf } from './evaluation.fixture';

const metadata = { text: 'EU', one: 1, nothing: null, day: '2025-11-05', instant: '2025-11-05T23:30:00Z' };
const withMetadata = { order: order({ metadata }) };
const key = (name: string): string => `ORDER_METADATA("${name}")`;

describe('MIN, MAX, POW', () => {
  it.each([
    ['MIN(3)', '3'],
    ['MIN(3;2)', '2'],
    ['MIN(2;3)', '2'],
    ['MIN(3;1;2)', '1'],
    ['MIN(-1;0.5)', '-1'],
    ['MAX(3)', '3'],
    ['MAX(2;3)', '3'],
    ['MAX(3;2)', '3'],
    ['MAX(1;3;2)', '3'],
    ['POW(2;10)', '1024'],
    ['POW(2;-2)', '0.25'],
    ['POW(5;0)', '1'],
    ['POW(0;0)', '1'],
    ['POW(-2;3)', '-8'],
    ['POW(1.1;2)', '1.21'],
    ['POW(9;0.5)', '3'],
    ['POW(2;0.5)', '1.414213562373095048801689'],
    ['POW(200;0.5)', '14.14213562373095048801689'],
    ['POW(2;1 / 3 * 3)', '2'],
  ])('%s = %s', (text, result) => {
    expect(resultOf(text)).toBe(result);
  });

  it.each([
    'POW(-2;0.5)',
    'POW(0;-1)',
    'POW(10;1000)',
    'POW(3;1000.5)',
    `MIN(1;${key('missing')})`,
    `MAX(${key('text')};1)`,
    `POW(${key('missing')};1)`,
    `POW(1;${key('missing')})`,
  ])('%s fails', (text) => {
    expect(resultOf(text, withMetadata)).toBeNull();
  });
});

describe('ROUND, FLOOR, CEIL (reference 01 §8)', () => {
  it.each([
    ['ROUND(75.55;1)', '75.6'],
    ['ROUND(75.55;0)', '76'],
    ['ROUND(75.55;-1)', '80'],
    ['FLOOR(75.55;1)', '75.5'],
    ['FLOOR(75.55;-1)', '70'],
    ['CEIL(74.44;1)', '74.5'],
    ['CEIL(74.44;-1)', '80'],
  ])('worked example: %s = %s', (text, result) => {
    expect(resultOf(text)).toBe(result);
  });

  it.each([
    ['ROUND(2.5)', '3'],
    ['ROUND(2.4999)', '2'],
    ['FLOOR(2.9)', '2'],
    ['CEIL(2.1)', '3'],
    ['ROUND(-2.5;0)', '-2'],
    ['ROUND(-2.51;0)', '-3'],
    ['FLOOR(-2.1;0)', '-3'],
    ['CEIL(-2.9;0)', '-2'],
    ['CEIL(-0.5;0)', '0'],
    ['ROUND(0.125;2)', '0.13'],
    ['ROUND(149;-2)', '100'],
    ['ROUND(150;-2)', '200'],
    ['FLOOR(99;-2)', '0'],
    ['ROUND(12.3;5)', '12.3'],
    ['FLOOR(10 / 3 * 3)', '10'],
    ['CEIL(0.1 / 3 * 30)', '1'],
    ['ROUND(1.25; 1 / 3 * 3)', '1.3'],
    ['ROUND(1;24)', '1'],
    ['ROUND(1;-24)', '0'],
  ])('%s = %s', (text, result) => {
    expect(resultOf(text)).toBe(result);
  });

  it.each([
    'ROUND(1;25)',
    'ROUND(1;-25)',
    'ROUND(1;0.5)',
    `ROUND(${key('missing')};1)`,
    `ROUND(1;${key('text')})`,
    'ROUND(POW(10;90);20)',
  ])('%s fails', (text) => {
    expect(resultOf(text, withMetadata)).toBeNull();
  });
});

describe('IF', () => {
  it.each([
    ['IF(1 = 1;2;3)', '2'],
    ['IF(1 = 2;2;3)', '3'],
    ['IF(1 = 1;2;1 / 0)', '2'],
    ['IF(1 = 2;1 / 0;3)', '3'],
    ['IF(IF(1 = 1;1 = 2;1 = 1);2;3)', '3'],
  ])('takes the one branch and leaves the other alone: %s = %s', (text, result) => {
    expect(resultOf(text)).toBe(result);
  });

  it.each([
    'IF(1 / 0 = 1;2;3)',
    `IF(${key('missing')};2;3)`,
    `IF(${key('one')};2;3)`,
    `IF(${key('text')};2;3)`,
    'IF(1 = 1;1 / 0;3)',
    'IF(1 = 2;2;1 / 0)',
  ])('fails with its condition or its branch: %s', (text) => {
    expect(resultOf(text, withMetadata)).toBeNull();
  });
});

describe('DEFAULT_TO', () => {
  it.each([
    ['DEFAULT_TO(1;2)', '1'],
    [`DEFAULT_TO(${key('missing')};2)`, '2'],
    [`DEFAULT_TO(${key('nothing')};2)`, '2'],
    ['DEFAULT_TO(1 / 0;2)', '2'],
    [`DEFAULT_TO(${key('text')} + 1;2)`, '2'],
    ['DEFAULT_TO(ORDER_ITEM_PRICE;2)', '2'],
    [`DEFAULT_TO(${key('missing')};1 / 0;3;4)`, '3'],
    ['DEFAULT_TO(0;2)', '0'],
    [`DEFAULT_TO(1;${key('missing')})`, '1'],
  ])('takes the first that neither fails nor is null: %s = %s', (text, result) => {
    expect(resultOf(text, withMetadata)).toBe(result);
  });

  it('fails when all fail', () => {
    expect(resultOf(`DEFAULT_TO(${key('missing')};1 / 0)`, withMetadata)).toBeNull();
  });

  it('takes a value of another type than the next part needs, which then fails', () => {
    expect(resultOf(`DEFAULT_TO(${key('text')};2) + 1`, withMetadata)).toBeNull();
  });
});

describe('SWITCH', () => {
  const choose = (subject: string): string =>
    `SWITCH(${subject};SWITCH_CASE("EU";10);SWITCH_CASE("US";20) SWITCH_CASE("EU";30);40)`;

  it.each([
    ['"EU"', '10'],
    ['"US"', '20'],
    ['"PL"', '40'],
    [key('text'), '10'],
    ['5', '40'],
  ])('takes the first case that is equal, else the default: %s → %s', (subject, result) => {
    expect(resultOf(choose(subject), withMetadata)).toBe(result);
  });

  it.each([
    ['SWITCH(1;SWITCH_CASE(1;5);1 / 0)', '5'],
    ['SWITCH(2;SWITCH_CASE(1;1 / 0);5)', '5'],
    ['SWITCH(1;SWITCH_CASE(1;5);SWITCH_CASE(1 / 0;6);7)', '5'],
    ['SWITCH(2;SWITCH_CASE(2;5);SWITCH_CASE(2;1 / 0);7)', '5'],
  ])('leaves other branches alone: %s = %s', (text, result) => {
    expect(resultOf(text)).toBe(result);
  });

  it.each([
    choose(key('missing')),
    choose(key('nothing')),
    'SWITCH(1;SWITCH_CASE(1 / 0;5);SWITCH_CASE(1;6);7)',
    'SWITCH(1;SWITCH_CASE(1;1 / 0);7)',
    'SWITCH(2;SWITCH_CASE(1;5);1 / 0)',
  ])('fails with what it looks at: %s', (text) => {
    expect(resultOf(text, withMetadata)).toBeNull();
  });

  it('compares dates in the project time zone', () => {
    expect(resultOf('SWITCH(NOW;SWITCH_CASE("2026-03-31";1);2)')).toBe('1');
  });
});

describe('parts of dates', () => {
  it.each([
    ['DAY_OF_MONTH(TODAY)', '31'],
    ['MONTH(TODAY)', '3'],
    ['YEAR(TODAY)', '2026'],
    ['DAY_OF_MONTH(DATE("2025-11-05"))', '5'],
    ['MONTH(DATE("2025-11-05"))', '11'],
    ['YEAR(DATE("2025-11-05"))', '2025'],
    [`DAY_OF_MONTH(${key('day')})`, '5'],
    [`DAY_OF_MONTH(${key('instant')})`, '6'],
    ['DAY_OF_MONTH(DATE_TIME("2025-12-31T22:59:59Z"))', '31'],
    ['DAY_OF_MONTH(DATE_TIME("2025-12-31T23:00:00Z"))', '1'],
    ['YEAR(DATE_TIME("2025-12-31T23:00:00Z"))', '2026'],
    ['DAY_OF_MONTH("2025-11-05")', '5'],
    [`DAY_OF_MONTH(DATE(${key('day')}))`, '5'],
    [`DAY_OF_MONTH(DATE_TIME(${key('instant')}))`, '6'],
  ])('%s = %s', (text, result) => {
    expect(resultOf(text, withMetadata)).toBe(result);
  });

  it.each([
    `MONTH(${key('text')})`,
    `MONTH(${key('missing')})`,
    `MONTH(${key('one')})`,
    `YEAR(DATE(${key('instant')}))`,
    `YEAR(DATE(${key('one')}))`,
    `YEAR(DATE_TIME(${key('text')}))`,
  ])('%s fails', (text) => {
    expect(resultOf(text, withMetadata)).toBeNull();
  });

  it.each(['MONTH(NOW)', 'MONTH(TODAY)', 'DAYS_SINCE(DATE("2026-01-01"))', 'DAYS_UNTIL(NOW)'])(
    '%s fails where there is no such time zone',
    (text) => {
      expect(resultOf(text, { timezone: 'Mars/Olympus' })).toBeNull();
    },
  );
});

describe('elapsed time', () => {
  it.each([
    ['DAYS_SINCE(DATE("2026-03-30"))', '1'],
    ['DAYS_SINCE(TODAY)', '0'],
    ['DAYS_SINCE(DATE("2026-04-02"))', '-2'],
    ['DAYS_UNTIL(DATE("2026-04-02"))', '2'],
    ['DAYS_UNTIL(DATE("2026-03-30"))', '-1'],
    ['MONTHS_SINCE(DATE("2026-02-28"))', '1'],
    ['MONTHS_UNTIL(DATE("2026-06-29"))', '2'],
    ['MONTHS_UNTIL(DATE("2026-06-30"))', '3'],
    ['MONTHS_UNTIL(DATE("2026-07-31"))', '4'],
    ['YEARS_SINCE(DATE("2000-03-31"))', '26'],
    ['YEARS_SINCE(DATE("2000-04-01"))', '25'],
    [`DAYS_SINCE(${key('day')})`, '146'],
    ['DAYS_SINCE(DATE_TIME("2026-03-30T10:00:00Z"))', '1'],
    ['DAYS_SINCE(DATE_TIME("2026-03-30T10:00:00.001Z"))', '0'],
  ])('%s = %s', (text, result) => {
    expect(resultOf(text, withMetadata)).toBe(result);
  });
});

describe('date comparisons as functions', () => {
  it.each([
    ['IS_AFTER(NOW;DATE("2026-03-30"))', true],
    ['IS_AFTER(DATE("2026-03-30");NOW)', false],
    ['IS_BEFORE(DATE("2026-03-30");NOW)', true],
    ['IS_BEFORE(NOW;DATE("2026-03-30"))', false],
    ['DATE_IS(NOW;TODAY)', true],
    ['DATE_IS(NOW;DATE("2026-03-30"))', false],
    ['DATE_IS_NOT(NOW;TODAY)', false],
    ['DATE_IS_NOT(NOW;DATE("2026-03-30"))', true],
    ['IS_AFTER(NOW;DATE("2026-03-30")) AND 1 = 1', true],
    [`IS_AFTER(NOW;${key('missing')})`, null],
  ])('%s: %s', (condition, answer) => {
    expect(holds(condition, withMetadata)).toBe(answer);
  });
});
