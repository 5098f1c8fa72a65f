import { QueryFailedError } from 'typeorm';

/** What a failed statement means for the one who sent it:
 *  `unique`, `constraint`, `data`, `stale`: a change's own fault, rolled back, no use in repeating it;
 *  `transient` (deadlock, serialization, lock timeout, outdated plan) and `timeout`: rolled back, may be repeated;
 *  `lost`: the connection ended, the statement may have been committed, or may still be;
 *  `defect`: anything else, rolled back. */
export type DatabaseErrorKind =
  'unique' | 'constraint' | 'data' | 'stale' | 'transient' | 'timeout' | 'lost' | 'defect';

export interface ClassifiedError {
  kind: DatabaseErrorKind;
  /** The violated constraint or index. */
  constraint?: string;
  table?: string;
  detail?: string;
}

interface DriverError {
  code?: unknown;
  severity?: unknown;
  constraint?: string;
  table?: string;
  detail?: string;
  message?: string;
  routine?: string;
  driverError?: unknown;
}

/** SQLSTATE that `assert_changed_rows` raises. */
export const staleRowState = 'SR001';

// Every SQLSTATE has a digit; EPIPE has none.
const sqlState = /^(?=.*\d)[0-9A-Z]{5}$/;
const transientStates = new Set(['40001', '40P01', '55P03', '25006']);
const lostStates = new Set(['57P01', '57P02', '57P03', '57P05', '25P03', '25P04']);
// pg and TypeORM report a connection that went away by these texts, without any code.
const lostTexts =
  /connection terminated|connection error|not queryable|query read timeout|timeout exceeded|client was closed|runner already released/i;

/** Whether a prepared statement fails because a migration gave a column that it returns another type. PostgreSQL tells
 *  this by no SQLSTATE of its own, and its messages may be translated. */
export const isOutdatedPlan = (error: unknown): boolean => {
  const { code, routine } = (error ?? {}) as DriverError;
  return code === '0A000' && routine === 'RevalidateCachedQuery';
};

const kindOf = (error: DriverError): DatabaseErrorKind => {
  const code = typeof error.code === 'string' ? error.code : '';
  if (!sqlState.test(code)) return code !== '' || lostTexts.test(error.message ?? '') ? 'lost' : 'defect';
  if (lostStates.has(code) || code.startsWith('08') || error.severity === 'FATAL') return 'lost';
  if (code === staleRowState) return 'stale';
  if (code === '23505' || code === '23P01') return 'unique';
  if (code.startsWith('23')) return 'constraint';
  if (code.startsWith('22') || code.startsWith('54')) return 'data';
  if (transientStates.has(code) || isOutdatedPlan(error) || code.startsWith('53')) return 'transient';
  return code === '57014' ? 'timeout' : 'defect';
};

/** Reads what pg or TypeORM threw; the only place that knows SQLSTATEs. */
export const classifyDatabaseError = (thrown: unknown): ClassifiedError => {
  const outer = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as DriverError;
  const error = (
    typeof outer.driverError === 'object' && outer.driverError !== null ? outer.driverError : outer
  ) as DriverError;
  const { constraint, table, detail } = error;
  return {
    kind: kindOf(error),
    ...(constraint === undefined ? {} : { constraint }),
    ...(table === undefined ? {} : { table }),
    ...(detail === undefined ? {} : { detail }),
  };
};

const poolTexts =
  /connection terminated|connection error|timeout exceeded when trying to connect|runner already released/i;

/** Whether an error says that PostgreSQL was away or too slow, where no code in between said so as a `Fault`. */
export const isDatabaseAway = (error: unknown): boolean => {
  const { syscall, message } = (error ?? {}) as { syscall?: unknown; message?: unknown };
  const fromDatabase =
    error instanceof QueryFailedError ||
    typeof syscall === 'string' ||
    (typeof message === 'string' && poolTexts.test(message));
  return fromDatabase && ['lost', 'transient', 'timeout'].includes(classifyDatabaseError(error).kind);
};

/** A change collided with an existing row and its aggregate names no refusal for that. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation';
  readonly constraint: string;
  readonly detail: string;

  constructor({ constraint = '', detail = '' }: ClassifiedError, cause?: unknown) {
    super(`unique constraint violated: ${constraint}`, { cause });
    this.constraint = constraint;
    this.detail = detail;
  }
}

/** A side row did not look as expected; nothing was written. */
export class StaleRow extends Error {
  override readonly name = 'StaleRow';

  constructor(
    readonly table: string,
    cause?: unknown,
  ) {
    super(`a row of ${table} is not as expected`, { cause });
  }
}

/** A stream's version is not the expected one; nothing was written. */
export class VersionConflict extends Error {
  override readonly name = 'VersionConflict';
}

/** An event's data is larger than consumers accept; nothing was written. */
export class EventTooLarge extends Error {
  override readonly name = 'EventTooLarge';
}

/** An event holds text that PostgreSQL cannot read back: NUL or half a surrogate pair; nothing was written. */
export class UnstorableText extends Error {
  override readonly name = 'UnstorableText';
}

/** A row names the event that holds its state, and the log does not have it. */
export class MissingEvent extends Error {
  override readonly name = 'MissingEvent';

  constructor(aggregate: string, version: string, streamId = '') {
    super(`${aggregate} ${streamId} names its event ${version} as its state, which the log does not have`);
  }
}

/** The error that the one caller sees whose change the database refused. */
export const refusedChange = (classified: ClassifiedError, cause: unknown): unknown => {
  if (classified.kind === 'unique') return new UniqueViolation(classified, cause);
  if (classified.kind === 'stale') {
    return new StaleRow(classified.table ?? classified.detail ?? 'a table', cause);
  }
  return cause;
};
