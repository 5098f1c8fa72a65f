import { holds, order, resultOf } from './evaluation.fixture';

const metadata = {
  number: 5,
  digits: '5',
  text: 'EU',
  yes: true,
  no: false,
  list: ['EU', 7, true, '2026-03-31', null],
  commas: 'EU,7 , true',
  day: '2026-03-31',
  instant: '2026-03-31T10:00:00Z',
  object: { a: 1 },
  nothing: null,
};
const withMetadata = { order: order({ metadata }) };
const key = (name: string): string => `ORDER_METADATA("${name}")`;

describe('arithmetic', () => {
  it.each([
    ['1.1 + 2.2', '3.3'],
    ['0.3 - 0.1', '0.2'],
    ['0.1 * 3', '0.3'],
    ['1 / 4', '0.25'],
    ['100 / 3', '33.333333333333333333333333'],
    ['200 / 3', '66.666666666666666666666667'],
    ['1 / 3 * 3', '1'],
    ['7 % 4', '3'],
    ['-7 % 4', '-3'],
    ['7 % -4', '3'],
    ['7.5 % 2', '1.5'],
    ['10 / 3 * 3 % 5', '0'],
    ['5 % (5 / 3 * 3)', '0'],
    ['0 * -1', '0'],
  ])('is decimal: %s = %s', (text, result) => {
    expect(resultOf(text)).toBe(result);
  });

  it.each(['1 / 0', '0 / 0', '1 ÷ (2 - 2)', '1 % 0'])('fails where nothing can be divided: %s', (text) => {
    expect(resultOf(text)).toBeNull();
  });

  it.each([
    `${key('text')} + 1`,
    `1 + ${key('text')}`,
    `${key('digits')} * 2`,
    `2 * ${key('digits')}`,
    `${key('yes')} + 1`,
    `${key('list')} + 1`,
    `${key('object')} + 1`,
    `${key('nothing')} + 1`,
    `${key('missing')} + 1`,
    `1 + ${key('missing')}`,
    `-${key('text')}`,
    `-${key('missing')}`,
    key('text'),
  ])('fails on anything but numbers, also on texts of digits: %s', (text) => {
    expect(resultOf(text, withMetadata)).toBeNull();
  });
});

describe('comparisons of numbers', () => {
  it.each([
    ['2 > 1', true],
    ['2 > 2', false],
    ['1 > 2', false],
    ['1 < 2', true],
    ['2 < 2', false],
    ['2 < 1', false],
    ['2 >= 2', true],
    ['3 >= 2', true],
    ['1 >= 2', false],
    ['2 <= 2', true],
    ['1 <= 2', true],
    ['3 <= 2', false],
    ['10 > 9', true],
    ['1 / 3 * 3 >= 1', true],
    ['1 <= 1 / 3 * 3', true],
    ['1 / 3 * 3 < 1', false],
    ['1 / 3 * 3 = 1', true],
    ['1 = 1 / 3 * 3', true],
    ['0.000000000000000000000001 > 0', true],
    ['0.0000000000000000000000001 > 0', false],
  ])('%s: %s', (condition, answer) => {
    expect(holds(condition)).toBe(answer);
  });

  it.each([
    `${key('digits')} > 4`,
    `4 < ${key('digits')}`,
    `${key('missing')} > 4`,
    `4 < ${key('missing')}`,
    `${key('day')} > ${key('day')}`,
  ])('fail on anything else: %s', (condition) => {
    expect(holds(condition, withMetadata)).toBeNull();
  });
});

describe('equality', () => {
  it.each([
    ['1 = 1.0', true],
    ['1 is 2', false],
    ['"a" = "a"', true],
    ['"a" is "A"', false],
    [`${key('number')} is 5`, true],
    [`5 is ${key('number')}`, true],
    [`${key('digits')} is 5`, false],
    [`5 is ${key('digits')}`, false],
    [`${key('digits')} is "5"`, true],
    [`${key('yes')} is "true"`, true],
    [`"false" is ${key('no')}`, true],
    [`${key('yes')} is ${key('yes')}`, true],
    [`${key('yes')} is ${key('no')}`, false],
    [`${key('yes')} is 1`, false],
    [`(1 = 1) is (2 = 2)`, true],
    [`DATE("2026-03-31") is ${key('day')}`, true],
    [`${key('day')} is DATE("2026-03-30")`, false],
    [`DATE("2026-03-31") is TODAY`, true],
    [`NOW is ${key('instant')}`, true],
    [`NOW is DATE_TIME("2026-03-31T10:00:00.001Z")`, false],
    [`NOW is TODAY`, true],
    [`TODAY is "today"`, false],
    [`"today" is TODAY`, false],
    [`TODAY is 5`, false],
    [`5 is TODAY`, false],
    [`${key('list')} is "EU"`, false],
    [`"EU" is ${key('list')}`, false],
    [`${key('list')} is ${key('list')}`, false],
  ])('%s: %s', (condition, answer) => {
    expect(holds(condition, withMetadata)).toBe(answer);
  });

  it.each([
    ['1 != 1', false],
    ['1 isNot 2', true],
    ['"a" != "a"', false],
    [`${key('digits')} isNot 5`, true],
  ])('has an opposite: %s: %s', (condition, answer) => {
    expect(holds(condition, withMetadata)).toBe(answer);
  });

  it.each([`${key('missing')} is "a"`, `"a" is ${key('missing')}`, `${key('missing')} isNot "a"`])(
    'fails on what is not there: %s',
    (condition) => {
      expect(holds(condition, withMetadata)).toBeNull();
    },
  );
});

describe('texts and lists', () => {
  it.each([
    ['"abc" contains "b"', true],
    ['"abc" contains "B"', false],
    ['"abc" contains ""', true],
    [`${key('list')} contains "EU"`, true],
    [`${key('list')} contains "E"`, false],
    [`${key('list')} contains 7`, true],
    [`${key('list')} contains 8`, false],
    [`${key('list')} contains "7"`, false],
    [`${key('list')} contains ${key('yes')}`, true],
    [`${key('list')} contains TODAY`, true],
    ['"abc" startsWith "ab"', true],
    ['"abc" startsWith "bc"', false],
    ['"abc" endsWith "bc"', true],
    ['"abc" endsWith "ab"', false],
    ['"EU" IN_ARRAY "EU,EMEA"', true],
    ['"EMEA" IN_ARRAY "EU,EMEA"', true],
    ['"E" IN_ARRAY "EU,EMEA"', false],
    ['"EMEA" IN_ARRAY "EU , EMEA "', true],
    ['"" IN_ARRAY "EU,EMEA"', false],
    ['7 IN_ARRAY "5,7"', true],
    ['7.0 IN_ARRAY "5,7"', true],
    ['21 / 3 * 1 IN_ARRAY "5,7"', true],
    ['7 / 3 * 3 IN_ARRAY "5,7"', true],
    ['8 IN_ARRAY "5,7"', false],
    [`${key('yes')} IN_ARRAY ${key('commas')}`, true],
    [`${key('no')} IN_ARRAY ${key('commas')}`, false],
    [`"EU" IN_ARRAY ${key('list')}`, true],
    [`"US" IN_ARRAY ${key('list')}`, false],
    ['"EU" NOT_IN_ARRAY "EU,EMEA"', false],
    ['"US" NOT_IN_ARRAY "EU,EMEA"', true],
    [`"US" NOT_IN_ARRAY ${key('list')}`, true],
  ])('%s: %s', (condition, answer) => {
    expect(holds(condition, withMetadata)).toBe(answer);
  });

  it.each([
    `${key('number')} contains "5"`,
    `${key('text')} contains 5`,
    `${key('number')} contains 5`,
    `${key('missing')} contains "a"`,
    `${key('text')} contains ${key('missing')}`,
    `${key('number')} startsWith "5"`,
    `"5" startsWith ${key('number')}`,
    `${key('number')} endsWith "5"`,
    `"5" endsWith ${key('number')}`,
    `"5" IN_ARRAY ${key('number')}`,
    `"5" NOT_IN_ARRAY ${key('number')}`,
    `${key('list')} IN_ARRAY "EU"`,
    `TODAY IN_ARRAY "2026-03-31"`,
    `${key('missing')} NOT_IN_ARRAY "a"`,
  ])('fail on other types: %s', (condition) => {
    expect(holds(condition, withMetadata)).toBeNull();
  });
});

describe('AND, OR', () => {
  const [yes, no, failing] = ['1 = 1', '1 = 2', '1 / 0 = 1'];

  it.each([
    [`${yes} AND ${yes}`, true],
    [`${yes} AND ${no}`, false],
    [`${no} AND ${yes}`, false],
    [`${no} AND ${no}`, false],
    [`${yes} OR ${yes}`, true],
    [`${yes} OR ${no}`, true],
    [`${no} OR ${yes}`, true],
    [`${no} OR ${no}`, false],
    [`${key('yes')} AND ${yes}`, true],
    [`${no} OR ${key('no')}`, false],
  ])('%s: %s', (condition, answer) => {
    expect(holds(condition, withMetadata)).toBe(answer);
  });

  it('are never anything but conditions', () => {
    expect(holds(`(${yes} AND ${key('text')}) is "EU"`, withMetadata)).toBeNull();
    expect(holds(`(${no} OR ${key('text')}) is "EU"`, withMetadata)).toBeNull();
  });

  it.each([
    [`${no} AND ${failing}`, false],
    [`${yes} OR ${failing}`, true],
  ])('do not run a right side that cannot matter: %s', (condition, answer) => {
    expect(holds(condition)).toBe(answer);
  });

  it.each([
    `${yes} AND ${failing}`,
    `${no} OR ${failing}`,
    `${failing} AND ${yes}`,
    `${failing} AND ${no}`,
    `${failing} OR ${yes}`,
    `${key('number')} OR ${yes}`,
    `${key('text')} AND ${yes}`,
    `${yes} AND ${key('text')}`,
    `${no} OR ${key('number')}`,
  ])('fail with a side that runs and fails, or is no condition: %s', (condition) => {
    expect(holds(condition, withMetadata)).toBeNull();
  });
});

describe('comparisons of dates', () => {
  it.each([
    ['DATE("2026-04-01") IS_AFTER DATE("2026-03-31")', true],
    ['DATE("2026-03-31") IS_AFTER DATE("2026-03-31")', false],
    ['DATE("2026-03-30") IS_AFTER DATE("2026-03-31")', false],
    ['DATE("2026-03-30") IS_BEFORE DATE("2026-03-31")', true],
    ['DATE("2026-03-31") IS_BEFORE DATE("2026-03-31")', false],
    ['DATE("2026-04-01") IS_BEFORE DATE("2026-03-31")', false],
    ['DATE_TIME("2026-03-31T10:00:00.001Z") IS_AFTER NOW', true],
    ['DATE_TIME("2026-03-31T10:00:00Z") IS_AFTER NOW', false],
    ['DATE_TIME("2026-03-31T09:59:59.999Z") IS_BEFORE NOW', true],
    ['DATE_TIME("2026-03-31T10:00:00Z") IS_BEFORE NOW', false],
    ['DATE_TIME("2026-03-31T10:00:00Z") DATE_IS DATE_TIME("2026-03-31T21:59:59Z")', true],
    ['DATE_TIME("2026-03-31T10:00:00Z") DATE_IS DATE_TIME("2026-03-31T22:00:00Z")', false],
    ['TODAY DATE_IS "2026-03-31"', true],
    ['TODAY DATE_IS_NOT "2026-03-31"', false],
    ['TODAY DATE_IS_NOT "2026-04-01"', true],
    [`${key('day')} DATE_IS ${key('instant')}`, true],
    [`${key('day')} IS_BEFORE "2026-04-01"`, true],
    [`"2026-03-30" IS_AFTER ${key('day')}`, false],
  ])('%s: %s', (condition, answer) => {
    expect(holds(condition, withMetadata)).toBe(answer);
  });

  it.each([
    ['NOW IS_AFTER DATE("2026-03-31")', false],
    ['DATE("2026-03-31") IS_BEFORE NOW', false],
    ['DATE_TIME("2026-03-31T21:59:59Z") IS_AFTER DATE("2026-03-31")', false],
    ['DATE_TIME("2026-03-31T22:00:00Z") IS_AFTER DATE("2026-03-31")', true],
    ['DATE("2026-03-31") IS_BEFORE DATE_TIME("2026-03-31T22:00:00Z")', true],
    ['DATE_TIME("2026-03-30T22:00:00Z") IS_BEFORE DATE("2026-03-31")', false],
    ['DATE_TIME("2026-03-30T21:59:59Z") IS_BEFORE DATE("2026-03-31")', true],
  ])('go by the day of the project when one side has no time: %s: %s', (condition, answer) => {
    expect(holds(condition)).toBe(answer);
  });

  it.each([
    `${key('text')} IS_AFTER NOW`,
    `NOW IS_AFTER ${key('text')}`,
    `${key('number')} IS_BEFORE NOW`,
    `NOW DATE_IS ${key('yes')}`,
    `${key('list')} DATE_IS NOW`,
    `NOW DATE_IS_NOT ${key('missing')}`,
    '"31.03.2026" DATE_IS_NOT NOW',
  ])('fail on what is no date: %s', (condition) => {
    expect(holds(condition, withMetadata)).toBeNull();
  });

  it.each(['TODAY IS_AFTER NOW', 'NOW DATE_IS NOW', 'NOW DATE_IS_NOT NOW', 'NOW IS_BEFORE "2026-03-31"'])(
    'fail where there is no such time zone: %s',
    (condition) => {
      expect(holds(condition, { timezone: 'Mars/Olympus' })).toBeNull();
    },
  );

  it('do without a time zone between instants', () => {
    expect(holds('NOW IS_AFTER NOW', { timezone: 'Mars/Olympus' })).toBe(false);
  });
});
