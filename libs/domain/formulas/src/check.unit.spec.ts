import { problemOf, resultOf } from './evaluation.fixture';

describe('names', () => {
  it.each([
    ['1 + order_amount', 'There is no operand or function "order_amount".', 4],
    ['FOO(1)', 'There is no operand or function "FOO".', 0],
    ['order.bundle.price', 'There is no operand or function "order.bundle.price".', 0],
    ['toString', 'There is no operand or function "toString".', 0],
    ['__proto__', 'There is no operand or function "__proto__".', 0],
    ['MIN(1;x2)', 'There is no operand or function "x2".', 6],
  ])('must be known: %s', (text, message, offset) => {
    expect(problemOf(text)).toEqual({ problem: 'unknown_name', message, offset });
  });
});

describe('arguments', () => {
  it.each([
    ['POW(2)', 'POW takes 2 arguments, not 1.', 0],
    ['POW(2;3;4)', 'POW takes 2 arguments, not 3.', 0],
    ['1 + POW', 'POW takes 2 arguments, not 0.', 4],
    ['MONTH()', 'MONTH takes 1 argument, not 0.', 0],
    ['MIN()', 'MIN takes at least 1 argument, not 0.', 0],
    ['DEFAULT_TO(1)', 'DEFAULT_TO takes at least 2 arguments, not 1.', 0],
    ['ROUND()', 'ROUND takes 1 or 2 arguments, not 0.', 0],
    ['ROUND(1;2;3)', 'ROUND takes 1 or 2 arguments, not 3.', 0],
    ['IF(1 = 1;2)', 'IF takes 3 arguments, not 2.', 0],
    ['IF(IS_AFTER(NOW);1;2)', 'IS_AFTER takes 2 arguments, not 1.', 3],
    ['ORDER_AMOUNT("key")', 'ORDER_AMOUNT takes nothing in brackets.', 0],
    ['1 + order.bundle.quantity(1)', 'order.bundle.quantity takes nothing in brackets.', 4],
    ['1 + ORDER_METADATA', 'ORDER_METADATA takes a key in quotes: ORDER_METADATA("key").', 4],
    ['ORDER_METADATA()', 'ORDER_METADATA takes a key in quotes: ORDER_METADATA("key").', 0],
    ['ORDER_METADATA("")', 'ORDER_METADATA takes a key in quotes: ORDER_METADATA("key").', 0],
    ['ORDER_METADATA(1)', 'ORDER_METADATA takes a key in quotes: ORDER_METADATA("key").', 0],
    ['ORDER_METADATA("a";"b")', 'ORDER_METADATA takes a key in quotes: ORDER_METADATA("key").', 0],
    ['YEAR(DATE("2026-02-29"))', 'DATE needs a day written YYYY-MM-DD.', 10],
    ['YEAR(DATE("31.03.2026"))', 'DATE needs a day written YYYY-MM-DD.', 10],
    ['YEAR(DATE("2026-03-31T00:00:00Z"))', 'DATE needs a day written YYYY-MM-DD.', 10],
    [
      'YEAR(DATE_TIME("2026-03-31T25:00:00Z"))',
      'DATE_TIME needs an instant written YYYY-MM-DDTHH:mm:ssZ.',
      15,
    ],
  ])('must be as many and such as the name takes: %s', (text, message, offset) => {
    expect(problemOf(text)).toEqual({ problem: 'wrong_arguments', message, offset });
  });

  it('may be an empty pair of brackets where nothing is taken', () => {
    expect(resultOf('YEAR(TODAY())')).toBe('2026');
  });
});

describe('types that no data can make right', () => {
  it.each([
    ['"a" * 2', '"*" needs a number, not a text.', 0],
    ['2 * "a"', '"*" needs a number, not a text.', 4],
    ['1 + (2 > 1)', '"+" needs a number, not a condition.', 5],
    ['-"a"', '"-" needs a number, not a text.', 1],
    ['-TODAY', '"-" needs a number, not a date.', 1],
    ['MIN(1;2;"a")', 'MIN needs a number, not a text.', 8],
    ['ROUND("a";1)', 'ROUND needs a number, not a text.', 6],
    ['IF(1;2;3)', 'IF needs a condition, not a number.', 3],
    ['IF(1 = 1 AND 2;2;3)', '"AND" needs a condition, not a number.', 13],
    ['IF(TODAY > NOW;1;2)', '">" needs a number, not a date.', 3],
    ['IF("a" >= 1;1;2)', '">=" needs a number, not a text.', 3],
    ['IF(1 startsWith "a";1;2)', '"startsWith" needs a text, not a number.', 3],
    ['IF("a" IN_ARRAY 1;1;2)', '"IN_ARRAY" needs a text, not a number.', 16],
    ['IF(TODAY contains "a";1;2)', '"contains" needs a text, not a date.', 3],
    ['IF(NOW IS_AFTER 1;1;2)', '"IS_AFTER" needs a date, not a number.', 16],
    ['IF(IS_BEFORE(1;NOW);1;2)', 'IS_BEFORE needs a date, not a number.', 13],
    ['MONTH(1)', 'MONTH needs a date, not a number.', 6],
    ['YEAR(DATE(TODAY))', 'DATE needs a text, not a date.', 10],
    ['"a"', 'A formula results in a number, not a text.', 0],
    ['TODAY', 'A formula results in a number, not a date.', 0],
    [' 1 > 2', 'A formula results in a number, not a condition.', 1],
    ['SWITCH("a" + 1;SWITCH_CASE(1;2);3)', '"+" needs a number, not a text.', 7],
    ['SWITCH(1;SWITCH_CASE("a" + 1;2);3)', '"+" needs a number, not a text.', 21],
    ['SWITCH(1;SWITCH_CASE(1;"a" + 1);3)', '"+" needs a number, not a text.', 23],
    ['SWITCH(1;SWITCH_CASE(1;2);"a" + 1)', '"+" needs a number, not a text.', 26],
  ])('are refused: %s', (text, message, offset) => {
    expect(problemOf(text)).toEqual({ problem: 'wrong_type', message, offset });
  });

  it.each(['ORDER_METADATA("a") * 2', 'MONTH(ORDER_METADATA("a"))', 'IF(1 = 1;"a";2) + 1', 'MONTH("soon")'])(
    'are not suspected where data decide: %s',
    (text) => {
      expect(resultOf(text)).toBeNull();
    },
  );

  it('come in the order of the text, and only the first', () => {
    expect(problemOf('FOO + "a" * 2')).toMatchObject({ problem: 'unknown_name', offset: 0 });
    expect(problemOf('"a" * 2 + FOO')).toMatchObject({ problem: 'wrong_type', offset: 0 });
  });
});
