import { type Scrip, taskEnds } from '@scrip/testing';
import { memoryWhile } from '../resident-memory';
import type { Row } from '../row';

const rowsOfFile = 200_000;

/** Fewest accepted rows per second, from the beginning of the upload until the task is done. */
const fewestPerSecond = 3_000;

/** Most accepted memory above that of before, MB. */
const mbMax = 100;

const fileOf = (run: string): string =>
  [
    'Source_id,Name,Email,City',
    ...Array.from({ length: rowsOfFile }, (_, n) => `${run}${n},Name ${n},${n}@${run}.io,Rome`),
    '',
  ].join('\r\n');

interface Task {
  status: string;
  result?: { done_count: number; failed_count: number };
}

/** A file of 200,000 new customers: from the upload until its task is done. */
export const largeImportRows = async (scrip: Scrip): Promise<Row[]> => {
  const file = fileOf(`i${Date.now() % 1_000}`);
  const startedAt = performance.now();
  const { result, aboveMb } = await memoryWhile(scrip.pid, async () => {
    const { status, body } = await scrip.upload('/v1/customers/importCSV', file);
    if (status !== 202) throw new Error(`the file was answered ${status}: ${JSON.stringify(body)}`);
    const answeredAt = performance.now();
    const task = await taskEnds<Task>(scrip, body.async_action_id, { timeoutMs: 1_800_000, intervalMs: 200 });
    if (task.result?.done_count !== rowsOfFile)
      throw new Error(`the import ended as ${JSON.stringify(task).slice(0, 500)}`);
    return { answeredMs: answeredAt - startedAt, doneMs: performance.now() - startedAt };
  });
  const perSecond = rowsOfFile / (result.doneMs / 1_000);
  return [
    {
      work: `import of a file of ${rowsOfFile.toLocaleString('en')} new customers, upload begun → task DONE`,
      measured: `${(result.doneMs / 1_000).toFixed(1)} s, answered after ${(result.answeredMs / 1_000).toFixed(1)} s (${Math.round(perSecond).toLocaleString('en')} rows/s)`,
      baseline: '–',
      bar: `≥ ${fewestPerSecond.toLocaleString('en')} rows/s`,
      met: perSecond >= fewestPerSecond,
    },
    {
      work: 'the same: memory above that of before',
      measured: `${aboveMb.toFixed(0)} MB`,
      baseline: '–',
      bar: `≤ ${mbMax} MB`,
      met: aboveMb <= mbMax,
    },
  ];
};
