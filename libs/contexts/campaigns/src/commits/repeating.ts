import { classifyDatabaseError, StaleRow, UniqueViolation, VersionConflict } from '@scrip/event-store';
import { Fault } from '@scrip/kernel';

/** How often a commit is tried whose end is lost with its connection. */
const triesMax = 10;

// Statements of `runQuery` throw faults, whose cause is the error of the database.
const kindOf = (error: unknown) =>
  classifyDatabaseError(error instanceof Fault ? (error.cause ?? error) : error).kind;

/** Whether an error leaves in doubt what the transaction wrote, if anything. */
export const isLost = (error: unknown): boolean => kindOf(error) === 'lost';

/** Whether nothing was written, and the same may be written when it is tried again: others were first, or a deadlock was ended. */
export const wasRolledBack = (error: unknown): boolean =>
  error instanceof VersionConflict ||
  error instanceof StaleRow ||
  (!(error instanceof UniqueViolation) && kindOf(error) === 'transient');

/** Whether a transaction that writes under the same ids again may come about: after a lost commit it finds what it wrote. */
export const isWorthRepeating = (error: unknown): boolean => wasRolledBack(error) || isLost(error);

/** Commits again where the connection was lost. `commit` has to find what it did the time before: it writes under the same ids, or
 *  locks a row first, which waits for the transaction that is still committing. */
export const againWhereLost = async <Answer>(commit: () => Promise<Answer>): Promise<Answer> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await commit();
    } catch (error) {
      if (!isLost(error) || tries === triesMax) throw error;
    }
  }
};
