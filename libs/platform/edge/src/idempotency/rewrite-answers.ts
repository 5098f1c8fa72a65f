import type { EntityManager } from 'typeorm';

const rowsTogether = 100;

/** Rewrites the answers that a context stores for repetitions under Idempotency-Keys, where they name `id`: those of one
 *  project, in the caller's transaction. `rewrite` gets an answer's JSON. */
export const rewriteAnswers = async (
  manager: EntityManager,
  { projectId, id, rewrite }: { projectId: string; id: string; rewrite: (answer: unknown) => unknown },
): Promise<void> => {
  for (let after = ''; ;) {
    const rows = await manager.query<{ key: string; body: string }[]>(
      `SELECT key, body FROM idempotency_keys
       WHERE project_id = $1 AND key > $2 AND strpos(body, $3) > 0 ORDER BY key LIMIT ${rowsTogether}`,
      [projectId, after, id],
    );
    await manager.query(
      `UPDATE idempotency_keys k SET body = r.body FROM unnest($2::text[], $3::text[]) AS r(key, body)
       WHERE k.project_id = $1 AND k.key = r.key`,
      [
        projectId,
        rows.map(({ key }) => key),
        rows.map(({ body }) => JSON.stringify(rewrite(JSON.parse(body)))),
      ],
    );
    const last = rows.at(-1);
    if (!last || rows.length < rowsTogether) return;
    after = last.key;
  }
};
