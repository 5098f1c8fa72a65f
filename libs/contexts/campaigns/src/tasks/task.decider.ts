import type { AsyncActionSnapshot, TaskEvent, TaskWork } from '@scrip/contracts/operations';
import type { Instant } from '@scrip/contracts/snapshot';
import { refuse } from '@scrip/kernel';
import type { CampaignsRefusal } from '../campaigns.refusals';

/** A background task as its stream tells it. */
export interface TaskState {
  async_action: AsyncActionSnapshot;
  work: TaskWork;
  started_at: Instant | null;
}

/** What can be asked of a task. */
export type TaskCommand =
  | {
      type: 'EnqueueTask';
      id: string;
      request_id: string;
      work: TaskWork;
      now: Instant;
    }
  | { type: 'StartTask'; now: Instant }
  | { type: 'CompleteTask'; done_count: number; now: Instant }
  | { type: 'FailTask'; done_count: number; error: string; now: Instant };

/** Copies what events say. Total: returns undefined for events before the first one, never throws or decides. */
export const evolveTask = (state: TaskState | undefined, event: TaskEvent): TaskState | undefined => {
  if (event.type === 'AsyncActionEnqueued') {
    return { async_action: event.data.async_action, work: event.data.work, started_at: null };
  }
  if (!state) return undefined;
  const { async_action } = event.data;
  return event.type === 'AsyncActionStarted'
    ? { ...state, async_action, started_at: async_action.updated_at }
    : { ...state, async_action };
};

const enqueue = ({
  id,
  request_id,
  work,
  now,
}: Extract<TaskCommand, { type: 'EnqueueTask' }>): TaskEvent => ({
  type: 'AsyncActionEnqueued',
  data: {
    async_action: {
      id,
      type: work.kind,
      status: 'ENQUEUED',
      operation_status: 'UNKNOWN',
      progress: 0,
      processing_time: null,
      request_id,
      result: null,
      created_at: now,
      updated_at: null,
    },
    work,
  },
});

/** What the result says for people, by kind. Source: reference 07 §10. */
const messageOf: Readonly<Record<TaskWork['kind'], (done: number) => string>> = {
  'CAMPAIGN.VOUCHERS_GENERATE': (done) => `Generated ${done} vouchers.`,
};

const runningMs = (state: TaskState, now: Instant): number =>
  state.started_at ? Math.max(0, Date.parse(now) - Date.parse(state.started_at)) : 0;

const hasEnded = ({ async_action: { status } }: TaskState): boolean =>
  status === 'DONE' || status === 'FAILED';

/** Whether these events end their task. */
export const taskEnds = (events: readonly TaskEvent[]): boolean =>
  events.some(({ type }) => type === 'AsyncActionCompleted' || type === 'AsyncActionFailed');

/** Share of `count` that is done, 0…100; 100 only when the task has ended. */
export const progressOf = (done: number, count: number): number =>
  count === 0 ? 0 : Math.min(99, Math.floor((done * 100) / count));

/** What follows from a command; an empty list where it was carried out before. Refuses `not_found`.
 *  Source: reference 07 §10. */
export const decideTask = (
  command: TaskCommand,
  state: TaskState | undefined,
): TaskEvent[] | CampaignsRefusal => {
  if (command.type === 'EnqueueTask') return state ? [] : [enqueue(command)];
  if (!state) return refuse('not_found');
  if (hasEnded(state)) return [];
  const { now } = command;
  const ended = { processing_time: runningMs(state, now), updated_at: now };
  switch (command.type) {
    case 'StartTask':
      return state.started_at
        ? []
        : [
            {
              type: 'AsyncActionStarted',
              data: { async_action: { ...state.async_action, status: 'IN_PROGRESS', updated_at: now } },
            },
          ];
    case 'CompleteTask': {
      const { done_count } = command;
      const result = { message: messageOf[state.work.kind](done_count), done_count };
      return [
        {
          type: 'AsyncActionCompleted',
          data: {
            async_action: {
              ...state.async_action,
              ...ended,
              status: 'DONE',
              operation_status: 'SUCCESS',
              progress: 100,
              result,
            },
          },
        },
      ];
    }
    case 'FailTask': {
      const { done_count, error } = command;
      const result = { message: messageOf[state.work.kind](done_count), done_count, error };
      return [
        {
          type: 'AsyncActionFailed',
          data: {
            async_action: {
              ...state.async_action,
              ...ended,
              status: 'FAILED',
              operation_status: 'FAILED',
              progress: progressOf(done_count, state.work.count),
              result,
            },
          },
        },
      ];
    }
    default:
      return command satisfies never;
  }
};
