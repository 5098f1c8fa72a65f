import type { RedeemableVoucher } from '@scrip/contracts/campaigns';
import { type Refusal, isRefused } from '@scrip/kernel';
import { defaultStackingSettings, normaliseOrder } from '@scrip/order-calculation';
import { voucherKind as vouchers } from '../participants/voucher-kind';
import type { RedeemableKind } from '../participants/redeemable-kind';
import { amount, campaignOf, percent, redeemable } from '../redeemables.fixture';
import { type Candidate, type Evaluation, evaluate, unknownRedeemable } from './evaluate';

const voucherKind = vouchers as RedeemableKind;

type OrderInput = Parameters<typeof normaliseOrder>[0];

const orderOf = (sent: OrderInput) => {
  const order = normaliseOrder(sent);
  if (isRefused(order)) throw new Error(order.details);
  return order;
};

const voucher = (found: RedeemableVoucher): Candidate => ({
  requested: { object: 'voucher', id: found.voucher.code },
  kind: voucherKind,
  found,
});

const evaluated = (
  candidates: Candidate[],
  order: OrderInput | null = null,
  now = '2026-06-15T10:00:00.000Z',
  settings = defaultStackingSettings,
): Evaluation =>
  evaluate({
    candidates,
    order: order && orderOf(order),
    settings,
    now: new Date(now),
    timezone: 'Europe/Warsaw',
    usesAreClaimed: false,
    customerId: null,
  });

const refusalOf = (evaluation: Evaluation, index = 0): Refusal => {
  const { calculated } = evaluation.redeemables[index]!;
  if (calculated.status !== 'INAPPLICABLE') throw new Error(`is ${calculated.status}`);
  return calculated.refusal;
};

const statuses = ({ redeemables }: Evaluation) =>
  redeemables.map(({ calculated }) =>
    calculated.status === 'SKIPPED' ? calculated.reason : calculated.status,
  );

describe('worked examples of reference 03 §4.6', () => {
  it('1: 20 % and then 8000 off go on from what the step before left', () => {
    const { valid, redeemables, order } = evaluated(
      [
        voucher(redeemable('A', { discount: amount(100) })),
        voucher(redeemable('B', { discount: percent(20) })),
        voucher(redeemable('C', { discount: amount(8000) })),
      ],
      { amount: 200000 },
    );
    expect(valid).toBe(true);
    const steps = redeemables.map(({ calculated }) =>
      calculated.status === 'APPLICABLE'
        ? [
            calculated.order?.applied_discount_amount,
            calculated.order?.discount_amount,
            calculated.order?.total_amount,
          ]
        : null,
    );
    expect(steps).toEqual([
      [100, 100, 199900],
      [39980, 40080, 159920],
      [8000, 48080, 151920],
    ]);
    expect(order).toMatchObject({
      applied_discount_amount: 48080,
      discount_amount: 48080,
      total_amount: 151920,
    });
  });

  it('1: with INITIAL_AMOUNT the percentage is of the original amount', () => {
    const { order } = evaluated(
      [
        voucher(redeemable('A', { discount: amount(100) })),
        voucher(redeemable('B', { discount: percent(20) })),
        voucher(redeemable('C', { discount: amount(8000) })),
      ],
      { amount: 200000 },
      undefined,
      { ...defaultStackingSettings, discount_calculation_mode: 'INITIAL_AMOUNT' },
    );
    expect(order).toMatchObject({ discount_amount: 48100, total_amount: 151900 });
  });

  it('2: item discounts, then 40 % and 30 of what is left', () => {
    const { order } = evaluated(
      [
        voucher(redeemable('ITEMS', { discount: amount(1000, { effect: 'APPLY_TO_ITEMS' }) })),
        voucher(redeemable('HUNDRED', { discount: amount(100) })),
        voucher(redeemable('FORTY', { discount: percent(40) })),
        voucher(redeemable('THIRTY', { discount: amount(30) })),
      ],
      {
        items: [
          { amount: 2000, quantity: 1 },
          { amount: 700, quantity: 1 },
        ],
      },
    );
    expect(order).toMatchObject({ items_discount_amount: 1700, discount_amount: 490, total_amount: 510 });
  });
});

describe('checks of one voucher, reference 03 §4.3', () => {
  const day = { start_date: '2026-06-01T00:00:00.000Z', expiration_date: '2026-06-30T00:00:00.000Z' };
  it.each<[string, RedeemableVoucher, string, { refused: string; details: string }]>([
    [
      'before its start',
      redeemable('C', day),
      '2026-05-31T23:59:59.999Z',
      { refused: 'voucher_not_active', details: 'C' },
    ],
    [
      'after its end',
      redeemable('C', day),
      '2026-06-30T00:00:00.001Z',
      { refused: 'voucher_expired', details: 'C' },
    ],
    [
      'before its campaign’s start',
      redeemable('C', {}, campaignOf(day)),
      '2026-05-31T23:59:59.999Z',
      { refused: 'voucher_not_active', details: 'C' },
    ],
    [
      'after its campaign’s end',
      redeemable('C', {}, campaignOf(day)),
      '2026-06-30T00:00:00.001Z',
      { refused: 'voucher_expired', details: 'C' },
    ],
    [
      'disabled',
      redeemable('C', { active: false }),
      '2026-06-15T10:00:00.000Z',
      { refused: 'voucher_disabled', details: 'C' },
    ],
    [
      'of a disabled campaign',
      redeemable('C', {}, campaignOf({ active: false })),
      '2026-06-15T10:00:00.000Z',
      { refused: 'voucher_disabled', details: 'C' },
    ],
    [
      'on another weekday',
      redeemable('C', { validity_day_of_week: [0] }),
      '2026-06-15T10:00:00.000Z',
      { refused: 'voucher_not_active_now', details: 'C' },
    ],
    [
      'used up',
      redeemable('C', { redemption: { quantity: 2, redeemed_quantity: 2 } }),
      '2026-06-15T10:00:00.000Z',
      { refused: 'quantity_exceeded', details: 'C' },
    ],
  ])('refuses a voucher %s', (_, found, now, expected) => {
    const evaluation = evaluated([voucher(found)], { amount: 1000 }, now);
    expect(evaluation.valid).toBe(false);
    expect(refusalOf(evaluation)).toMatchObject(expected);
  });

  it.each([
    ['at its start', '2026-06-01T00:00:00.000Z'],
    ['at its end', '2026-06-30T00:00:00.000Z'],
  ])('admits a voucher %s', (_, now) => {
    expect(evaluated([voucher(redeemable('C', day))], { amount: 1000 }, now).valid).toBe(true);
  });

  it('leaves uses to the owner where they are claimed afterwards', () => {
    const used = redeemable('C', { redemption: { quantity: 2, redeemed_quantity: 2 } });
    const evaluation = evaluate({
      candidates: [voucher(used)],
      order: null,
      settings: defaultStackingSettings,
      now: new Date('2026-06-15T10:00:00.000Z'),
      timezone: 'Europe/Warsaw',
      usesAreClaimed: true,
      customerId: null,
    });
    expect(evaluation).toMatchObject({ valid: true });
  });

  it('admits the last use', () => {
    const last = redeemable('C', { redemption: { quantity: 2, redeemed_quantity: 1 } });
    expect(evaluated([voucher(last)], { amount: 1000 }).valid).toBe(true);
  });

  it('tells an expired voucher before a disabled or used up one', () => {
    const all = redeemable('C', { ...day, active: false, redemption: { quantity: 1, redeemed_quantity: 1 } });
    expect(refusalOf(evaluated([voucher(all)], null, '2026-07-01T00:00:00.000Z')).refused).toBe(
      'voucher_expired',
    );
    expect(refusalOf(evaluated([voucher(all)])).refused).toBe('voucher_disabled');
  });

  it('names an unknown code as it was sent', () => {
    const unknown: Candidate = {
      requested: { object: 'voucher', id: 'NOPE' },
      kind: voucherKind,
      found: { refused: 'not_found' },
    };
    expect(refusalOf(evaluated([unknown]))).toEqual({
      refused: 'not_found',
      details: 'Cannot find voucher with id NOPE',
      resourceId: 'NOPE',
      resourceType: 'voucher',
    });
  });

  it('refuses a name that no owner knows, as it was sent', () => {
    const requested = { object: 'promotion_tier', id: 'promo_1' } as const;
    const evaluation = evaluated([{ requested, kind: null, found: unknownRedeemable(requested) }]);
    expect(refusalOf(evaluation)).toMatchObject({
      refused: 'not_found',
      details: 'Cannot find promotion_tier with id promo_1',
      resourceType: 'promotion_tier',
    });
  });

  it('refuses what it cannot calculate instead of guessing', () => {
    const gift = redeemable('G', { type: 'GIFT_VOUCHER', discount: null });
    expect(refusalOf(evaluated([voucher(gift)], { amount: 1000 })).refused).toBe('unsupported_discount');
  });

  it('lets formulas read the voucher', () => {
    const dynamic = redeemable('F', {
      discount: {
        type: 'AMOUNT',
        amount_off: 1,
        amount_off_formula: 'VOUCHER_REDEEMED_QUANTITY + REDEEMABLE_METADATA("bonus")',
      },
      metadata: { bonus: 2 },
      redemption: { quantity: null, redeemed_quantity: 3 },
    });
    expect(evaluated([voucher(dynamic)], { amount: 1000 }).order?.total_amount).toBe(500);
  });
});

describe('several redeemables, reference 03 §4.2', () => {
  const off = redeemable('OFF', { active: false });

  it('skips what follows an inapplicable one, and keeps the order as it was', () => {
    const evaluation = evaluated([voucher(redeemable('A')), voucher(off), voucher(redeemable('B'))], {
      amount: 1000,
    });
    expect(statuses(evaluation)).toEqual(['APPLICABLE', 'INAPPLICABLE', 'preceding_validation_failed']);
    expect(evaluation.valid).toBe(false);
  });

  it('applies five and skips the sixth', () => {
    const six = Array.from({ length: 6 }, (_, index) =>
      voucher(redeemable(`V${index}`, { discount: amount(1) })),
    );
    const evaluation = evaluated(six, { amount: 1000 });
    expect(statuses(evaluation)).toEqual([
      ...Array(5).fill('APPLICABLE'),
      'applicable_redeemables_limit_exceeded',
    ]);
    expect(evaluation).toMatchObject({ valid: true, order: { total_amount: 995 } });
  });

  it('keeps a valid one beside an inapplicable one in PARTIAL mode', () => {
    const evaluation = evaluated([voucher(off), voucher(redeemable('A'))], { amount: 1000 }, undefined, {
      ...defaultStackingSettings,
      redeemables_application_mode: 'PARTIAL',
    });
    expect(statuses(evaluation)).toEqual(['INAPPLICABLE', 'APPLICABLE']);
    expect(evaluation.valid).toBe(true);
  });
});

it('applies a discount voucher without an order, with no order in return', () => {
  expect(evaluated([voucher(redeemable('A'))])).toMatchObject({ valid: true, order: null });
});
