import type { CodeConfig } from '@scrip/contracts/campaigns';
import type { TaskWork } from '@scrip/contracts/operations';
import type { RowChange } from '@scrip/event-store';

/** What a task needs beside its event, by kind: as large as it has to be, in a row that no other context reads. */
export interface TaskPayloads {
  'CAMPAIGN.VOUCHERS_GENERATE': {
    /** What the codes are made from. */
    definition_id: string;
    code_config: CodeConfig;
    /** Whether the campaign's creation ordered them, and not a later call. */
    initial: boolean;
  };
}

/** The row of a task's payload, written with the event that enqueues the task. */
export const payloadRow = <Kind extends TaskWork['kind']>(
  of: { project_id: string; task_id: string; kind: Kind },
  payload: TaskPayloads[Kind],
): RowChange => {
  const { project_id, task_id } = of;
  return { insert: 'task_payloads', values: { project_id, task_id, payload } };
};

/** Takes the row of a task's payload away, with the event that ends the task. */
export const payloadEnds = (project_id: string, task_id: string): RowChange => ({
  delete: 'task_payloads',
  key: { project_id, task_id },
});
