import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { NotedCall } from '@scrip/contracts/operations';
import type { DataSource } from 'typeorm';

// Machine time: days that have a partition for certain.
const insert = `
  WITH stored AS (
    INSERT INTO api_log (project_id, created_at, id, status, request_id, channel, method, endpoint, url, app_id, client_app_id)
    SELECT project_id, created_at, id, status, request_id, channel, method, endpoint, url, app_id, client_app_id
    FROM jsonb_populate_recordset(NULL::api_log, $1::jsonb)
    WHERE created_at BETWEEN now() - interval '1 day' AND now() + interval '1 day'
    ON CONFLICT DO NOTHING
    RETURNING 1)
  SELECT count(*)::int AS stored FROM stored`;

/** The log of API calls. Source: reference 07 §12. */
@Injectable()
export class ApiLogTable {
  constructor(@InjectDataSource('operations') private readonly dataSource: DataSource) {}

  /** Stores calls in one statement, but for those that are there and those that are more than a day away; returns how many. */
  async add(calls: readonly NotedCall[]): Promise<number> {
    const [row] = await this.dataSource.query<{ stored: number }[]>(insert, [JSON.stringify(calls)]);
    return row?.stored ?? 0;
  }
}
