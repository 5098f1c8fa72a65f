/** The answer's header by which a service tells its gateway how many redeemables a call named. It goes no further. */
export const redeemablesHeader = 'x-scrip-redeemables';

/** How many redeemables a body names, before anything is known of it. */
export const redeemablesIn = (body: unknown): number => {
  const redeemables = (body as { redeemables?: unknown } | null | undefined)?.redeemables;
  return Array.isArray(redeemables) ? redeemables.length : 0;
};
