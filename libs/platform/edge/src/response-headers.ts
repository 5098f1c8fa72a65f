import { ignoredHeader } from './unknown-names/ignored-header';

/** Tells that a stored order counted instead of the one that was sent, and which. Source: reference 03 §3.3. */
export const storedOrderHeader = 'X-Scrip-Stored-Order';

/** The password for the first sign-in of a user who was invited, this once. Source: reference 07 §14. */
export const oneTimePasswordHeader = 'X-Scrip-One-Time-Password';

/** Headers of ours for callers: a gateway passes them on, and browsers may read them. */
export const callersHeaders: readonly string[] = [ignoredHeader, storedOrderHeader, oneTimePasswordHeader];
