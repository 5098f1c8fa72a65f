import type { ItemResult } from '@scrip/contracts/operations';
import { runQuery } from '@scrip/event-store';
import { type Keyring, newKey, open, seal } from '@scrip/kernel';
import type { SealedColumn } from '@scrip/service';
import type { DataSource, EntityManager } from 'typeorm';
import type { TaskInput } from './item-task';

/** The purpose of the key that wraps the keys of batches. */
export const batchKeysPurpose = 'task-batches';

/** Which task. */
export interface TaskName {
  projectId: string;
  taskId: string;
}

const boundTo = ({ projectId, taskId }: TaskName): string => `${projectId}|${taskId}`;

/** Where the keys of batches are stored: a context with item tasks lists it among its sealed columns. */
export const batchKeysColumn: SealedColumn = {
  table: 'task_batches',
  id: ['project_id', 'task_id'],
  column: 'wrapped_key',
  purpose: batchKeysPurpose,
  boundTo: (projectId = '', taskId = '') => boundTo({ projectId, taskId }),
};

/** The inputs of a task, as a whole: its key, and what the items share. */
export interface Batch extends TaskName {
  key: Buffer;
}

/** A chunk of inputs that is being carried out, and locked. */
export interface OpenChunk {
  position: number;
  inputs: TaskInput<unknown>[];
}

/** How far a batch is. `left`: chunks that wait. */
export interface BatchTotals {
  done: number;
  failed: number;
  left: number;
}

const chunksAtOnce = 10;

/** Inputs of tasks and what became of them: a row for each chunk, sealed with a key of the task's own, as they may be
 *  personal. A row has its inputs until they are carried out, and their results from then on. */
export class BatchTable {
  constructor(
    private readonly dataSource: DataSource,
    private readonly keys: Keyring,
  ) {}

  /** Begins the batch of a task, or goes on with the one of an earlier attempt under the same id. */
  async begin(of: TaskName, shared: unknown): Promise<Batch> {
    const key = newKey();
    await runQuery(
      this.dataSource,
      `INSERT INTO task_batches (project_id, task_id, wrapped_key, shared) VALUES ($1, $2, $3, $4)
       ON CONFLICT DO NOTHING`,
      [
        of.projectId,
        of.taskId,
        this.keys.wrap(key, boundTo(of)),
        seal(JSON.stringify(shared), key, boundTo(of)),
      ],
    );
    const { batch } = await this.load(of);
    return batch;
  }

  /** Stores a chunk; the same one again changes nothing. `text`: JSON. */
  async addChunk(
    batch: Batch,
    position: number,
    { count, text }: { count: number; text: string },
  ): Promise<void> {
    await runQuery(
      this.dataSource,
      `INSERT INTO task_chunks (project_id, task_id, position, items, inputs) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT DO NOTHING`,
      [batch.projectId, batch.taskId, position, count, seal(text, batch.key, boundTo(batch))],
    );
  }

  /** Returns a batch and what its items share. Throws where it is gone. */
  async load(
    of: TaskName,
    on: DataSource | EntityManager = this.dataSource,
  ): Promise<{ batch: Batch; shared: unknown }> {
    const [row] = await runQuery<{ wrapped_key: string; shared: string | null }>(
      on,
      'SELECT wrapped_key, shared FROM task_batches WHERE project_id = $1 AND task_id = $2',
      [of.projectId, of.taskId],
    );
    if (!row) throw new Error(`the inputs of ${of.taskId} are gone`);
    const key = this.keys.unwrap(row.wrapped_key, boundTo(of));
    const shared: unknown = row.shared === null ? null : JSON.parse(open(row.shared, key, boundTo(of)));
    return { batch: { projectId: of.projectId, taskId: of.taskId, key }, shared };
  }

  /** Returns the next chunk that waits, locked to the end of the transaction. Undefined where none does, or where another
   *  transaction has just carried it out. */
  async next(manager: EntityManager, batch: Batch): Promise<OpenChunk | undefined> {
    const [row] = await runQuery<{ position: number; inputs: string }>(
      manager,
      `SELECT position, inputs FROM task_chunks WHERE project_id = $1 AND task_id = $2 AND inputs IS NOT NULL
       ORDER BY position LIMIT 1 FOR UPDATE`,
      [batch.projectId, batch.taskId],
    );
    if (!row) return undefined;
    const inputs = JSON.parse(open(row.inputs, batch.key, boundTo(batch))) as TaskInput<unknown>[];
    return { position: row.position, inputs };
  }

  /** Stores what became of a chunk in the place of its inputs. */
  async finish(
    manager: EntityManager,
    batch: Batch,
    position: number,
    results: readonly ItemResult[],
  ): Promise<void> {
    const failed = results.filter(({ failure }) => failure !== undefined).length;
    await runQuery(
      manager,
      `UPDATE task_chunks SET inputs = NULL, results = $4, done = $5, failed = $6
       WHERE project_id = $1 AND task_id = $2 AND position = $3`,
      [
        batch.projectId,
        batch.taskId,
        position,
        seal(JSON.stringify(results), batch.key, boundTo(batch)),
        results.length - failed,
        failed,
      ],
    );
  }

  async totals({ projectId, taskId }: TaskName): Promise<BatchTotals> {
    const [row] = await runQuery<Record<keyof BatchTotals, string>>(
      this.dataSource,
      `SELECT coalesce(sum(done), 0) AS done, coalesce(sum(failed), 0) AS failed,
         count(*) FILTER (WHERE inputs IS NOT NULL) AS left
       FROM task_chunks WHERE project_id = $1 AND task_id = $2`,
      [projectId, taskId],
    );
    return { done: Number(row?.done), failed: Number(row?.failed), left: Number(row?.left) };
  }

  /** Returns the results of the first chunk at or behind `from` and where to go on; undefined where there is none. */
  async results(of: TaskName, from: number): Promise<{ results: ItemResult[]; next: number } | undefined> {
    return (await this.resultsWhere(of, 'c.position >= $3', from, 1))[0];
  }

  /** Returns the first `limit` items that failed. */
  async failures(of: TaskName, limit: number): Promise<ItemResult[]> {
    const failures: ItemResult[] = [];
    let from: number | undefined = 0;
    while (from !== undefined && failures.length < limit) {
      const chunks = await this.resultsWhere(of, 'c.position >= $3 AND c.failed > 0', from, chunksAtOnce);
      for (const { results } of chunks)
        failures.push(...results.filter(({ failure }) => failure !== undefined));
      from = chunks.length < chunksAtOnce ? undefined : chunks.at(-1)?.next;
    }
    return failures.slice(0, limit);
  }

  private async resultsWhere(
    of: TaskName,
    which: string,
    from: number,
    limit: number,
  ): Promise<{ results: ItemResult[]; next: number }[]> {
    const rows = await runQuery<{ position: number; results: string; wrapped_key: string }>(
      this.dataSource,
      `SELECT c.position, c.results, b.wrapped_key FROM task_chunks c
       JOIN task_batches b ON b.project_id = c.project_id AND b.task_id = c.task_id
       WHERE c.project_id = $1 AND c.task_id = $2 AND ${which} AND c.results IS NOT NULL
       ORDER BY c.position LIMIT $4`,
      [of.projectId, of.taskId, from, limit],
    );
    return rows.map(({ position, results, wrapped_key }) => {
      const key = this.keys.unwrap(wrapped_key, boundTo(of));
      return { results: JSON.parse(open(results, key, boundTo(of))) as ItemResult[], next: position + 1 };
    });
  }
}

const pruneAtOnce = 100;

// Machine time: how long rows are kept. A task's end is an instant of business time; both clocks show the same.
const expiredSql = `
  SELECT b.project_id, b.task_id FROM task_batches b
  LEFT JOIN tasks t ON t.project_id = b.project_id AND t.id = b.task_id
  WHERE b.created_at < now() - interval '1 day' AND (t.id IS NULL OR (
    t.status IN ('DONE', 'FAILED') AND b.created_at < now() - interval '30 days'
    AND (t.state->'async_action'->>'updated_at')::timestamptz < now() - interval '30 days'))
  ORDER BY b.created_at LIMIT ${pruneAtOnce}`;

/** Deletes what is not read any more: inputs that a task which was given up left, batches whose call never got to its task, and
 *  batches whose task ended 30 days ago. */
export const pruneBatches = async (dataSource: DataSource): Promise<void> => {
  await dataSource.query(
    `UPDATE task_chunks c SET inputs = NULL FROM tasks t
     WHERE c.inputs IS NOT NULL AND t.project_id = c.project_id AND t.id = c.task_id AND t.status IN ('DONE', 'FAILED')`,
  );
  for (;;) {
    const gone = await dataSource.query<{ task_id: string }[]>(
      `WITH expired AS MATERIALIZED (${expiredSql}),
       chunks AS (DELETE FROM task_chunks c USING expired e WHERE c.project_id = e.project_id AND c.task_id = e.task_id),
       batches AS (DELETE FROM task_batches b USING expired e WHERE b.project_id = e.project_id AND b.task_id = e.task_id)
       SELECT task_id FROM expired`,
    );
    if (gone.length < pruneAtOnce) return;
  }
};
