import {
  amount,
  appliedBy,
  calculated,
  cart,
  including,
  percent,
  products,
  redeemables,
  units,
  voucher,
} from '../calculation.fixture';
import type { GiftIncentive, Redeemable } from '../redeemable';
import { order, refusalOf } from './payment.fixture';

const gift = (fields: GiftIncentive['gift'], more: Partial<Redeemable> = {}) =>
  voucher('CARD', { gift: fields }, more);

describe('gift cards (reference 01 §7)', () => {
  test.each([
    { name: 'the whole balance by default', card: { balance: 3000 }, used: 3000 },
    { name: 'at most what is open', card: { balance: 8000 }, used: 5000 },
    { name: 'what was wanted', card: { balance: 3000, credits: 1200 }, used: 1200 },
    { name: 'all of it at once', card: { balance: 3000, credits: 3000 }, used: 3000 },
    { name: 'what other sessions left', card: { balance: 3000, locked: 1000 }, used: 2000 },
    {
      name: 'wanted up to what other sessions left',
      card: { balance: 3000, locked: 1000, credits: 2000 },
      used: 2000,
    },
    { name: 'wanted above the open total', card: { balance: 8000, credits: 6000 }, used: 5000 },
  ])('use $name', ({ card, used }) => {
    const calculation = calculated(order, [gift(card)]);
    expect(calculation.order).toMatchObject({ discount_amount: used, total_amount: 5000 - used });
    expect(calculation.redeemables[0]).toMatchObject({
      result: { gift: { balance: card.balance, credits: used } },
    });
    expect(calculation.consumption.credits).toEqual([{ id: 'CARD', credits: used }]);
  });

  test.each([
    ['one credit more than the balance', { balance: 3000, credits: 3001 }],
    ['one credit more than other sessions left', { balance: 3000, locked: 1000, credits: 2001 }],
    ['any credit when more is locked than there is', { balance: 3000, locked: 4000, credits: 1 }],
  ])('refuse %s', (_, card) => {
    expect(refusalOf(calculated(order, [gift(card)]))).toEqual({
      refused: 'gift_amount_exceeded',
      details: 'CARD',
    });
  });

  test('nothing used is nothing booked', () => {
    const calculation = calculated(cart({ amount: 0 }), [gift({ balance: 100 })]);
    expect(calculation.redeemables[0]).toMatchObject({ result: { gift: { balance: 100, credits: 0 } } });
    expect(calculation.consumption.credits).toEqual([]);
  });

  test('need an order with an amount', () => {
    expect(refusalOf(calculated(null, [gift({ balance: 100 })]))).toEqual({
      refused: 'missing_order',
      details: 'Order is required to redeem this GIFT_VOUCHER',
    });
    expect(refusalOf(calculated(cart({}), [gift({ balance: 100 })]))).toEqual({
      refused: 'missing_amount',
      details: 'Order amount is required to redeem this GIFT_VOUCHER',
    });
  });
});

describe('gift cards on items (reference 01 §7)', () => {
  const lines = cart({
    items: [
      { product_id: 'mug', price: 1000, quantity: 2 },
      { product_id: 'cup', price: 500 },
    ],
  });
  const onItems = (balance: number, more: Partial<Redeemable> = {}) =>
    gift({ balance, effect: 'APPLY_TO_ITEMS' }, more);

  test.each([
    [1500, [1500, undefined]],
    [2000, [2000, undefined]],
    [2001, [2000, 1]],
    [9000, [2000, 500]],
  ])('%i credits are used on the lines in sequence', (balance, discounts) => {
    const { order: after } = calculated(lines, [onItems(balance)]);
    expect(after?.items.map((line) => line.discount_amount)).toEqual(discounts);
    expect(after?.discount_amount).toBeUndefined();
  });

  test.each([
    ['whose products take one discount only', { redeemables_products_application_mode: 'ONCE' } as const],
    ['that are discounted in full', {}],
  ])('lines %s leave it without effect, and nothing is spent', (_, settings) => {
    const earlier = voucher('ALL', { discount: percent(100, { effect: 'APPLY_TO_ITEMS' }) });
    const calculation = calculated(lines, [earlier, onItems(500)], settings);
    expect(calculation.redeemables[1]).toMatchObject({
      status: 'APPLICABLE',
      result: { gift: { balance: 500, credits: 0 } },
    });
    expect(calculation.consumption.credits).toEqual([]);
    const skipping = { ...settings, redeemables_no_effect_rule: 'SKIP' as const };
    expect(calculated(lines, [earlier, onItems(500)], skipping).redeemables[1]).toMatchObject({
      status: 'SKIPPED',
      reason: 'no_effect',
    });
  });

  test('units that are free leave it without effect too', () => {
    const free = voucher('FREE', { discount: units('ADD_MISSING_ITEMS', 2, 'mug') });
    const onMugs = onItems(500, { scope: including(...products('mug')) });
    expect(calculated(lines, [free, onMugs]).redeemables[1]).toMatchObject({
      status: 'APPLICABLE',
      result: { gift: { credits: 0 } },
    });
  });

  test('only covered lines are paid for', () => {
    const calculation = calculated(lines, [onItems(9000, { scope: including(...products('cup')) })]);
    expect(calculation.order?.items.map((line) => line.discount_amount)).toEqual([undefined, 500]);
    expect(calculation.consumption.credits).toEqual([{ id: 'CARD', credits: 500 }]);
  });

  test('a unit limit leaves the share of the covered units', () => {
    const scope = including({ object: 'product', id: 'mug', quantity_limit: 1 });
    const { order: after } = calculated(lines, [onItems(9000, { scope })]);
    expect(after?.items[0]?.discount_amount).toBe(1000);
  });

  test.each([
    ['of the line', { amount_limit: 300 }],
    ['of the definition', { aggregated_amount_limit: 300 }],
  ])('a limit %s leaves the rest on the card (reference 01 §6)', (_, limit) => {
    const scope = including({ object: 'product', id: 'mug', ...limit }, ...products('cup'));
    const calculation = calculated(lines, [onItems(9000, { scope })]);
    expect(calculation.order?.items.map((line) => line.discount_amount)).toEqual([300, 500]);
    expect(calculation.consumption.credits).toEqual([{ id: 'CARD', credits: 800 }]);
  });

  test('no line counts units as discounted', () => {
    const { order: after } = calculated(lines, [onItems(9000)]);
    expect(after?.items[0]).not.toHaveProperty('discount_quantity');
  });

  test('never more than is left of the order', () => {
    const calculation = calculated(lines, [...redeemables(amount(2400)), onItems(9000)]);
    expect(appliedBy(calculation)).toEqual([2400, 100]);
  });

  test('a line that takes nothing is passed over', () => {
    const free = cart({ items: [{ price: 0 }, { price: 700 }] });
    expect(calculated(free, [onItems(500)]).order?.items.map((line) => line.discount_amount)).toEqual([
      undefined,
      500,
    ]);
  });

  test.each([
    ['no items', cart({ amount: 1000 }), {}, 'missing_order_items'],
    ['no covered item', lines, { scope: including(...products('hat')) }, 'missing_order_items_amount'],
    ['no price', cart({ amount: 10, items: [{ product_id: 'mug' }] }), {}, 'missing_order_items_amount'],
  ])('are refused with %s', (_, cartOf, more, refused) => {
    expect(refusalOf(calculated(cartOf, [onItems(100, more)]))).toMatchObject({
      refused,
      details: expect.stringMatching(
        /^(Order items are|At least one applicable order item with amount is) required to redeem this GIFT_VOUCHER$/,
      ),
    });
  });
});
