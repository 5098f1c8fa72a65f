export {
  type Categorised,
  categoryFields,
  type CategoryChoice,
  categoryMustBeOneOfTwo,
  changedCategory,
} from './category';
export { readDiscount } from './discount';
export {
  type CampaignPeriod,
  newTierFields,
  type TierChange,
  tierChangeOf,
  tierLimitsMustBeSound,
  tierOf,
  type TierRefusal,
} from './new-tier';
export { storedWindows, windowsMustBeSound } from './validity-policy';
