/** A limit in whole minor units: its fraction is lost, absent is none, below 0 nothing is allowed. */
export const limitOf = (limitMinor: number | null | undefined): number =>
  limitMinor == null ? Number.MAX_SAFE_INTEGER : Math.max(0, Math.floor(limitMinor));
