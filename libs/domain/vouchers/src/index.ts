export { referralAllows } from './referral-use';
export {
  type UsableCampaign,
  beginsAfter,
  endsBefore,
  isSwitchedOff,
  quantityAllows,
  usableAt,
} from './usability';
export { type TierLimits, tierUsableAt } from './tier-usability';
export {
  type TierRefusalKey,
  type UsabilityRefusalKey,
  tierMessages,
  usabilityMessages,
} from './usability-refusals';
export type { ValidityWindows } from './validity-windows';
