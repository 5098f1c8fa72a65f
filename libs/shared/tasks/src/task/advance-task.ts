import type { TaskEvent } from '@scrip/contracts/operations';
import type { AggregateStore } from '@scrip/event-store';
import { isRefused, type RequestContext } from '@scrip/kernel';
import { decideTask, type TaskCommand, taskEnds, type TaskState } from './task.decider';
import { payloadEnds } from './task-payloads';

/** Commits what a task makes of the command; with its end its payload goes. A command that does not fit the task's state any
 *  more, such as one that is repeated, changes nothing. */
export const advanceTask = async (
  tasks: AggregateStore<TaskState, TaskEvent>,
  context: RequestContext,
  taskId: string,
  command: TaskCommand,
): Promise<void> => {
  await tasks.execute<null, 'not_found'>({
    context,
    streamId: taskId,
    decide: (state) => {
      const events = decideTask(command, state);
      if (isRefused(events)) return events;
      const rows = taskEnds(events) ? [payloadEnds(context.project.id, taskId)] : [];
      return { events, rows, answer: null };
    },
  });
};
