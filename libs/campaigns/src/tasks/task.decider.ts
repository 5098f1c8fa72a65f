import type { AsyncActionSnapshot, Instant, TaskEvent, VoucherGenerationWork } from '@scrip/contracts';
import { type Refusal, refuse } from '@scrip/kernel';

/** A background task as its stream tells it. */
export interface TaskState {
  async_action: AsyncActionSnapshot;
  work: VoucherGenerationWork;
  started_at: Instant | null;
}

/** What can be asked of a task. */
export type TaskCommand =
  | {
      type: 'EnqueueGeneration';
      id: string;
      request_id: string;
      work: VoucherGenerationWork;
      now: Instant;
    }
  | { type: 'StartTask'; now: Instant }
  | { type: 'CompleteTask'; done_count: number; now: Instant }
  | { type: 'FailTask'; done_count: number; error: string; now: Instant };

/** Copies what events say; never decides. */
export const evolveTask = (state: TaskState | undefined, event: TaskEvent): TaskState => {
  if (event.type === 'AsyncActionEnqueued') {
    return { async_action: event.data.async_action, work: event.data.work, started_at: null };
  }
  if (!state) throw new Error(`${event.type} before AsyncActionEnqueued`);
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
}: Extract<TaskCommand, { type: 'EnqueueGeneration' }>): TaskEvent => ({
  type: 'AsyncActionEnqueued',
  data: {
    async_action: {
      id,
      type: 'CAMPAIGN.VOUCHERS_GENERATE',
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

const hasEnded = ({ async_action: { status } }: TaskState): boolean =>
  status === 'DONE' || status === 'FAILED';

/** Share of `count` that is done, 0…100; 100 only when the task has ended. */
export const progressOf = (done: number, count: number): number =>
  count === 0 ? 0 : Math.min(99, Math.floor((done * 100) / count));

/** What follows from a command; an empty list where it was carried out before. Refuses `not_found`.
 *  Source: spec 07 §10. */
export const decideTask = (command: TaskCommand, state: TaskState | undefined): TaskEvent[] | Refusal => {
  if (command.type === 'EnqueueGeneration') return state ? [] : [enqueue(command)];
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
      const result = { message: `Generated ${done_count} vouchers.`, done_count };
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
      const result = { message: `Generated ${done_count} vouchers.`, done_count, error };
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
