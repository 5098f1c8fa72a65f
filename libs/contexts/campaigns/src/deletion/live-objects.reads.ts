import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { runQuery } from '@scrip/event-store';
import type { DataSource } from 'typeorm';

// A voucher goes with its campaign, before the background task reaches it.
const liveOnes = `
  SELECT c.id FROM campaigns c WHERE c.project_id = $1 AND c.id = ANY($2) AND c.deleted_at IS NULL
  UNION ALL
  SELECT v.id FROM vouchers v
  LEFT JOIN campaigns c ON c.project_id = v.project_id AND c.id = v.campaign_id
  WHERE v.project_id = $1 AND v.id = ANY($2) AND v.deleted_at IS NULL AND c.deleted_at IS NULL`;

/** Reads which campaigns and vouchers exist. */
@Injectable()
export class LiveObjects {
  constructor(@InjectDataSource('campaigns') private readonly dataSource: DataSource) {}

  /** Those of these ids that are of a campaign or voucher that is not deleted. */
  async among(projectId: string, ids: readonly string[]): Promise<Set<string>> {
    const rows = await runQuery<{ id: string }>(this.dataSource, liveOnes, [projectId, ids]);
    return new Set(rows.map(({ id }) => id));
  }
}
