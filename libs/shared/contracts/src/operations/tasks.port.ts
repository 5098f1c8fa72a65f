import type { Refusal, RequestContext } from '@scrip/kernel';
import type { AsyncActionSnapshot } from './task.events';

/** Why one input of a task failed. */
export interface ItemFailure {
  /** An error key. */
  key: string;
  message: string;
  details: string;
}

/** What became of one input of a task. */
export interface ItemResult {
  /** What the caller knows it by: a source id, a code. Null where the input has none. */
  identifier: string | null;
  /** Row of a file, from 1 after the header. */
  row?: number;
  /** Whether there was a record before. */
  found: boolean;
  /** Whether the record was changed or created. */
  updated: boolean;
  failure?: ItemFailure;
}

/** What identifies an input of a task, as results name it. */
export type ItemIdentifier = 'source_id' | 'code';

/** A task, and the first of its inputs that failed. */
export interface OwnedAsyncAction extends AsyncActionSnapshot {
  failures?: { identified_by: ItemIdentifier; results: ItemResult[] };
}

/** A part of a report. `next`: what to ask for behind it; null at the end. */
export interface TaskReportPage {
  identified_by: ItemIdentifier;
  results: ItemResult[];
  next: number | null;
}

/** What operations ask of a context that runs background tasks. Source: architecture §9. */
export interface TasksPort {
  /** A task with its progress as it stands. Refuses `not_found`. */
  loadAsyncAction(
    context: RequestContext,
    request: { id: string },
  ): Promise<OwnedAsyncAction | Refusal<'not_found'>>;

  /** What became of the inputs of a task that has ended, in their order, a page at a time; `from` begins at 0. Refuses
   *  `not_found`, also for a task without report and for one whose time is over. */
  readTaskReport(
    context: RequestContext,
    request: { id: string; from: number },
  ): Promise<TaskReportPage | Refusal<'not_found'>>;
}

/** The methods of `TasksPort`, for the port of an owner. */
export const tasksMethods = ['loadAsyncAction', 'readTaskReport'] as const;
