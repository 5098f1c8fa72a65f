import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';

/** Returns the pool of a connected DataSource, which TypeORM keeps to itself. */
export const poolOf = (dataSource: DataSource): Pool =>
  (dataSource.driver as unknown as { master: Pool }).master;
