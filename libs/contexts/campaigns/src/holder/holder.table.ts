import type { HolderSnapshot } from '@scrip/contracts/campaigns';
import { type RowChange, runQuery } from '@scrip/event-store';
import type { DataSource, EntityManager } from 'typeorm';

/** A row of `holders`. */
export type HolderRow = Omit<HolderSnapshot, 'created_at' | 'metadata'> & {
  created_at: Date;
  metadata: HolderSnapshot['metadata'] | null;
};

/** What `holderOf` reads. */
export const holderColumns = `id, voucher_id, customer_id, role, publication_id, campaign_id, campaign_type, voucher_type,
  created_at, metadata`;

/** The holder of a row. */
export const holderOf = ({ created_at, metadata, ...same }: HolderRow): HolderSnapshot => ({
  ...same,
  created_at: created_at.toISOString(),
  ...(metadata ? { metadata } : {}),
});

/** The row of a new holder. */
export const holderInserted = (projectId: string, holder: HolderSnapshot): RowChange => ({
  insert: 'holders',
  values: { project_id: projectId, ...holder, metadata: holder.metadata ?? null },
});

/** Removes the row of a holder. */
export const holderDeleted = (projectId: string, { id }: HolderSnapshot): RowChange => ({
  delete: 'holders',
  key: { project_id: projectId, id },
});

/** The publication of a code; null where it has none. */
export const publicationOf = async (
  on: DataSource | EntityManager,
  projectId: string,
  voucherId: string,
): Promise<string | null> => {
  const [row] = await runQuery<{ publication_id: string }>(
    on,
    `SELECT publication_id FROM holders WHERE project_id = $1 AND voucher_id = $2 AND role <> 'REFEREE' LIMIT 1`,
    [projectId, voucherId],
  );
  return row?.publication_id ?? null;
};

/** The parts that customers have in a code. */
export const holdersAmong = async (
  on: DataSource | EntityManager,
  projectId: string,
  { voucherId, customerIds }: { voucherId: string; customerIds: readonly string[] },
): Promise<HolderSnapshot[]> => {
  const rows = await runQuery<HolderRow>(
    on,
    `SELECT ${holderColumns} FROM holders WHERE project_id = $1 AND voucher_id = $2 AND customer_id = ANY($3)`,
    [projectId, voucherId, customerIds],
  );
  return rows.map(holderOf);
};

/** A holder of a code by id. */
export const holderOfCode = async (
  on: EntityManager,
  projectId: string,
  { voucherId, id }: { voucherId: string; id: string },
): Promise<HolderSnapshot | null> => {
  const [row] = await runQuery<HolderRow>(
    on,
    `SELECT ${holderColumns} FROM holders WHERE project_id = $1 AND id = $2 AND voucher_id = $3`,
    [projectId, id, voucherId],
  );
  return row ? holderOf(row) : null;
};
