/** Which rules are evaluated; the others are omitted and count as true. FULL: all. FULL_CAMPAIGN: all but the holder
 *  rule, for a campaign that stands for a code. QUALIFY: all but limits and what qualification does not know. AUDIENCE:
 *  those on the customer. AUDIENCE_ONLY_LEGACY: those of `audienceRulesOnly`, …_VOUCHER with limits per customer.
 *  PRODUCT: none, products decide. Source: reference 02 §4.3, §8, §9. */
export type RuleMode = keyof typeof modeBits;

/** A bit for each mode, so that a rule knows its modes as one number. */
export const modeBits = {
  FULL: 1,
  FULL_CAMPAIGN: 2,
  QUALIFY: 4,
  AUDIENCE: 8,
  AUDIENCE_ONLY_LEGACY: 16,
  AUDIENCE_ONLY_LEGACY_VOUCHER: 32,
  PRODUCT: 64,
} as const;

/** All modes, in the order of their bits. */
export const ruleModes = Object.keys(modeBits) as readonly RuleMode[];

/** What of a rule decides in which modes it is evaluated. */
export interface ModeTraits {
  /** Whether qualification evaluates it (column Q). */
  readonly qualifies: boolean;
  /** Whether it is about the audience; `holder`: in the scenario only. */
  readonly audience?: true | 'holder';
  /** Whether it limits what one customer may do. */
  readonly perCustomer?: true;
}

/** The modes that evaluate a rule, as bits. */
export const modesOf = ({ qualifies, audience, perCustomer }: ModeTraits): number => {
  let modes: number = modeBits.FULL;
  const add = (mode: RuleMode, when: boolean): void => {
    if (when) modes |= modeBits[mode];
  };
  add('FULL_CAMPAIGN', audience !== 'holder');
  add('QUALIFY', qualifies);
  add('AUDIENCE', audience !== undefined);
  add('AUDIENCE_ONLY_LEGACY', audience === true);
  add('AUDIENCE_ONLY_LEGACY_VOUCHER', audience === true || perCustomer === true);
  return modes;
};

/** Bundles are waived where only the audience or products decide. Source: reference 02 §8. */
export const bundleModes = modeBits.FULL | modeBits.FULL_CAMPAIGN | modeBits.QUALIFY;

/** Whether a mode judges without bundles. */
export const isBundleWaived = (mode: RuleMode): boolean => (modeBits[mode] & bundleModes) === 0;
