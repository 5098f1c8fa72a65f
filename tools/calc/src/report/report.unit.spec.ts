import { stripVTControlCharacters } from 'node:util';
import { createColors } from 'picocolors';
import { type Draft, amountOff, calculated, oneRule } from '../calc.fixture';
import { reportOf } from './report';
import { majorUnits, plainStyle } from './style';

const report = (file: Draft): string => reportOf(calculated(file), plainStyle);

describe('amounts', () => {
  it.each([
    [0, '0.00'],
    [5, '0.05'],
    [99, '0.99'],
    [100, '1.00'],
    [123456, '1234.56'],
    [-5, '-0.05'],
    [-1999, '-19.99'],
    [Number.MAX_SAFE_INTEGER, '90071992547409.91'],
  ])('%i is %s', (amount, text) => {
    expect(majorUnits(amount)).toBe(text);
  });
});

const everything: Draft = {
  order: {
    items: [
      { product_id: 'prod_cup', quantity: 2, price: 1200 },
      { sku_id: 'sku_red', quantity: 1 },
      { source_id: 'bag', related_object: 'product', quantity: 1 },
      { amount: 500 },
    ],
  },
  customer: { segments: ['seg_new'] },
  catalogue: {
    products: [{ id: 'prod_shirt', name: 'Shirt' }],
    skus: [{ id: 'sku_red', product_id: 'prod_shirt', sku: 'red', price: 2000 }],
  },
  stacking_rules: { redeemables_application_mode: 'PARTIAL', applicable_redeemables_limit: 6 },
  redeemables: [
    amountOff('VIP', 100, {
      validation_rules: [
        oneRule(
          'customer.segment',
          { $is: ['seg_vip'] },
          {
            error: { message: 'VIPs only' },
            bundle_rules: {
              '1': {
                name: 'order.items.any',
                conditions: { $is: [{ object: 'product', id: 'prod_hat', type: 'product_or_sku' }] },
                rules: {
                  '1': { name: 'order.items.aggregated_quantity', conditions: { $is: [2] } },
                  logic: '1',
                },
              },
              logic: '1',
            },
          },
        ),
        {
          id: 'val_2',
          name: 'Member',
          rules: {
            '1': { name: 'redemption.user.login', conditions: {} },
            '2': { name: 'customer.metadata', property: 'city', conditions: { $is: ['Gdynia'] } },
          },
        },
      ],
    }),
    {
      object: 'voucher',
      id: 'CUPS',
      campaign_id: 'camp_1',
      discount: { type: 'PERCENT', percent_off: 12.5 },
      validation_rules: [
        {
          name: 'Cups',
          applicable_to: {
            included: [
              {
                object: 'product',
                id: 'prod_cup',
                target: 'UNIT',
                skip_initially: 1,
                product_campaign_quantity_limit: 9,
              },
              { object: 'product', id: 'prod_hat' },
            ],
          },
        },
      ],
    },
    {
      object: 'promotion_tier',
      id: 'promo_pair',
      discount: { type: 'FIXED', fixed_amount: 4000, effect: 'APPLY_TO_ORDER' },
      validation_rules: [
        {
          name: 'Pair',
          bundle_rules: {
            '1': {
              name: 'order.items.any',
              conditions: { $is: [{ object: 'product', id: 'prod_cup', type: 'product_or_sku' }] },
              rules: {
                '1': { name: 'order.items.aggregated_quantity', conditions: { $is: [2] } },
                logic: '1',
              },
            },
            logic: '1',
            limit: 3,
          },
        },
      ],
    },
    {
      object: 'voucher',
      id: 'MORE',
      discount: {
        type: 'UNIT',
        effect: 'ADD_MANY_ITEMS',
        units: [{ unit_type: 'prod_cup', unit_off: 1, effect: 'ADD_NEW_ITEMS' }],
      },
    },
    { object: 'voucher', id: 'GIFT', gift: { balance: 5000, credits: 700 } },
    {
      object: 'voucher',
      id: 'CARD',
      loyalty_card: { balance: 50 },
      reward: { type: 'COIN', parameters: { coin: { exchange_ratio: 1, points_ratio: 10 } } },
    },
    {
      object: 'voucher',
      id: 'NOTHING',
      discount: { type: 'AMOUNT', amount_off: 0, amount_off_formula: 'ORDER_AMOUNT - ORDER_AMOUNT' },
    },
    amountOff('LAST', 100),
  ],
};

const expected = `1. voucher VIP  INAPPLICABLE  customer_rules_violated
   customer does not match validation rules
   Discount Coupon cannot be redeemed because of violated validation rules: val_1, val_2
   text of the rule: VIPs only
   val_1 rule 1: customer.segment $is ["seg_vip"], found ["seg_new"]
   val_1: its bundle is not in the order
   val_2 rule 1: redemption.user.login has nothing to look at, found null
   val_2 rule 2: customer.metadata 'city' $is ["Gdynia"], found null
   bundle: found nothing; missing 2 x product prod_hat

2. voucher CUPS  APPLICABLE  1.50 off, 47.50 left
   PERCENT 12.5 %, APPLY_TO_ITEMS
   product prod_cup covers line 0 unit 2
   line  item      units  price  amount  discounted  discount  subtotal
      0  prod_cup      2  12.00   24.00           1      1.50     22.50

3. promotion_tier promo_pair  APPLICABLE  7.50 off, 40.00 left
   FIXED 40.00, APPLY_TO_ORDER
   bundle: found 1 of at most 3: 2 x prod_cup (line 0)
   off the order: 7.50

4. voucher MORE  APPLICABLE  12.00 off, 40.00 left
   UNIT 1 x prod_cup, ADD_MANY_ITEMS
   line  item      units  added  price  amount  discounted  discount  subtotal
      0  prod_cup      3     +1  12.00   36.00           1     12.00     22.50

5. voucher GIFT  APPLICABLE  7.00 off, 33.00 left
   gift card: 7.00 of 50.00 used
   off the order: 7.00

6. voucher CARD  APPLICABLE  5.00 off, 28.00 left
   loyalty card: 50 points used
   off the order: 5.00

7. voucher NOTHING  APPLICABLE  0.00 off, 28.00 left
   AMOUNT 0.00, APPLY_TO_ORDER, by formula

8. voucher LAST  SKIPPED  applicable_redeemables_limit_exceeded
   Applicable redeemables limit exceeded

The order
   line  item              units  added  price  amount  discounted  discount  subtotal
      0  prod_cup              3     +1  12.00   36.00           2     13.50     22.50
      1  Shirt / red           1      0  20.00   20.00           0      0.00     20.00
      2  bag                   1      0      ?       ?           0         ?         ?
      3  (without a name)      1      0      ?    5.00           0      0.00      5.00
   initial amount   49.00
   amount           61.00
   off the items   -13.50
   off the order   -19.50
   total            28.00

Valid.
A redemption would book
   7.00 credits of GIFT
   50 points of CARD
   1 unit of product:prod_cup for product_campaign_quantity_limit of camp_1
`;

describe('the report', () => {
  it('says what became of each redeemable, and why', () => {
    expect(report(everything)).toBe(expected);
  });

  it('is the same text in colours', () => {
    const coloured = reportOf(calculated(everything), { ...plainStyle, colours: createColors(true) });
    expect(coloured).not.toBe(expected);
    expect(stripVTControlCharacters(coloured)).toBe(expected);
    const { bold, red, yellow, green, dim } = createColors(true);
    expect(coloured).toContain(`${bold('1. voucher VIP')}  ${red('INAPPLICABLE')}  customer`);
    expect(coloured).toContain(`${bold('2. voucher CUPS')}  ${green('APPLICABLE')}  1.50 off`);
    expect(coloured).toContain(`${bold('8. voucher LAST')}  ${yellow('SKIPPED')}  applicable`);
    expect(coloured).toContain(
      `\n${bold('The order')}\n   ${dim('line  item              units  added  price  amount  discounted  discount  subtotal')}\n`,
    );
    expect(coloured).toContain(`\n${green('Valid.')}\n`);
  });

  it('without an order has no amounts', () => {
    expect(report({ redeemables: [amountOff('A', 100)] })).toBe(`1. voucher A  APPLICABLE
   AMOUNT 1.00, APPLY_TO_ORDER

Valid.
`);
  });

  it('of an order without amounts has none', () => {
    expect(report({ order: { items: [] }, redeemables: [amountOff('A', 100)] })).toBe(
      `1. voucher A  APPLICABLE
   AMOUNT 1.00, APPLY_TO_ORDER

The order

Valid.
`,
    );
  });

  it('of what is not valid has no order and books nothing', () => {
    const redeemables = [
      { object: 'voucher', id: 'GIFT', gift: { balance: 500 } },
      amountOff('OFF', 100, { active: false }),
      amountOff('NEXT', 100),
    ];
    expect(report({ order: { amount: 1000 }, redeemables }))
      .toBe(`1. voucher GIFT  APPLICABLE  5.00 off, 5.00 left
   gift card: 5.00 of 5.00 used
   off the order: 5.00

2. voucher OFF  INAPPLICABLE  voucher_disabled
   voucher is disabled
   OFF

3. voucher NEXT  SKIPPED  preceding_validation_failed
   Redeemable cannot be applied due to preceding validation failure

Not valid: nothing would be redeemed.
`);
  });

  it('lists units of a collection once, and lines without their units where there are too many', () => {
    const file = (quantity: number): Draft => ({
      order: {
        items: [
          { product_id: 'prod_a', quantity, price: 100 },
          { product_id: 'prod_b', price: 100 },
        ],
      },
      catalogue: { collections: [{ id: 'pc_1', products: ['prod_a'] }] },
      redeemables: [
        amountOff('A', 10, {
          validation_rules: [
            {
              name: 'Scope',
              applicable_to: {
                included: [
                  { object: 'products_collection', id: 'pc_1' },
                  { object: 'product', id: 'prod_b' },
                ],
              },
            },
          ],
        }),
      ],
    });
    const covers = (text: string) => text.split('\n').filter((line) => line.includes(' covers '));
    expect(covers(report(file(2)))).toEqual([
      '   products_collection pc_1 covers line 0 units 1, 2',
      '   product prod_b covers line 1 unit 1',
    ]);
    expect(covers(report(file(1000)))).toEqual([
      '   products_collection pc_1 covers line 0',
      '   product prod_b covers line 1',
    ]);
  });
});
