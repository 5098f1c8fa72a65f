/** The answer's header by which a service tells its gateway how many redeemables a call named. It goes no further. */
export const redeemablesHeader = 'x-scrip-redeemables';

const namedBy = (body: unknown): readonly unknown[] => {
  const redeemables = (body as { redeemables?: unknown } | null | undefined)?.redeemables;
  return Array.isArray(redeemables) ? redeemables : [];
};

/** How many redeemables a body names, before anything is known of it. */
export const redeemablesIn = (body: unknown): number => namedBy(body).length;

/** Whether a body asks for more than one redeemable, or for a stack of tiers. */
export const asksForStack = (body: unknown): boolean => {
  const [first, ...others] = namedBy(body) as ({ object?: unknown } | null)[];
  return others.length > 0 || first?.object === 'promotion_stack';
};
