import type {
  AsyncActionResult,
  AsyncActionSnapshot,
  TaskEvent,
  TaskWork,
} from '@scrip/contracts/operations';
import type { Instant } from '@scrip/contracts/snapshot';
import { type Refusal, refuse } from '@scrip/kernel';

/** A background task as its stream tells it. */
export interface TaskState<Work extends TaskWork = TaskWork> {
  async_action: AsyncActionSnapshot;
  work: Work;
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
  | { type: 'CompleteTask'; result: AsyncActionResult; now: Instant }
  | { type: 'FailTask'; result: AsyncActionResult; progress: number; now: Instant };

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

const runningMs = (state: TaskState, now: Instant): number =>
  state.started_at ? Math.max(0, Date.parse(now) - Date.parse(state.started_at)) : 0;

/** Whether a task is over, well or not. */
export const hasEnded = ({ status }: AsyncActionSnapshot): boolean =>
  status === 'DONE' || status === 'FAILED';

/** Whether these events end their task. */
export const taskEnds = (events: readonly TaskEvent[]): boolean =>
  events.some(({ type }) => type === 'AsyncActionCompleted' || type === 'AsyncActionFailed');

/** Share of `count` that is done, 0…100; 100 only when the task has ended. */
export const progressOf = (done: number, count: number): number =>
  count === 0 ? 0 : Math.min(99, Math.floor((done * 100) / count));

/** The events of a task that did not exist before. */
export const enqueuedTask = (
  task: Omit<Extract<TaskCommand, { type: 'EnqueueTask' }>, 'type'>,
): TaskEvent[] => [enqueue({ type: 'EnqueueTask', ...task })];

/** What follows from a command; an empty list where it was carried out before. Refuses `not_found`.
 *  Source: reference 07 §10. */
export const decideTask = (
  command: TaskCommand,
  state: TaskState | undefined,
): TaskEvent[] | Refusal<'not_found'> => {
  if (command.type === 'EnqueueTask') return state ? [] : [enqueue(command)];
  if (!state) return refuse('not_found');
  if (hasEnded(state.async_action)) return [];
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
    case 'CompleteTask':
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
              result: command.result,
            },
          },
        },
      ];
    case 'FailTask':
      return [
        {
          type: 'AsyncActionFailed',
          data: {
            async_action: {
              ...state.async_action,
              ...ended,
              status: 'FAILED',
              operation_status: 'FAILED',
              progress: command.progress,
              result: command.result,
            },
          },
        },
      ];
    default:
      return command satisfies never;
  }
};
