import type { RequestContext } from '@scrip/kernel';

/** A set that is kept: which records belong to it is stored, and follows them as they change. A segment of customers, a
 *  collection of products. */
export interface KeptSet {
  project_id: string;
  id: string;
}

/** What finds the records that belong to the sets of a context. A killed process leaves what it has done: each step of a walk is
 *  a transaction, with the place that it came to. */
export interface KeptSets<State = unknown> {
  /** Called once before the steps of a walk. */
  beforeWalk?(): Promise<void>;
  /** Tests the next records against a set that is new, or has a new filter. Answers whether there may be more. */
  walk(context: RequestContext, id: string): Promise<boolean>;
  /** Tests all records against a set once more. */
  review(context: RequestContext, id: string, abortSignal: AbortSignal): Promise<void>;
  /** Whether records can begin or cease to belong to a set as days go by. */
  changesWithTheDay(context: RequestContext, state: State): Promise<boolean>;
}
