// What calculations need of the kernel. A browser may run them, so nothing here loads a module of Node.
export {
  type CalendarDay,
  addDays,
  addMonths,
  calendarDayOf,
  instantInputForm,
  instantProblem,
  isCalendarDay,
  isTimeZone,
  parseInstant,
  startOfDay,
} from '../calendar';
export { type Geopoint, parseGeopoint } from '../geopoint';
export { didYouMean } from '../nearest-name';
export { type Ratio, isSafeAmount, roundHalfUp, splitByWeights, toAmount } from '../money';
export { type Refusal, isRefused, missingFeature, notFound, refuse } from '../refusal';
export { beginningOf, hasForbiddenCharacters, shortened } from '../text';
