export { type ReferringVoucher, referralAllows } from './referral-use';
export {
  type CountedVoucher,
  type UsableCampaign,
  type UsableVoucher,
  beginsAfter,
  endsBefore,
  isSwitchedOff,
  quantityAllows,
  usableAt,
} from './usability';
export { type TierLimits, type UsableTier, tierUsableAt } from './tier-usability';
export {
  type TierRefusalKey,
  type UsabilityRefusalKey,
  tierMessages,
  usabilityMessages,
} from './usability-refusals';
export type { ValidityWindows } from './validity-windows';
