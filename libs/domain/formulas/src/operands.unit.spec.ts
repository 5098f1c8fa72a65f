import type { FormulaContext } from './context';
import { formulaOf, holds, line, order, resultOf } from './evaluation.fixture';
import { metadataOperands, operands } from './operands';

const cheap = line({
  price: 1_000,
  amount: 4_000,
  subtotal: 3_500,
  quantity: 4,
  metadata: { shelf: 1 },
  productMetadata: { weight: 10 },
});
const current = line({ metadata: { shelf: 2 }, productMetadata: { weight: 20 } });
const dear = line({
  price: 9_999,
  amount: 9_999,
  subtotal: 9_000,
  quantity: 1,
  metadata: { shelf: 3 },
  productMetadata: { weight: 30 },
});

const everything: Partial<FormulaContext> = {
  order: order({ lines: [current, cheap, dear], metadata: { gift: 5 }, bundleQuantity: 3 }),
  line: current,
  customer: { metadata: { age: 41 }, birthdate: '1985-04-01' },
  redeemableMetadata: { level: 6 },
  redemptionMetadata: { till: 7 },
  publicationMetadata: { channel: 8 },
  voucher: {
    redemptionQuantity: 100,
    redeemedQuantity: 12,
    publishCount: 3,
    startDate: '2026-01-02T00:00:00Z',
    expirationDate: '2026-12-30T23:30:00.000Z',
  },
  promotionTier: { startDate: '2026-02-03', expirationDate: '2026-11-28T12:00:00Z' },
};

const numbers: [string, string][] = [
  ['ORDER_AMOUNT', '465'],
  ['ORDER_ITEMS_QUANTITY', '3'],
  ['ORDER_UNITS_QUANTITY', '7'],
  ['ORDER_BUNDLE_QUANTITY', '3'],
  ['ORDER_ITEM_PRICE', '65'],
  ['ORDER_ITEM_AMOUNT', '130'],
  ['ORDER_ITEM_SUBTOTAL', '120'],
  ['ORDER_ITEM_UNITS_QUANTITY', '2'],
  ['CHEAPEST_ORDER_ITEM_PRICE', '10'],
  ['CHEAPEST_ORDER_ITEM_AMOUNT', '40'],
  ['CHEAPEST_ORDER_ITEM_SUBTOTAL', '35'],
  ['CHEAPEST_ORDER_ITEM_UNITS_QUANTITY', '4'],
  ['MOST_EXPENSIVE_ORDER_ITEM_PRICE', '99.99'],
  ['MOST_EXPENSIVE_ORDER_ITEM_AMOUNT', '99.99'],
  ['MOST_EXPENSIVE_ORDER_ITEM_SUBTOTAL', '90'],
  ['MOST_EXPENSIVE_ORDER_ITEM_UNITS_QUANTITY', '1'],
  ['VOUCHER_REDEMPTION_QUANTITY', '100'],
  ['VOUCHER_REDEEMED_QUANTITY', '12'],
  ['VOUCHER_PUBLISH_COUNT', '1'],
];

const attributes: [string, string][] = [
  ['ORDER_METADATA("gift")', '5'],
  ['ORDER_ITEM_METADATA("shelf")', '2'],
  ['ORDER_ITEM_PRODUCT_METADATA("weight")', '20'],
  ['CHEAPEST_ORDER_ITEM_METADATA("shelf")', '1'],
  ['CHEAPEST_ORDER_ITEM_PRODUCT_METADATA("weight")', '10'],
  ['MOST_EXPENSIVE_ORDER_ITEM_METADATA("shelf")', '3'],
  ['MOST_EXPENSIVE_ORDER_ITEM_PRODUCT_METADATA("weight")', '30'],
  ['CUSTOMER_METADATA("age")', '41'],
  ['REDEEMABLE_METADATA("level")', '6'],
  ['REDEMPTION_METADATA("till")', '7'],
  ['PUBLICATION_METADATA("channel")', '8'],
];

const dates: [string, string][] = [
  ['VOUCHER_START_DATE', '2026-01-02'],
  ['VOUCHER_EXPIRATION_DATE', '2026-12-31'],
  ['PROMOTION_TIER_START_DATE', '2026-02-03'],
  ['PROMOTION_TIER_EXPIRATION_DATE', '2026-11-28'],
  ['CUSTOMER_BIRTHDATE', '1985-04-01'],
  ['NOW', '2026-03-31'],
  ['TODAY', '2026-03-31'],
];

describe('operands', () => {
  it.each([...numbers, ...attributes])('%s is %s', (name, value) => {
    expect(resultOf(name, everything)).toBe(value);
  });

  it.each(dates)('%s is %s', (name, day) => {
    expect(holds(`${name} DATE_IS "${day}"`, everything)).toBe(true);
    expect(formulaOf(`YEAR(${name})`).readsLine).toBe(false);
  });

  it('are all of the above', () => {
    const names = [...numbers, ...attributes, ...dates].map(([name]) => name.replace(/\(.*/, ''));
    expect([...operands.keys(), ...metadataOperands.keys()].sort()).toEqual(names.sort());
  });

  it.each([...numbers, ...attributes].map(([name]) => name))('%s fails where there is nothing', (name) => {
    expect(resultOf(name)).toBeNull();
  });

  it.each(dates.map(([name]) => name).filter((name) => name !== 'NOW' && name !== 'TODAY'))(
    '%s fails where there is nothing',
    (name) => {
      expect(resultOf(`DAYS_SINCE(${name})`)).toBeNull();
    },
  );

  it.each([...numbers, ...attributes])('%s is looked up under its name: %s', (name) => {
    const formula = formulaOf(name);
    expect(formula.operands).toEqual(new Set([name.replace(/\(.*/, '')]));
    expect(formula.readsLine).toBe(name.startsWith('ORDER_ITEM_'));
  });

  it('has the spelling order.bundle.quantity', () => {
    expect(resultOf('order.bundle.quantity * 5', everything)).toBe('15');
    expect(formulaOf('order.bundle.quantity').operands).toEqual(new Set(['ORDER_BUNDLE_QUANTITY']));
  });
});

describe('values that are missing', () => {
  it.each([
    ['ORDER_AMOUNT', { order: order({ amount: undefined }) }],
    ['ORDER_BUNDLE_QUANTITY', { order: order() }],
    ['ORDER_ITEM_PRICE', { line: line({ price: undefined }) }],
    ['ORDER_ITEM_AMOUNT', { line: line({ amount: undefined }) }],
    ['ORDER_ITEM_SUBTOTAL', { line: line({ subtotal: undefined }) }],
    ['VOUCHER_REDEMPTION_QUANTITY', { voucher: { ...everything.voucher!, redemptionQuantity: null } }],
    ['DAYS_SINCE(VOUCHER_START_DATE)', { voucher: { ...everything.voucher!, startDate: null } }],
    ['DAYS_SINCE(VOUCHER_EXPIRATION_DATE)', { voucher: { ...everything.voucher!, expirationDate: null } }],
    ['DAYS_SINCE(VOUCHER_START_DATE)', { voucher: { ...everything.voucher!, startDate: 'soon' } }],
    ['DAYS_SINCE(PROMOTION_TIER_START_DATE)', { promotionTier: { startDate: null, expirationDate: null } }],
    ['DAYS_SINCE(CUSTOMER_BIRTHDATE)', { customer: { metadata: {}, birthdate: null } }],
    ['DAYS_SINCE(CUSTOMER_BIRTHDATE)', { customer: { metadata: {}, birthdate: '1985' } }],
    ['ORDER_AMOUNT', { order: order({ amount: NaN }) }],
    ['ORDER_AMOUNT', { order: order({ amount: Infinity }) }],
    ['ORDER_UNITS_QUANTITY', { order: order({ lines: [line({ quantity: NaN })] }) }],
  ] satisfies [string, Partial<FormulaContext>][])('fail: %s', (text, fields) => {
    expect(resultOf(text, fields)).toBeNull();
  });

  it('are not 0', () => {
    expect(resultOf('ORDER_AMOUNT', { order: order({ amount: 0 }) })).toBe('0');
    expect(resultOf('ORDER_UNITS_QUANTITY', { order: order() })).toBe('0');
    expect(resultOf('ORDER_ITEMS_QUANTITY', { order: order() })).toBe('0');
  });
});

describe('vouchers and customers', () => {
  it.each([
    [0, '0'],
    [1, '1'],
    [2, '1'],
  ])('published %d times counts %s', (publishCount, count) => {
    expect(resultOf('VOUCHER_PUBLISH_COUNT', { voucher: { ...everything.voucher!, publishCount } })).toBe(
      count,
    );
  });

  it('a birthdate is a day wherever the project is', () => {
    const customer = { metadata: {}, birthdate: '1985-04-01T23:00:00Z' };
    expect(resultOf('DAY_OF_MONTH(CUSTOMER_BIRTHDATE)', { customer })).toBe('1');
    expect(resultOf('YEARS_SINCE(CUSTOMER_BIRTHDATE)', { customer })).toBe('40');
  });

  it('today is the day of the project', () => {
    const now = new Date('2026-03-31T22:00:00Z');
    expect(resultOf('DAY_OF_MONTH(TODAY)', { now })).toBe('1');
    expect(resultOf('DAY_OF_MONTH(TODAY)', { now, timezone: 'UTC' })).toBe('31');
  });
});

describe('the cheapest and the most expensive line', () => {
  const first = line({ price: 500, subtotal: 900, quantity: 1 });
  const lower = line({ price: 500, subtotal: 800, quantity: 2 });
  const later = line({ price: 500, subtotal: 800, quantity: 3 });
  const unknown = line({ price: undefined, subtotal: 1, quantity: 4 });
  const open = line({ price: 500, subtotal: undefined, quantity: 5 });
  const replaced = line({ price: 500, subtotal: 0, quantity: 0 });

  it.each([
    ['the lowest subtotal among equal prices', [first, lower], '2'],
    ['the lowest subtotal wherever it stands', [lower, first], '2'],
    ['the first among equals', [lower, later], '2'],
    ['the first among equals in any order', [later, lower], '3'],
    ['no line without a price', [unknown, first], '1'],
    ['no line whose units were all replaced', [replaced, first], '1'],
    ['a known subtotal before an unknown one', [open, first], '1'],
    ['the only line', [open], '5'],
  ])('is %s', (_, lines, quantity) => {
    const fields = { order: order({ lines }) };
    expect(resultOf('CHEAPEST_ORDER_ITEM_UNITS_QUANTITY', fields)).toBe(quantity);
    expect(resultOf('MOST_EXPENSIVE_ORDER_ITEM_UNITS_QUANTITY', fields)).toBe(quantity);
  });

  it('is looked for by unit price, not by subtotal', () => {
    const low = line({ price: 100, subtotal: 9_000 });
    const high = line({ price: 200, subtotal: 9_000 });
    const lowForLittle = line({ price: 100, subtotal: 10 });
    const highForLittle = line({ price: 200, subtotal: 10 });
    for (const lines of [
      [low, highForLittle],
      [highForLittle, low],
      [lowForLittle, high],
      [high, lowForLittle],
    ]) {
      expect(resultOf('CHEAPEST_ORDER_ITEM_PRICE', { order: order({ lines }) })).toBe('1');
      expect(resultOf('MOST_EXPENSIVE_ORDER_ITEM_PRICE', { order: order({ lines }) })).toBe('2');
    }
  });

  it('is none where no line has a price', () => {
    expect(resultOf('CHEAPEST_ORDER_ITEM_UNITS_QUANTITY', { order: order({ lines: [unknown] }) })).toBeNull();
    expect(resultOf('MOST_EXPENSIVE_ORDER_ITEM_UNITS_QUANTITY', { order: order() })).toBeNull();
  });

  it('is looked for once for each order', () => {
    let walks = 0;
    const lines = [line({ price: 300 })];
    const watched = Object.defineProperty({ ...order() }, 'lines', {
      get: () => {
        walks += 1;
        return lines;
      },
    });
    expect(resultOf('CHEAPEST_ORDER_ITEM_PRICE + 1', { order: watched })).toBe('4');
    expect(resultOf('CHEAPEST_ORDER_ITEM_PRICE + 2', { order: watched })).toBe('5');
    expect(walks).toBe(1);
    expect(resultOf('CHEAPEST_ORDER_ITEM_PRICE', { order: order({ lines: [line({ price: 700 })] }) })).toBe(
      '7',
    );
  });
});

describe('metadata', () => {
  const metadata = {
    plain: 1,
    nested: { value: 2, deeper: { value: 3 }, 'with.dot': 4 },
    'nested.value': 5,
    'a.b': 6,
    list: [7],
    nothing: null,
    'null.key': null,
    null: { key: 8 },
    broken: NaN,
    endless: 1e101,
    large: 1e100,
  };

  it.each([
    ['plain', '1'],
    ['nested.deeper.value', '3'],
    ['nested.value', '5'],
    ['a.b', '6'],
    ['null.key', null],
    ['nested.missing', null],
    ['nested.deeper.value.more', null],
    ['missing.value', null],
    ['nested', null],
    ['nothing', null],
    ['nothing.inside', null],
    ['list', null],
    ['list.0', null],
    ['list.length', null],
    ['plain.toFixed', null],
    ['constructor', null],
    ['__proto__', null],
    ['constructor.length', null],
    ['nested.with.dot', null],
    ['broken', null],
    ['endless', null],
    ['large', `1${'0'.repeat(100)}`],
  ])('"%s" is %s', (key, value) => {
    expect(resultOf(`ORDER_METADATA("${key}")`, { order: order({ metadata }) })).toBe(value);
  });
});
