export {
  type CountedVoucher,
  type UsableCampaign,
  type UsableVoucher,
  quantityAllows,
  usableAt,
} from './usability';
export { type UsabilityRefusalKey, usabilityMessages } from './usability-refusals';
export { type ValidityWindows, windowsAreOpen } from './validity-windows';
