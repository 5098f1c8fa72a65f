import { runQuery } from '@scrip/event-store';
import { type Keyring, newKey, open, seal } from '@scrip/kernel';
import type { SealedColumn } from '@scrip/service';
import type { DataSource, EntityManager } from 'typeorm';
import type { StoredResult, TaskInput } from './item-task';

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

/** A chunk of inputs that waits to be carried out. */
export interface OpenChunk {
  position: number;
  inputs: TaskInput<unknown>[];
  /** The inputs as they are stored. */
  stored: string;
}

/** A chunk with what is stored of it: inputs that wait, or results. */
export interface StoredChunk extends Batch {
  position: number;
  inputs: TaskInput<unknown>[] | null;
  results: StoredResult[] | null;
}

interface StoredChunkRow {
  task_id: string;
  position: number;
  inputs: string | null;
  results: string | null;
  wrapped_key: string;
}

const storedSql = `
  SELECT c.task_id, c.position, c.inputs, c.results, b.wrapped_key FROM task_chunks c
  JOIN task_batches b ON b.project_id = c.project_id AND b.task_id = c.task_id`;

interface WaitingRow {
  position: number;
  inputs: string;
}

const waitingSql = `
  SELECT position, inputs FROM task_chunks WHERE project_id = $1 AND task_id = $2 AND inputs IS NOT NULL`;

/** How far a batch is. `items`: inputs that are stored of it; `left`: chunks that wait. */
export interface BatchTotals {
  items: number;
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

  /** Returns the next chunk that waits behind a position, without a lock. */
  async peek(batch: Batch, after: number): Promise<OpenChunk | undefined> {
    const [row] = await runQuery<WaitingRow>(
      this.dataSource,
      `${waitingSql} AND position > $3 ORDER BY position LIMIT 1`,
      [batch.projectId, batch.taskId, after],
    );
    return row && this.openChunk(batch, row);
  }

  /** Locks a chunk that was peeked to the end of the transaction. Returns it as it is now; undefined where another transaction has just
   *  carried it out. */
  async lockPeeked(manager: EntityManager, batch: Batch, peeked: OpenChunk): Promise<OpenChunk | undefined> {
    const [row] = await runQuery<WaitingRow>(manager, `${waitingSql} AND position = $3 FOR UPDATE`, [
      batch.projectId,
      batch.taskId,
      peeked.position,
    ]);
    return row?.inputs === peeked.stored ? peeked : row && this.openChunk(batch, row);
  }

  private openChunk(batch: Batch, { position, inputs: stored }: WaitingRow): OpenChunk {
    const inputs = JSON.parse(open(stored, batch.key, boundTo(batch))) as TaskInput<unknown>[];
    return { position, inputs, stored };
  }

  /** Stores what became of a chunk in the place of its inputs. */
  async finish(
    manager: EntityManager,
    batch: Batch,
    position: number,
    results: readonly StoredResult[],
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

  /** Returns the next chunks of a project behind one, of tasks that were ordered by `until`. Takes no lock. */
  async chunksAfter(
    { projectId, until }: { projectId: string; until: Date },
    after: Pick<StoredChunk, 'taskId' | 'position'>,
    limit: number,
  ): Promise<StoredChunk[]> {
    const rows = await runQuery<StoredChunkRow>(
      this.dataSource,
      `${storedSql} WHERE c.project_id = $1 AND (c.task_id, c.position) > ($2, $3) AND b.created_at <= $4
       ORDER BY c.task_id, c.position LIMIT $5`,
      [projectId, after.taskId, after.position, until, limit],
    );
    return rows.map((row) => this.opened(projectId, row));
  }

  /** Locks a chunk and returns what is stored of it; undefined where it is gone. */
  async lock(
    manager: EntityManager,
    { projectId, taskId, position }: TaskName & { position: number },
  ): Promise<StoredChunk | undefined> {
    const [row] = await runQuery<StoredChunkRow>(
      manager,
      `${storedSql} WHERE c.project_id = $1 AND c.task_id = $2 AND c.position = $3 FOR UPDATE OF c`,
      [projectId, taskId, position],
    );
    return row && this.opened(projectId, row);
  }

  private opened(
    projectId: string,
    { task_id: taskId, position, inputs, results, wrapped_key }: StoredChunkRow,
  ): StoredChunk {
    const of = { projectId, taskId };
    const key = this.keys.unwrap(wrapped_key, boundTo(of));
    const opened = <T>(text: string | null): T | null =>
      text === null ? null : (JSON.parse(open(text, key, boundTo(of))) as T);
    return { ...of, key, position, inputs: opened(inputs), results: opened(results) };
  }

  /** Stores other inputs or results of a chunk that is locked; null: as they are. */
  async rewrite(
    manager: EntityManager,
    chunk: StoredChunk,
    { inputs, results }: Pick<StoredChunk, 'inputs' | 'results'>,
  ): Promise<void> {
    const sealed = (value: unknown): string | null =>
      value === null ? null : seal(JSON.stringify(value), chunk.key, boundTo(chunk));
    await runQuery(
      manager,
      `UPDATE task_chunks SET inputs = coalesce($4, inputs), results = coalesce($5, results)
       WHERE project_id = $1 AND task_id = $2 AND position = $3`,
      [chunk.projectId, chunk.taskId, chunk.position, sealed(inputs), sealed(results)],
    );
  }

  async totals({ projectId, taskId }: TaskName): Promise<BatchTotals> {
    const [row] = await runQuery<Record<keyof BatchTotals, string>>(
      this.dataSource,
      `SELECT coalesce(sum(items), 0) AS items, coalesce(sum(done), 0) AS done, coalesce(sum(failed), 0) AS failed,
         count(*) FILTER (WHERE inputs IS NOT NULL) AS left
       FROM task_chunks WHERE project_id = $1 AND task_id = $2`,
      [projectId, taskId],
    );
    const of = (total: keyof BatchTotals): number => Number(row?.[total]);
    return { items: of('items'), done: of('done'), failed: of('failed'), left: of('left') };
  }

  /** Returns the results of the first chunk at or behind `from` and where to go on; undefined where there is none. */
  async results(of: TaskName, from: number): Promise<{ results: StoredResult[]; next: number } | undefined> {
    return (await this.resultsWhere(of, 'c.position >= $3', from, 1))[0];
  }

  /** Returns the first `limit` items that failed. */
  async failures(of: TaskName, limit: number): Promise<StoredResult[]> {
    const failures: StoredResult[] = [];
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
  ): Promise<{ results: StoredResult[]; next: number }[]> {
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
      return { results: JSON.parse(open(results, key, boundTo(of))) as StoredResult[], next: position + 1 };
    });
  }
}

const rowsAtOnce = 500;

/** Runs a statement that returns a row for each row that it changes, until few are left. */
const inBatches = async (dataSource: DataSource, sql: string): Promise<void> => {
  for (;;) {
    const [{ count = 0 } = {}] = await dataSource.query<{ count: number }[]>(
      `WITH changed AS (${sql}) SELECT count(*)::int AS count FROM changed`,
    );
    if (count < rowsAtOnce) return;
  }
};

// Machine time: how long rows are kept. A task's end is an instant of business time; both clocks show the same.
const expiredSql = `
  SELECT b.project_id, b.task_id FROM task_batches b
  LEFT JOIN tasks t ON t.project_id = b.project_id AND t.id = b.task_id
  WHERE b.created_at < now() - interval '1 day' AND (t.id IS NULL OR (
    t.status IN ('DONE', 'FAILED') AND b.created_at < now() - interval '30 days'
    AND (t.state->'async_action'->>'updated_at')::timestamptz < now() - interval '30 days'))`;

/** Deletes what is not read any more, 500 rows at a time: inputs left by a task that was given up, batches whose call never
 *  got to its task, and batches whose task ended 30 days ago. */
export const pruneBatches = async (dataSource: DataSource): Promise<void> => {
  await inBatches(
    dataSource,
    `UPDATE task_chunks c SET inputs = NULL WHERE c.ctid = ANY (ARRAY(
       SELECT w.ctid FROM task_chunks w JOIN tasks t ON t.project_id = w.project_id AND t.id = w.task_id
       WHERE w.inputs IS NOT NULL AND t.status IN ('DONE', 'FAILED') LIMIT ${rowsAtOnce} FOR UPDATE OF w)) RETURNING 1`,
  );
  await inBatches(
    dataSource,
    `DELETE FROM task_chunks WHERE ctid = ANY (ARRAY(
       SELECT c.ctid FROM task_chunks c JOIN (${expiredSql}) e ON c.project_id = e.project_id AND c.task_id = e.task_id
       LIMIT ${rowsAtOnce})) RETURNING 1`,
  );
  // Its chunks are gone by now: a batch is never deleted before them.
  await inBatches(
    dataSource,
    `DELETE FROM task_batches b WHERE (b.project_id, b.task_id) IN (
       SELECT e.project_id, e.task_id FROM (${expiredSql}) e WHERE NOT EXISTS (
         SELECT 1 FROM task_chunks c WHERE c.project_id = e.project_id AND c.task_id = e.task_id)
       LIMIT ${rowsAtOnce}) RETURNING 1`,
  );
};

/** Deletes payloads of tasks that have ended, 500 at a time. */
export const prunePayloads = (dataSource: DataSource): Promise<void> =>
  inBatches(
    dataSource,
    `DELETE FROM task_payloads WHERE ctid = ANY (ARRAY(
       SELECT p.ctid FROM task_payloads p JOIN tasks t ON t.project_id = p.project_id AND t.id = p.task_id
       WHERE t.status IN ('DONE', 'FAILED') LIMIT ${rowsAtOnce})) RETURNING 1`,
  );
