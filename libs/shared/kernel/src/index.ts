export { afterBeats, type Pulse, pulseOf } from './beats';
export { type BusinessClock, type MachineClock, fixedClock, systemClock } from './clock';
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
} from './calendar';
export {
  SealBroken,
  deriveKey,
  keyObjectOf,
  newKey,
  open,
  openOnce,
  openDeterministic,
  seal,
  sealOnce,
  sealDeterministic,
  sharedKey,
  wrapKey,
} from './encryption';
export { type Geopoint, parseGeopoint } from './geopoint';
export { Fault, type FaultKind } from './fault';
export { isLoopback } from './loopback';
export {
  type Id,
  type IdSource,
  comesAgain,
  derivedIds,
  idsDerivedFrom,
  newEventId,
  newId,
  newDashboardRequestId,
  newRequestId,
  randomIds,
} from './ids';
export { findKept, type Standing } from './kept-record';
export { Keyring, masterKeyId } from './keyring';
export { type Ratio, isSafeAmount, roundHalfUp, splitByWeights, toAmount } from './money';
export { type Deadlined, type Port, type PortMethod, definePort, definedPorts } from './port';
export { type Refusal, isRefused, missingFeature, notFound, refuse } from './refusal';
export {
  type Caller,
  type CallContext,
  type Channel,
  type ProjectContext,
  type StoredProject,
  type RequestContext,
  internalContext,
  isFromBrowser,
  noDeadline,
} from './request-context';
export { Secret } from './secret';
export { type BudgetSizes, halfForEach, SharedBudget } from './shared-budget';
export { beginningOf, hasForbiddenCharacters, shortened } from './text';
export { type OpenSpan, type Span, beginSpan, recordTraces, traced } from './tracing';
export { Turns } from './turns';
export { type Upcaster, type Upcasters, newestSchemaVersion, upcast } from './upcasting';
