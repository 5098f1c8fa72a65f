import type { TaskEvent, TaskWork } from '@scrip/contracts/operations';
import { givenFor } from '@scrip/testing';
import { type TaskCommand, type TaskState, decideTask, evolveTask, progressOf } from './task.decider';

const given = givenFor<TaskCommand, TaskState | undefined, TaskEvent>({
  decide: decideTask,
  evolve: evolveTask,
  initialState: () => undefined,
});

const work: TaskWork = { kind: 'CAMPAIGN.VOUCHERS_GENERATE', campaign_id: 'camp_1', count: 4 };
const at = (seconds: number): string => `2026-03-01T10:00:0${seconds}.000Z`;
const waiting = {
  id: 'aa_c1',
  type: 'CAMPAIGN.VOUCHERS_GENERATE',
  status: 'ENQUEUED',
  operation_status: 'UNKNOWN',
  progress: 0,
  processing_time: null,
  request_id: 'v-1',
  result: null,
  created_at: at(0),
  updated_at: null,
} as const;
const enqueued: TaskEvent = { type: 'AsyncActionEnqueued', data: { async_action: waiting, work } };
const running = { ...waiting, status: 'IN_PROGRESS', updated_at: at(2) } as const;
const started: TaskEvent = { type: 'AsyncActionStarted', data: { async_action: running } };

describe('a background task', () => {
  it('is enqueued once', () => {
    const command: TaskCommand = {
      type: 'EnqueueTask',
      id: 'aa_c1',
      request_id: 'v-1',
      work,
      now: at(0),
    };
    given().when(command).then(enqueued);
    given(enqueued).when(command).then();
  });

  it('starts once', () => {
    given(enqueued)
      .when({ type: 'StartTask', now: at(2) })
      .then(started);
    given(enqueued, started)
      .when({ type: 'StartTask', now: at(3) })
      .then();
  });

  const completed: TaskEvent = {
    type: 'AsyncActionCompleted',
    data: {
      async_action: {
        ...running,
        status: 'DONE',
        operation_status: 'SUCCESS',
        progress: 100,
        processing_time: 3_000,
        result: { message: 'Generated 4 vouchers.', done_count: 4 },
        updated_at: at(5),
      },
    },
  };

  it('ends with its result and the time it ran', () => {
    given(enqueued, started)
      .when({ type: 'CompleteTask', result: { message: 'Generated 4 vouchers.', done_count: 4 }, now: at(5) })
      .then(completed);
  });

  it('fails with what was done', () => {
    given(enqueued, started)
      .when({
        type: 'FailTask',
        result: { done_count: 3, failed_count: 1, error: 'none left' },
        progress: 75,
        now: at(5),
      })
      .then({
        type: 'AsyncActionFailed',
        data: {
          async_action: {
            ...running,
            status: 'FAILED',
            operation_status: 'FAILED',
            progress: 75,
            processing_time: 3_000,
            result: { done_count: 3, failed_count: 1, error: 'none left' },
            updated_at: at(5),
          },
        },
      });
  });

  it('ends once', () => {
    given(enqueued, started, completed)
      .when({ type: 'FailTask', result: { error: 'late' }, progress: 0, now: at(6) })
      .then();
    given(enqueued, started, completed)
      .when({ type: 'StartTask', now: at(6) })
      .then();
  });

  it('does not exist before it is enqueued', () => {
    given()
      .when({ type: 'StartTask', now: at(1) })
      .thenRefused('not_found');
  });

  test.each([
    [0, 3, 0],
    [1, 3, 33],
    [3, 3, 99],
    [0, 0, 0],
  ])('%d of %d is %d %%, and never all of it before the end', (done, count, percent) => {
    expect(progressOf(done, count)).toBe(percent);
  });
});
