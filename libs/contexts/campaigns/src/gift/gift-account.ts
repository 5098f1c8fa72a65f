import type { GiftSnapshot } from '@scrip/contracts/campaigns';

/** What was ever put on the card without what was taken away by hand; redemptions leave it alone. Source: reference 04 §6.1. */
export const totalOf = ({ amount, subtracted_amount }: GiftSnapshot): number => amount - subtracted_amount;

/** The card after its balance changed by hand. Amounts: minor units; `change` is signed. Source: reference 04 §6.1. */
export const adjusted = (gift: GiftSnapshot, change: number): GiftSnapshot => ({
  ...gift,
  amount: gift.amount + Math.max(0, change),
  subtracted_amount: gift.subtracted_amount + Math.max(0, -change),
  balance: gift.balance + change,
});
