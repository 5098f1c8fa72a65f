export { type Clock, fixedClock, systemClock } from './clock';
export {
  type CalendarDay,
  addDays,
  addMonths,
  calendarDayOf,
  dayOfWeek,
  daysBetween,
  endOfDay,
  instantInputForm,
  isCalendarDay,
  isTimeZone,
  parseInstant,
  startOfDay,
} from './calendar';
export {
  SealBroken,
  deriveKey,
  newKey,
  open,
  openDeterministic,
  seal,
  sealDeterministic,
  sharedKey,
  unwrapKey,
  wrapKey,
} from './encryption';
export { Fault, type FaultKind } from './fault';
export {
  type Id,
  type IdSource,
  deriveUuid,
  derivedIds,
  newEventId,
  newId,
  newRequestId,
  randomIds,
} from './ids';
export { type Ratio, isSafeAmount, roundHalfUp, splitByWeights, toAmount } from './money';
export { type Refusal, isRefused, refuse } from './refusal';
export {
  type CallContext,
  type Channel,
  type ProjectContext,
  type RequestContext,
  internalContext,
  noDeadline,
} from './request-context';
export { Secret } from './secret';
export { hasForbiddenCharacters } from './text';
export { type OpenStep, type TraceStep, beginStep, recordTraces, traced } from './tracing';
