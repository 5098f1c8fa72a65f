import type { RowChange } from '@scrip/event-store';

/** The row of a task's payload, written with the event that enqueues the task: what the task needs beside its event, as
 *  large as it has to be, in a row that no other context reads. */
export const payloadRow = (of: { project_id: string; task_id: string }, payload: object): RowChange => ({
  insert: 'task_payloads',
  values: { ...of, payload },
});

/** Takes the row of a task's payload away, with the event that ends the task. */
export const payloadEnds = (project_id: string, task_id: string): RowChange => ({
  delete: 'task_payloads',
  key: { project_id, task_id },
});
