import type { GiftTransaction } from '@scrip/contracts/campaigns';

/** What a transaction did to the balance. Source: reference 04 §6.1, reference 06 §2. */
export const renderBalance = ({ type, amount, total, balance, voucher_id }: GiftTransaction) => ({
  type: 'gift_voucher' as const,
  amount,
  total,
  balance,
  // A redemption and a rollback move credits without a balance call.
  operation_type:
    type === 'CREDITS_ADDITION' || type === 'CREDITS_REMOVAL' ? ('MANUAL' as const) : ('AUTOMATIC' as const),
  object: 'balance' as const,
  related_object: { type: 'voucher' as const, id: voucher_id },
});

/** What `renderBalance` makes. */
export type BalanceResponse = ReturnType<typeof renderBalance>;
