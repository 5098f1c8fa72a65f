import { type calculated, cart } from '../calculation.fixture';

/** An order of 50.00 without lines. */
export const order = cart({ amount: 5000 });

/** Why the first redeemable is inapplicable, else its status. */
export const refusalOf = ({ redeemables: [first] }: ReturnType<typeof calculated>) =>
  first?.status === 'INAPPLICABLE' ? first.refusal : first?.status;
