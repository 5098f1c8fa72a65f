import type { ItemFailure, ItemResult } from '@scrip/contracts/operations';
import {
  EventTooLarge,
  StaleRow,
  UniqueViolation,
  UnstorableText,
  VersionConflict,
  classifyDatabaseError,
} from '@scrip/event-store';
import { Fault, type RequestContext, shortened } from '@scrip/kernel';
import type { EntityManager } from 'typeorm';
import { storedResult } from './erased-inputs';
import {
  type ItemOutcome,
  type ItemTask,
  shownIdentifier,
  type StoredResult,
  type TaskInput,
} from './item-task';

const longestDetails = 1_000;

/** A customer that an item names was deleted permanently while the item was carried out. */
export class ErasedMeanwhile extends Error {
  override readonly name = 'ErasedMeanwhile';
}

/** A chunk is not as it was prepared: another process was first with it, or a permanent deletion has taken inputs out of it. */
export class ChunkChanged extends Error {
  override readonly name = 'ChunkChanged';
}

/** Items that were carried out together threw: which of them did shows when each is carried out alone. */
export class ItemsThrew extends Error {
  override readonly name = 'ItemsThrew';
}

/** Whether another call was in the way: the same may go well the next time. */
export const isConflict = (error: unknown): boolean =>
  error instanceof ChunkChanged ||
  error instanceof ErasedMeanwhile ||
  error instanceof VersionConflict ||
  error instanceof UniqueViolation ||
  error instanceof StaleRow;

/** Whether an error says nothing of the items: a conflict, or a database that is away. */
const isPassing = (error: unknown): boolean =>
  isConflict(error) ||
  error instanceof Fault ||
  ['lost', 'transient', 'timeout'].includes(classifyDatabaseError(error).kind);

const failureOf = (error: unknown): ItemFailure => {
  const invalid = { key: 'invalid_payload', message: 'Invalid payload' };
  if (error instanceof EventTooLarge)
    return { ...invalid, details: 'The record would be too large to be stored' };
  if (error instanceof UnstorableText)
    return { ...invalid, details: 'A text cannot contain NUL characters or lone surrogates' };
  return {
    key: 'internal_error',
    message: 'Internal Server Error',
    details: 'The record could not be stored',
  };
};

const resultOf = (
  identifier: string | null,
  row: number | undefined,
  { found, updated, failure }: ItemOutcome,
): ItemResult => ({
  identifier: identifier === null ? null : shownIdentifier(identifier),
  ...(row === undefined ? {} : { row }),
  found,
  updated,
  ...(failure ? { failure: { ...failure, details: shortened(failure.details, longestDetails) } } : {}),
});

/** A task, with what all its items share and what it runs in. */
export interface ChunkRun {
  task: ItemTask;
  taskId: string;
  context: RequestContext;
  shared: unknown;
  /** What `prepare` returned. */
  prepared?: unknown;
  /** Gets what an item threw that was carried out alone. */
  onError: (error: unknown) => void;
}

const carriedOut = async (
  manager: EntityManager,
  { task, taskId, context, shared, prepared }: ChunkRun,
  items: readonly unknown[],
): Promise<readonly ItemOutcome[]> => {
  if (items.length === 0) return [];
  const outcomes = await task.carryOut(manager, context, items, shared, prepared, taskId);
  if (outcomes.length !== items.length)
    throw new TypeError(`${task.kind}: ${outcomes.length} outcomes of ${items.length} items`);
  return outcomes;
};

/** Ends the savepoint of a rehearsal. */
class TakenBack extends Error {
  override readonly name = 'TakenBack';
}

const isRehearsal = ({ task, shared }: ChunkRun): boolean => task.isRehearsal?.(shared) ?? false;

/** The items behind one savepoint; those of a rehearsal leave nothing behind. */
const behindSavepoint = async (
  manager: EntityManager,
  run: ChunkRun,
  items: readonly unknown[],
): Promise<readonly ItemOutcome[]> => {
  let outcomes: readonly ItemOutcome[] = [];
  try {
    await manager.transaction(async (inner) => {
      outcomes = await carriedOut(inner, run, items);
      if (isRehearsal(run)) throw new TakenBack();
    });
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error;
  }
  return outcomes;
};

const together = async (
  manager: EntityManager,
  run: ChunkRun,
  items: readonly unknown[],
): Promise<readonly ItemOutcome[]> => {
  try {
    return await (isRehearsal(run) ? behindSavepoint : carriedOut)(manager, run, items);
  } catch (error) {
    throw isPassing(error) ? error : new ItemsThrew('items of a chunk threw', { cause: error });
  }
};

/** Each item behind a savepoint of its own, so that one that throws takes nothing of the others away. */
const oneByOne = async (
  manager: EntityManager,
  run: ChunkRun,
  items: readonly unknown[],
): Promise<ItemOutcome[]> => {
  const outcomes: ItemOutcome[] = [];
  const { task, prepared } = run;
  for (const [index, item] of items.entries()) {
    const alone = { ...run, prepared: task.preparedFor ? task.preparedFor(prepared, index) : prepared };
    try {
      outcomes.push(...(await behindSavepoint(manager, alone, [item])));
    } catch (error) {
      if (isPassing(error)) throw error;
      run.onError(error);
      outcomes.push({ found: false, updated: false, failure: failureOf(error) });
    }
  }
  return outcomes;
};

/** Carries out the inputs of a chunk in the transaction of `manager` and returns their results, in order: together, or each item
 *  `alone`, where what it throws fails that item. Throws `ItemsThrew` where they are to be carried out alone, in another transaction:
 *  a savepoint would cost every chunk two round trips, for few that throw. Other errors, such as conflicts, do not come from
 *  the items. */
export const runChunk = async (
  manager: EntityManager,
  run: ChunkRun,
  inputs: readonly TaskInput<unknown>[],
  { alone }: { alone: boolean },
): Promise<StoredResult[]> => {
  const items = inputs.flatMap((input) => ('item' in input ? [input.item] : []));
  const outcomes = await (alone ? oneByOne : together)(manager, run, items);
  let stored = 0;
  return inputs.map((input) => {
    if ('item' in input) {
      const result = resultOf(run.task.identifierOf(input.item), input.row, outcomes[stored++]!);
      return storedResult(result, input);
    }
    const { identifier, row, failure } = input;
    return storedResult(resultOf(identifier, row, { found: false, updated: false, failure }), input);
  });
};
