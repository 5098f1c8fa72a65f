import { refuse } from '@scrip/kernel';
import {
  amount,
  appliedBy,
  calculated,
  cart,
  fixed,
  including,
  item,
  redeemables,
  statuses,
  voucher,
} from '../calculation.fixture';
import type { BundleRules } from './bundle-rules';

describe('bundles of redeemables (reference 01 §9, §10 step 4)', () => {
  const bundle: BundleRules = {
    components: [{ object: 'product', id: 'mug', quantity: 1 }],
    limit: 1,
    scaling: 'MULTIPLY',
  };

  test('an unmet bundle answers with what its rules say', () => {
    const named = refuse('order_rules_violated', 'violated: val_1');
    const calculation = calculated(
      cart({ amount: 1000 }),
      [
        voucher('A', { discount: amount(1) }, { bundle }),
        voucher('B', { discount: amount(1) }, { bundle: { ...bundle, refusal: named } }),
      ],
      { redeemables_application_mode: 'PARTIAL' },
    );
    expect(calculation.redeemables).toMatchObject([
      {
        refusal: {
          refused: 'order_rules_violated',
        },
        bundle: { quantity: 0 },
      },
      { refusal: named, bundle: { quantity: 0 } },
    ]);
    expect(appliedBy(calculation)).toEqual([undefined, undefined]);
  });

  test('an unmet bundle beyond a limit is inapplicable', () => {
    const calculation = calculated(
      cart({ amount: 1000 }),
      [...redeemables(amount(1)), voucher('B', { discount: amount(1) }, { bundle })],
      { applicable_redeemables_limit: 1 },
    );
    expect(statuses(calculation)).toEqual(['APPLICABLE', 'INAPPLICABLE']);
  });

  test.each([
    ['MULTIPLY', 400],
    ['ONCE', 200],
  ] as const)(
    'two bundles cover units within limits that scale: %s (reference 01 §9)',
    (scaling, applied) => {
      const pairs: BundleRules = {
        components: [{ object: 'product', id: 'mug', quantity: 2 }],
        limit: 2,
        scaling,
      };
      const scope = including({ object: 'product', id: 'mug', quantity_limit: 2 });
      const calculation = calculated(cart({ items: [item('mug', 1000, 5)] }), [
        voucher('A', { discount: fixed(900, { effect: 'APPLY_TO_ITEMS' }) }, { bundle: pairs, scope }),
      ]);
      expect(appliedBy(calculation)).toEqual([applied]);
    },
  );
});
