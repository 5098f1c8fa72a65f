import type { IdSource } from '@scrip/kernel';
import type { EntityManager } from 'typeorm';

/** What a keyed command is answered with: an HTTP status and the JSON body (null: none). */
export interface StoredAnswer {
  status: number;
  body: unknown;
}

/** Whether an answer says something about the command itself. 401, 429, 5xx and temporary refusals do not: a repetition
 *  under the same key runs the command again. Source: architecture §8. */
export const isKept = ({ status, temporary }: { status: number; temporary?: true }): boolean =>
  status !== 401 && status !== 429 && status < 500 && !temporary;

/** A keyed command's row, held by this request until its lease ends. Source: architecture §8. */
export interface IdempotencyRow {
  readonly projectId: string;
  readonly key: string;
  readonly commandId: string;
  /** 1 at first; raised only by redeeming, when an attempt was abandoned. */
  readonly attempt: number;
  /** Whether an earlier execution took this row and ended without an answer: its effects may stand. */
  readonly resumed: boolean;
  /** The ids of the current attempt. */
  ids(): IdSource;
  /** Ids that every attempt of this command gets again, for what an attempt creates beside its own outcome: customers. */
  commandIds(): IdSource;
  /** Stores the answer in the caller's transaction, where the attempt is still this one and no answer is stored.
   *  False: nothing was written, so the caller must write nothing either and answer 409. */
  completeInTransaction(manager: EntityManager, answer: StoredAnswer): Promise<boolean>;
  /** Notes what `completeKeys` stored for this row; null: nothing, the row belongs to another execution. */
  noteCompletion(answer: StoredAnswer | null): void;
  /** Moves on to the next attempt, in a transaction of its own, by compare-and-set. False: another execution did. */
  raiseAttempt(): Promise<boolean>;
}
