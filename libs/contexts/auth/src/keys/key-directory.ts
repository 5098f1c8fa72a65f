import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { runQuery } from '@scrip/event-store';
import { SCRIP_CONFIG, type ScripConfig } from '@scrip/service';
import { setTimeout } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { withSchemaChanges } from '../metadata-schemas/schema-changes';
import type { Project } from '../projects/project';
import type { ApplicationKey, ManagementKey } from './key';
import { freshMs, TtlCache } from './ttl-cache';

/** Clocks of two machines count a second differently by less. */
const marginMs = 20;

interface KeyRow {
  id: string;
  name: string;
  secret_hash: Buffer;
  allowed_ips: string[];
  blocked: boolean;
}

interface ApplicationKeyRow extends KeyRow {
  kind: 'server' | 'client';
  role: string;
  integration: boolean;
  state: Project;
  schema_changes: number | null;
}

const managementKeyOf = ({ id, name, secret_hash, allowed_ips, blocked }: KeyRow): ManagementKey => ({
  id,
  name,
  secretHash: secret_hash,
  allowedIps: allowed_ips,
  blocked,
});

const applicationKeyOf = (row: ApplicationKeyRow): ApplicationKey => ({
  ...managementKeyOf(row),
  kind: row.kind,
  role: row.role,
  integration: row.integration,
  project: { ...row.state, project: withSchemaChanges(row.state.project, row.schema_changes) },
});

/** Finds keys by id. Results are at most one second old. */
@Injectable()
export class KeyDirectory {
  private readonly applications: TtlCache<ApplicationKey>;
  private readonly managements: TtlCache<ManagementKey>;

  constructor(
    @InjectDataSource('auth') source: DataSource,
    @Inject(SCRIP_CONFIG) private readonly config: Pick<ScripConfig, 'distribution'>,
  ) {
    this.applications = new TtlCache(async (ids) => {
      const rows = await runQuery<ApplicationKeyRow>(
        source,
        `SELECT k.id, k.name, k.secret_hash, k.allowed_ips, k.blocked, k.kind, k.role, k.integration, p.state,
           s.count::float8 AS schema_changes
         FROM application_keys k JOIN projects p ON p.project_id = k.project_id AND p.id = k.project_id
           LEFT JOIN metadata_schema_changes s ON s.project_id = k.project_id
         WHERE k.id = ANY($1) AND p.state IS NOT NULL AND NOT p.deleted`,
        [ids],
      );
      return new Map(rows.map((row) => [row.id, applicationKeyOf(row)]));
    });
    this.managements = new TtlCache(async (ids) => {
      const rows = await runQuery<KeyRow>(
        source,
        'SELECT id, name, secret_hash, allowed_ips, blocked FROM management_keys WHERE id = ANY($1)',
        [ids],
      );
      return new Map(rows.map((row) => [row.id, managementKeyOf(row)]));
    });
  }

  application(id: string): Promise<ApplicationKey | null> {
    return this.applications.find(id);
  }

  management(id: string): Promise<ManagementKey | null> {
    return this.managements.find(id);
  }

  /** Empties the cache; call it after this process changed a key or a project. */
  forget(): void {
    this.applications.forget();
    this.managements.forget();
  }

  /** Waits until what this process changed counts in every process: until no cache can hold what was before. Source: ADR 80. */
  async settle(): Promise<void> {
    this.forget();
    if (this.config.distribution) await setTimeout(freshMs + marginMs);
  }
}
