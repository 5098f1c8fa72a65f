import { evaluateRequest } from '../evaluation/evaluate-request';
import { candidate, customer, requestOf, rule } from '../preview.fixture';
import { type Because, becauseMaxBytes, becauseOf } from './because';

const becauseFor = (
  rules: readonly ReturnType<typeof rule>[],
  more: Parameters<typeof requestOf>[1] = {},
): Because => {
  const request = requestOf([candidate('SECRET-CODE', { rules })], { customer, ...more });
  const [outcome] = evaluateRequest(request).redeemables;
  if (outcome?.status !== 'INAPPLICABLE') throw new Error('it applied');
  return becauseOf(outcome.refusal);
};

const least = (amount: number) => ({ name: 'order.amount', conditions: { $more_than_or_equal: [amount] } });

describe('the reason that is kept with a failed redemption', () => {
  it('names the rule, what it expected and the amount that it found', () => {
    expect(becauseFor([rule({ 1: least(5000) })])).toEqual({
      status: 'INAPPLICABLE',
      key: 'order_rules_violated',
      rules: [
        {
          rule: 'val_1',
          path: '1',
          name: 'order.amount',
          operator: '$more_than_or_equal',
          expected: [5000],
          actual: 4000,
        },
      ],
    });
  });

  it('is a key alone for what no rule refused', () => {
    const expired = { refused: 'voucher_expired', details: 'SECRET-CODE' };
    expect(becauseOf(expired)).toEqual({ status: 'INAPPLICABLE', key: 'voucher_expired' });
  });

  it('has no personal data: no metadata, no operand of metadata, no login, no segments, no code, no text', () => {
    const ada = {
      segments: ['seg_ill'],
      tiers: ['ltr_poor'],
      metadata: { email: 'ada@example.com', age: 37 },
    };
    const because = becauseFor(
      [
        rule(
          {
            1: { name: 'customer.metadata', property: 'email', conditions: { $is: ['bob@example.com'] } },
            2: { name: 'customer.metadata', property: 'age', conditions: { $more_than: [40] } },
            3: { name: 'customer.segment', conditions: { $is: ['seg_vip'] } },
            4: { name: 'redemption.user.login', conditions: { $is: ['eve@example.com'] } },
            5: { name: 'order.metadata', property: 'note', conditions: { $is: ['hidden'] } },
          },
          { error: { message: 'Dear Ada' } },
        ),
      ],
      {
        customer: ada,
        orderMetadata: { note: 'for Ada' },
        redemption: { metadata: {}, apiKeyId: null, userLogin: 'carol@example.com' },
      },
    );
    expect(because?.rules?.map(({ path }) => path)).toEqual(['1', '2', '3', '4', '5']);
    expect(because?.rules?.[2]).toMatchObject({ expected: ['seg_vip'] });
    const text = JSON.stringify(because);
    for (const secret of ['@example', '37', '40', 'seg_ill', 'ltr_poor', 'hidden', 'Ada', 'SECRET']) {
      expect(text).not.toContain(secret);
    }
  });

  it('holds no half of a character where an operand is cut: PostgreSQL reads no such JSON', () => {
    const because = becauseFor([
      rule({ 1: { name: 'customer.segment', conditions: { $is: [`${'x'.repeat(99)}😀`] } } }),
    ]);
    expect(because?.rules?.[0]?.expected).toEqual([`${'x'.repeat(99)}…`]);
  });

  it('fits, however many rules failed and however long their operands are', () => {
    const many = Object.fromEntries(
      Array.from({ length: 50 }, (_, n) => [
        n + 1,
        {
          name: 'customer.segment',
          conditions: { $is: [`seg_${'ü'.repeat(500)}`, 'b', 'c', 'd', 'e', 'f'] },
        },
      ]),
    );
    const because = becauseFor([rule(many)]);
    expect(Buffer.byteLength(JSON.stringify(because))).toBeLessThanOrEqual(becauseMaxBytes);
    expect(because.rules!.length).toBeGreaterThan(3);
    expect(because.rules!.length + because.more!).toBe(50);
    expect(because.rules![0]!.expected).toHaveLength(5);
  });
});
