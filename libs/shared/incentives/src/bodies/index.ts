export { DiscountBody } from './discount.dto';
export {
  CreateTierBody,
  nameLengthMax,
  rulesOfBodyMax,
  RulesAreAssignedElsewhere,
  rulesOfTier,
  TierSettingsBody,
  UpdateTierBody,
} from './promotion-tier.dto';
export { AreWeekdays, HoursBody, TimeframeBody, weekdays } from './validity.dto';
