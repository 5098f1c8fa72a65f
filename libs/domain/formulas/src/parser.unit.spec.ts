import { problemOf, resultOf } from './evaluation.fixture';
import { FormulaParser, parseFormula } from './parser';

describe('the grammar', () => {
  it('has no ambiguities', () => {
    expect(() => new FormulaParser({ skipValidations: false })).not.toThrow();
  });

  it.each([
    ['12', '12'],
    ['12.50', '12.5'],
    ['.5', '0.5'],
    ['1 + 2 * 3', '7'],
    ['2 * 3 + 1', '7'],
    ['(1 + 2) * 3', '9'],
    ['10 - 4 - 3', '3'],
    ['10 - (4 - 3)', '9'],
    ['24 / 4 / 2', '3'],
    ['24 / 4 * 2', '12'],
    ['17 % 5 * 2', '4'],
    ['1 + 10 % 4', '3'],
    ['-2 + 5', '3'],
    ['--2', '2'],
    ['3 - -2', '5'],
    ['-(1 + 2)', '-3'],
    ['2 * -3', '-6'],
    ['-2 * 3', '-6'],
  ])('reads %s as %s', (text, result) => {
    expect(resultOf(text)).toBe(result);
  });

  it.each([
    ['2 x 3', '6'],
    ['2 × 3', '6'],
    ['2×3', '6'],
    ['6 ÷ 3', '2'],
    ['(2)x(3)', '6'],
    ['2 x(3)', '6'],
    ['2\nx\t3', '6'],
    ['  MIN ( 2 ;3 )  ', '2'],
    ['MIN(2;3)', '2'],
  ])('takes other signs and free white space: %s', (text, result) => {
    expect(resultOf(text)).toBe(result);
  });

  it.each([
    ['2x3', 'Unexpected "x3".', 1],
    ['2x 3', 'Unexpected "x".', 1],
    ['2 x3', 'Unexpected "x3".', 2],
    ['2 x.5', 'Unexpected "x".', 2],
    ['(2)_x 3', 'Unexpected "_x".', 3],
  ])('takes x for an operator only when it stands alone: %s', (text, message, offset) => {
    expect(problemOf(text)).toEqual({ problem: 'syntax', message, offset });
  });

  it.each([
    ['1 = 1 OR 1 = 2 AND 1 = 2', '1'],
    ['1 = 2 AND 1 = 2 OR 1 = 1', '1'],
    ['(1 = 1 OR 1 = 2) AND 1 = 2', '0'],
    ['1 = 2 OR 1 = 2 OR 1 = 1', '1'],
    ['1 + 1 = 2 AND 2 * 2 > 3', '1'],
  ])('binds AND tighter than OR, comparisons tighter than both: %s', (condition, result) => {
    expect(resultOf(`IF(${condition};1;0)`)).toBe(result);
  });

  it.each([
    'SWITCH(2;SWITCH_CASE(1;10);SWITCH_CASE(2;20);30)',
    'SWITCH(2;SWITCH_CASE(1;10)SWITCH_CASE(2;20);30)',
    'SWITCH ( 2 ; SWITCH_CASE ( 1 ; 10 ) SWITCH_CASE ( 2 ; 20 ) ; 30 )',
  ])('takes a semicolon between cases or none: %s', (text) => {
    expect(resultOf(text)).toBe('20');
  });

  it('reads from left to right, with the place of every part', () => {
    expect(parseFormula(' 1 - 2 - MONTH("a")')).toEqual({
      kind: 'binary',
      operator: '-',
      left: {
        kind: 'binary',
        operator: '-',
        left: { kind: 'number', digits: '1', offset: 1 },
        right: { kind: 'number', digits: '2', offset: 5 },
        offset: 1,
      },
      right: {
        kind: 'name',
        name: 'MONTH',
        arguments: [{ kind: 'text', text: 'a', offset: 15 }],
        offset: 9,
      },
      offset: 1,
    });
    expect(parseFormula('-SWITCH(1;SWITCH_CASE(2;3);IS_AFTER(4;5))')).toEqual({
      kind: 'negate',
      operand: {
        kind: 'switch',
        subject: { kind: 'number', digits: '1', offset: 8 },
        cases: [
          {
            value: { kind: 'number', digits: '2', offset: 22 },
            result: { kind: 'number', digits: '3', offset: 24 },
          },
        ],
        otherwise: {
          kind: 'name',
          name: 'IS_AFTER',
          arguments: [
            { kind: 'number', digits: '4', offset: 36 },
            { kind: 'number', digits: '5', offset: 38 },
          ],
          offset: 27,
        },
        offset: 1,
      },
      offset: 0,
    });
  });
});

describe('what is not in the grammar', () => {
  it.each([
    ['', 'Unexpected end of the formula.', 0],
    ['   ', 'Unexpected end of the formula.', 3],
    ['1 +', 'Unexpected end of the formula.', 3],
    ['1 + ', 'Unexpected end of the formula.', 4],
    ['* 2', 'Unexpected "*".', 0],
    ['1 2', 'Unexpected "2".', 2],
    ['1 + + 2', 'Unexpected "+".', 4],
    ['(1', 'Expected ")", not end of the formula.', 2],
    ['1)', 'Unexpected ")".', 1],
    ['MIN(1;)', 'Unexpected ")".', 6],
    ['MIN(1,2)', 'Unexpected ",".', 5],
    ['MIN(1 2)', 'Expected ")", not "2".', 6],
    ['1.', 'Unexpected ".".', 1],
    ['1.2.3', 'Unexpected ".3".', 3],
    ['"abc', 'The text that begins here has no closing quote.', 0],
    ['1 + "abc', 'The text that begins here has no closing quote.', 4],
    ["'abc'", 'Unexpected "\'".', 0],
    ['1 & 2', 'Unexpected "&".', 2],
    ['1 = 1 = 1', 'Unexpected "=".', 6],
    ['IF(1 < 2 < 3;1;2)', 'Expected ")", not "<".', 9],
    ['contains', 'Unexpected "contains".', 0],
    ['IS_AFTER', 'Expected "(", not end of the formula.', 8],
    ['AND', 'Unexpected "AND".', 0],
    ['SWITCH', 'Expected "(", not end of the formula.', 6],
    ['SWITCH(1;2)', 'Expected "SWITCH_CASE", not "2".', 9],
    ['SWITCH(1;SWITCH_CASE(1;2))', 'Expected ";", not ")".', 25],
    ['SWITCH(1;SWITCH_CASE(1);2)', 'Expected ";", not ")".', 22],
    ['SWITCH_CASE(1;2)', 'Unexpected "SWITCH_CASE".', 0],
    ['1 NAMES_OF_TWENTY_ONE_X', 'Unexpected "NAMES_OF_TWENTY_ONE_…".', 2],
    ['1 NAMES_OF_TWENTY_____', 'Unexpected "NAMES_OF_TWENTY_____".', 2],
  ])('is refused with its place: %s', (text, message, offset) => {
    expect(problemOf(text)).toEqual({ problem: 'syntax', message, offset });
  });

  it('does not hinder the next formula', () => {
    expect(problemOf('((1')).toEqual({
      problem: 'syntax',
      message: 'Expected ")", not end of the formula.',
      offset: 3,
    });
    expect(resultOf('1')).toBe('1');
  });
});
