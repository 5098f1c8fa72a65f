import { classifyDatabaseError, StaleRow, UniqueViolation, VersionConflict } from '@scrip/event-store';
import { Fault } from '@scrip/kernel';

// Reads of a transaction throw faults, whose cause is the error of the database.
const kindOf = (error: unknown) =>
  classifyDatabaseError(error instanceof Fault ? (error.cause ?? error) : error).kind;

/** Whether an error leaves in doubt what the transaction wrote, if anything. */
export const isLost = (error: unknown): boolean => kindOf(error) === 'lost';

/** Whether a publication may come about when it is tried again, under the same ids. */
export const isWorthRepeating = (error: unknown): boolean =>
  error instanceof VersionConflict ||
  error instanceof StaleRow ||
  (!(error instanceof UniqueViolation) && ['lost', 'transient'].includes(kindOf(error)));
