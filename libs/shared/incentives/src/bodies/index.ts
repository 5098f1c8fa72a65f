export { DiscountBody } from './discount.dto';
export {
  CreateTierBody,
  maxNameLength,
  maxRulesOfBody,
  rulesOfTier,
  TierSettingsBody,
  UpdateTierBody,
} from './promotion-tier.dto';
export { HoursBody, TimeframeBody, weekdays } from './validity.dto';
