import { parseExplanationRequest } from '../explanation/explanation-request';
import { expansionsOf, namesOneVoucherTwice, parseRedeemablesRequest } from './redeemables-request';
import { parseVoucherCall } from './single-request';

const voucher = (id: string) => ({ object: 'voucher', id });
const details = (body: unknown) => (parseRedeemablesRequest(body) as { details?: string }).details;

describe('payload of validations and redemptions, reference 03 §3.1', () => {
  it.each<[unknown, string]>([
    [[], 'Payload must be object'],
    [{}, "Payload should have required property 'redeemables'"],
    [{ redeemables: {} }, 'Property .redeemables must be array'],
    [{ redeemables: [] }, 'Property .redeemables should NOT have fewer than 1 items'],
    [
      { redeemables: [voucher('A'), { object: 'voucher' }] },
      "Property .redeemables[1] should have required property 'id'",
    ],
    [{ redeemables: [{ id: 'A' }] }, "Property .redeemables[0] should have required property 'object'"],
    [{ redeemables: [{ object: 'voucher', id: 7 }] }, 'Property .redeemables[0].id must be string'],
    [
      { redeemables: [{ object: 'gift', id: 'A' }] },
      'Property .redeemables[0].object should be equal to one of the allowed values [ voucher, promotion_tier, promotion_stack ]',
    ],
    [{ redeemables: [voucher('A')], customer: [] }, 'Property .customer must be object'],
    [{ redeemables: [voucher('A')], order: { amount: 1.5 } }, 'Property .order.amount must be integer'],
    [
      { redeemables: [voucher('A')], order: { amount: 1e20 } },
      'Property .order.amount must be <= 10000000000000',
    ],
    [
      { redeemables: [voucher('A')], order: { amount: '99999999999999999999' } },
      'Property .order.amount must be <= 10000000000000',
    ],
    [{ redeemables: [voucher('A')], order: { amount: -1 } }, 'Property .order.amount must be >= 0'],
    [
      { redeemables: [voucher('A')], order: { items: [{ initial_quantity: 0 }] } },
      'Property .order.items[0].initial_quantity cannot be lower than 1',
    ],
    [{ redeemables: [voucher('A')], metadata: 'x' }, 'Property .metadata must be object'],
    [
      { redeemables: [voucher('A')], customer: { birthdate: '2026-02-29' } },
      'Property .customer.birthdate cannot be recognized as a ISO-8601 compliant date: there is no such day or time',
    ],
    [
      { redeemables: [voucher('A')], order: { source_id: 'x'.repeat(513) } },
      'Property .order.source_id should NOT be longer than 512 characters',
    ],
    [
      { redeemables: [voucher('A')], session: { type: 'LOCK', ttl: 366 } },
      'Property .session.ttl must not be longer than 365 days',
    ],
    [
      { redeemables: [voucher('A')], session: { type: 'LOCK', ttl: 0 } },
      'Property .session.ttl must be >= 1',
    ],
    [
      { redeemables: [voucher('A')], session: { type: 'LOCK', ttl_unit: 'WEEKS' } },
      'Property .session.ttl_unit should be equal to one of the allowed values [ DAYS, HOURS, MINUTES, SECONDS, MILLISECONDS, MICROSECONDS, NANOSECONDS ]',
    ],
  ])('%j: %s', (body, expected) => {
    expect(parseRedeemablesRequest(body)).toEqual({ refused: 'invalid_payload', details: expected });
  });

  it('takes 30 redeemables and refuses 31', () => {
    const redeemables = Array.from({ length: 31 }, (_, index) => voucher(`C${index}`));
    expect(parseRedeemablesRequest({ redeemables: redeemables.slice(1) })).toMatchObject({
      redeemables: redeemables.slice(1),
    });
    expect(details({ redeemables })).toBe('Property .redeemables should NOT have more than 30 items');
  });

  it('takes 500 order items and refuses 501', () => {
    const items = Array.from({ length: 501 }, () => ({ price: 1 }));
    expect(
      parseRedeemablesRequest({ redeemables: [voucher('A')], order: { items: items.slice(1) } }),
    ).not.toHaveProperty('refused');
    expect(details({ redeemables: [voucher('A')], order: { items } })).toBe(
      'Property .order.items should NOT have more than 500 items',
    );
  });

  it('refuses the same redeemable twice, but not a tier of the same name', () => {
    expect(parseRedeemablesRequest({ redeemables: [voucher('A'), voucher('A')] })).toEqual({
      refused: 'duplicated_redeemables',
      details: 'Duplicated redeemables detected in one redemption',
    });
    expect(
      parseRedeemablesRequest({ redeemables: [voucher('A'), { object: 'promotion_tier', id: 'A' }] }),
    ).not.toHaveProperty('refused');
  });

  it('refuses a stack beside anything else', () => {
    const stack = { object: 'promotion_stack', id: 'stack_1' };
    expect(parseRedeemablesRequest({ redeemables: [stack, voucher('A')] })).toEqual({
      refused: 'invalid_redeemables',
      details: 'Promotion Stack cannot be use with other redeemables',
    });
    expect(parseRedeemablesRequest({ redeemables: [stack] })).not.toHaveProperty('refused');
  });

  it('refuses to redeem a cancelled order', () => {
    expect(
      parseRedeemablesRequest({ redeemables: [voucher('A')], order: { status: 'CANCELED' } }),
    ).toMatchObject({
      refused: 'invalid_order',
    });
  });

  it('reads numeric text as integers and drops what it does not know', () => {
    expect(
      parseRedeemablesRequest({
        redeemables: [{ ...voucher('A'), gift: { credits: '1', effect: 'NONE' }, reward: { id: 'rew_1' } }],
        order: { amount: '10000', items: [{ quantity: '2', discount_amount: 5 }], total_amount: 1 },
        unknown: true,
      }),
    ).toEqual({
      redeemables: [{ ...voucher('A'), gift: { credits: 1 } }],
      order: { amount: 10000, items: [{ quantity: 2 }] },
    });
  });

  it('reads null as absent', () => {
    expect(
      parseRedeemablesRequest({ redeemables: [voucher('A')], customer: null, order: null, session: null }),
    ).toEqual({
      redeemables: [voucher('A')],
    });
  });
});

it.each<[string, (body: object) => unknown]>([
  ['a validation', (body) => parseRedeemablesRequest({ redeemables: [voucher('A')], ...body })],
  ['an explanation', (body) => parseExplanationRequest({ redeemables: [voucher('A')], ...body })],
  ['a call for one voucher', (body) => parseVoucherCall(body, 'A')],
])('%s takes a session of 365 days and no longer', (_, parse) => {
  const lasting = (ttl: number) => parse({ session: { type: 'LOCK', ttl, ttl_unit: 'HOURS' } });
  expect(lasting(365 * 24)).not.toHaveProperty('refused');
  expect(lasting(365 * 24 + 1)).toEqual({
    refused: 'invalid_payload',
    details: 'Property .session.ttl must not be longer than 365 days',
  });
});

it('finds a voucher named by code and by id', () => {
  expect(namesOneVoucherTwice(['v_1', 'v_1'])).toMatchObject({ refused: 'duplicated_redeemables' });
  expect(namesOneVoucherTwice(['v_1', 'v_2'])).toBeNull();
});

it('expands the order unless something else is asked for', () => {
  const redeemables = [{ object: 'voucher' as const, id: 'A' }];
  expect([...expansionsOf({ redeemables })]).toEqual(['order']);
  expect([...expansionsOf({ redeemables, options: { expand: ['redeemable', 'order'] } })]).toEqual([
    'redeemable',
    'order',
  ]);
});
