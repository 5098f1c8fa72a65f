import { classifyDatabaseError } from '@scrip/event-store';

/** How often a commit is tried whose end is lost with its connection. */
const maxTries = 10;

/** Whether an error leaves in doubt whether a commit happened. */
export const isLost = (error: unknown): boolean => classifyDatabaseError(error).kind === 'lost';

/** Commits again where the connection was lost. `commit` has to find what it did the time before: it writes under the same ids, or
 *  locks a row first, which waits for the transaction that is still committing. */
export const againWhereLost = async <Answer>(commit: () => Promise<Answer>): Promise<Answer> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await commit();
    } catch (error) {
      if (!isLost(error) || tries === maxTries) throw error;
    }
  }
};
