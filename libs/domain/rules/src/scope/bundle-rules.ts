import type { Redeemable } from '@scrip/order-calculation';

/** What must be in the order together, in the form that the calculation takes. */
export type BundleRules = NonNullable<Redeemable['bundle']>;
