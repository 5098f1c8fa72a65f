import type { ItemFailure, ItemIdentifier, ItemResult, ItemTaskKind } from '@scrip/contracts/operations';
import { type RequestContext, shortened } from '@scrip/kernel';
import type { EntityManager } from 'typeorm';

/** Customers that an input names, so that their permanent deletion finds it. */
export interface NamesCustomers {
  /** Keys of the customers, as `ItemTask.customersOf` returns them. */
  customers?: string[];
  /** What results go on calling it by after their deletion; absent: by nothing. */
  label?: string;
}

/** An input of a task: what is to be carried out, or why it cannot be. `row`: its row in a file, from 1. */
export type TaskInput<Item> = { row?: number } & NamesCustomers &
  ({ item: Item } | { identifier: string | null; failure: ItemFailure });

/** What became of an input, as it is stored. */
export type StoredResult = ItemResult & NamesCustomers;

/** What became of an item. `found`: there was a record; `updated`: it was changed, or created. */
export interface ItemOutcome {
  found: boolean;
  updated: boolean;
  failure?: ItemFailure;
}

/** What carries out the inputs of one kind of task. Its items and what they share are JSON.
 *  Source: architecture §9. */
export interface ItemTask<Item = unknown, Shared = unknown, Prepared = unknown> {
  readonly kind: ItemTaskKind;
  readonly identifiedBy: ItemIdentifier;
  /** Returns keys of the customers that an input names: their ids, and hashes of their source ids. A permanent deletion writes the
   *  same keys with `erasedNameRows`. Only for kinds whose inputs tell of customers; their context has the migration
   *  `CreateErasedNames`. */
  customersOf?(projectId: string, input: TaskInput<Item>, shared: Shared): readonly string[];
  /** Whether what identifies an item says who a customer is, so that it goes with the customer. */
  readonly identifiesCustomers?: true;
  /** What the report and the failures name an item by. */
  identifierOf(item: Item): string | null;
  /** What the result says for people; unless given, it says nothing. */
  messageOf?(done: number, failed: number, shared: Shared): string;
  /** Whether its items are only tried: what `carryOut` writes is taken back, and its outcomes tell what it would come to. */
  isRehearsal?(shared: Shared): boolean;
  /** Whether the tasks of a project run one after another, each to its end, instead of taking turns. Only for tasks of some
   *  seconds: the other tasks of the project wait meanwhile. */
  readonly runsToItsEnd?: boolean;
  /** Most items of a chunk, which one transaction carries out; 200 unless set. A chunk has at most 128 KB besides. More items hold more
   *  locks for longer. */
  readonly itemsAtOnce?: number;
  /** Returns what `carryOut` needs of other contexts, such as a metadata schema. Called before the transaction of each chunk,
   *  with its items; again where that transaction does not come about. */
  prepare?(
    context: RequestContext,
    items: readonly Item[],
    of: { shared: Shared; taskId: string },
  ): Promise<Prepared>;
  /** Whether `prepare` reads nothing that chunks of its task write: it is then called while those before are carried out. */
  readonly preparesEarly?: boolean;
  /** Returns names of all records that the items of a chunk read or write, null where it cannot say. Two chunks with no name in common
   *  are carried out side by side. Only for kinds that prepare early; unless given, chunks follow one another. */
  recordsOf?(prepared: Prepared): ReadonlySet<string> | null;
  /** What of `prepared` is for the item at `index`, where that is carried out alone. All of it unless given. */
  preparedFor?(prepared: Prepared, index: number): Prepared;
  /** Carries out some hundred items in the transaction of `manager`, which also stores what came of them: everything it
   *  writes goes through `manager`. Returns an outcome for each, in order. What it throws rolls back all of them; where that
   *  is not the database's being away or a conflict with another call, each is then carried out alone, and those that throw
   *  again have failed. */
  carryOut(
    manager: EntityManager,
    context: RequestContext,
    items: readonly Item[],
    shared: Shared,
    prepared: Prepared,
    taskId: string,
  ): Promise<readonly ItemOutcome[]>;
  /** Does what follows from the whole task, once all of it is carried out or given up, and before it is told as ended. Called
   *  again where the process ends in between: a second call must change nothing. */
  conclude?(context: RequestContext, taskId: string, shared: Shared): Promise<void>;
}

const longestIdentifier = 255;

/** What names an item in results: at most 255 characters. */
export const shownIdentifier = (identifier: string): string => shortened(identifier, longestIdentifier);

/** The task that carries out `kind`. Throws for a kind that none does. */
export const itemTaskOf = (tasks: readonly ItemTask[], kind: string): ItemTask => {
  const task = tasks.find((candidate) => candidate.kind === kind);
  if (!task) throw new Error(`nothing carries out tasks of the kind ${kind}`);
  return task;
};
