import { holds, line, order, resultOf } from './evaluation.fixture';

/** A line of which only the amount is known, as callers tell it. */
const average = (amount: number, quantity: number) =>
  line({ price: amount / quantity, amount, subtotal: amount, quantity });

describe('a unit price that is no integer of minor units (reference 01 §2, §3)', () => {
  it('is amount ÷ quantity, and no binary fraction', () => {
    const third = { line: average(1_000, 3) };
    expect(resultOf('ORDER_ITEM_PRICE', third)).toBe('3.333333333333333333333333');
    expect(resultOf('FLOOR(ORDER_ITEM_PRICE * 3)', third)).toBe('10');
    expect(holds('ORDER_ITEM_PRICE * 3 = ORDER_ITEM_AMOUNT', third)).toBe(true);
    expect(holds('ORDER_ITEM_PRICE * 3 >= 10', third)).toBe(true);
  });

  it('is so for the cheapest and the most expensive line', () => {
    const lines = { order: order({ lines: [average(2_000, 3), average(1_000, 3)] }) };
    expect(holds('CHEAPEST_ORDER_ITEM_PRICE * 3 = 10', lines)).toBe(true);
    expect(holds('MOST_EXPENSIVE_ORDER_ITEM_PRICE * 3 = 20', lines)).toBe(true);
  });

  it('is a price like any other where the amount is unknown', () => {
    expect(resultOf('ORDER_ITEM_PRICE', { line: line({ price: 12.5, amount: undefined }) })).toBe('0.125');
  });

  it('an integer is the price itself, whatever the line costs', () => {
    expect(resultOf('ORDER_ITEM_PRICE', { line: line({ price: 500, amount: 999, quantity: 3 }) })).toBe('5');
  });
});
