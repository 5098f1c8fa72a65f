import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { ApiKeyIssued } from '@scrip/contracts/auth';
import {
  notFound,
  type Refusal,
  type ProjectContext,
  Secret,
  internalContext,
  isRefused,
  newId,
  refuse,
} from '@scrip/kernel';
import { SCRIP_CONFIG, type ScripConfig } from '@scrip/service';
import type { DataSource } from 'typeorm';
import type { KeyRefusal } from '../auth.refusals';
import type { AuditFact } from '../audit/audit-entry';
import { operator } from '../audit/audit-operator';
import { storeAudit } from '../audit/audit.table';
import { ProjectHandlers } from '../projects/project.handlers';
import { isAddressOrRange } from './allowed-ip';
import { KeyDirectory } from './key-directory';
import { newSecret, SecretHashes } from './secret-hash';

/** Management keys of an installation. Source: reference 07 §2. */
const managementKeysMax = 5;

/** Addresses and ranges of a key. */
const addressesMax = 100;

/** A key as lists show it. `projectId` null: a management key. */
export interface ListedKey {
  id: string;
  projectId: string | null;
  kind: 'server' | 'client' | 'management';
  name: string;
  /** Null for management keys, which may do everything. */
  role: string | null;
  blocked: boolean;
  createdAt: Date;
  /** Addresses and ranges that it is admitted from; none: from anywhere. */
  allowedIps: string[];
  /** To some minutes; null: never, or before this was noted. */
  lastUsedAt: Date | null;
}

const keyFact = (
  action: string,
  resource_id: string,
  project_id: string | null = null,
  changes: object = {},
): AuditFact => ({
  ...{ action, project_id, resource_type: 'api_key', resource_id, changes },
});

/** A key with its secret, which can never be read again. */
export interface IssuedKey {
  id: string;
  secret: Secret;
}

/** What a new application key is made of. */
export interface NewApplicationKey {
  projectId: string;
  kind: 'server' | 'client';
  name: string;
  role: string;
}

/** Issues, rotates and blocks keys. Changes reach every process within a second, tokens that a blocked key issued within a
 *  minute. Source: reference 07 §2. */
@Injectable()
export class KeyLifecycle {
  constructor(
    @InjectDataSource('auth') private readonly database: DataSource,
    @Inject(SCRIP_CONFIG) private readonly config: Pick<ScripConfig, 'cluster'>,
    private readonly hashes: SecretHashes,
    private readonly projects: ProjectHandlers,
    private readonly directory: KeyDirectory,
  ) {}

  /** Every key, by project and age. */
  list(): Promise<ListedKey[]> {
    return this.database.query<ListedKey[]>(
      `SELECT id, project_id AS "projectId", kind, name, role, blocked, created_at AS "createdAt",
         allowed_ips AS "allowedIps", last_used_at AS "lastUsedAt" FROM application_keys
       UNION ALL
       SELECT id, NULL, 'management', name, NULL, blocked, created_at, allowed_ips, last_used_at FROM management_keys
       ORDER BY "projectId", "createdAt", id`,
    );
  }

  /** Refuses `not_found` for a project that does not exist. */
  async issue({ projectId, kind, name, role }: NewApplicationKey): Promise<IssuedKey | KeyRefusal> {
    const project = (await this.projects.find(projectId))?.project;
    if (!project) return notFound('project', projectId);
    const key = this.newKey();
    await this.database.query(
      `INSERT INTO application_keys (id, project_id, kind, name, role, secret_hash) VALUES ($1, $2, $3, $4, $5, $6)`,
      [key.id, projectId, kind, name, role, this.hashOf(key)],
    );
    const told = await this.tellIssued(project, { key_id: key.id, kind, name, role });
    return isRefused(told) ? notFound('project', projectId) : key;
  }

  /** Refuses `limit_exceeded` where the installation has five already. */
  async issueManagement({ name }: { name: string }): Promise<IssuedKey | KeyRefusal> {
    const key = this.newKey();
    return this.database.transaction(async (manager) => {
      await manager.query('LOCK TABLE management_keys IN SHARE ROW EXCLUSIVE MODE');
      const rows = await manager.query<unknown[]>(
        `INSERT INTO management_keys (id, name, secret_hash)
         SELECT $1, $2, $3 WHERE (SELECT count(*) FROM management_keys) < $4 RETURNING 1`,
        [key.id, name, this.hashOf(key), managementKeysMax],
      );
      if (rows.length === 0)
        return refuse('limit_exceeded', `There are ${managementKeysMax} management keys already`);
      await storeAudit(manager, operator(), [keyFact('management_key.issued', key.id)]);
      return key;
    });
  }

  /** Replaces the secret and keeps the id: the old secret ends, tokens it issued stay. Refuses `not_found`. */
  async rotate(id: string): Promise<IssuedKey | KeyRefusal> {
    const key = { id, secret: new Secret(newSecret()) };
    const row = await this.database.transaction(async (manager) => {
      const [rotated] = await manager.query<{ id: string; project_id: string | null }[]>(
        `WITH application AS (UPDATE application_keys SET secret_hash = $2 WHERE id = $1 RETURNING id, project_id),
            management AS (UPDATE management_keys SET secret_hash = $2 WHERE id = $1 RETURNING id)
       SELECT id, project_id FROM application UNION ALL SELECT id, NULL FROM management`,
        [id, this.hashOf(key)],
      );
      if (rotated) await storeAudit(manager, operator(), [keyFact('key.rotated', id, rotated.project_id)]);
      return rotated;
    });
    this.directory.forget();
    return row ? key : notFound('key', id);
  }

  /** Blocks a key, or admits it again. Repeating it changes nothing. Refuses `not_found`. */
  async setBlocked(id: string, blocked: boolean): Promise<KeyRefusal | null> {
    const row = await this.database.transaction(async (manager) => {
      const [changed] = await manager.query<ListedKey[]>(
        `WITH application AS (
         UPDATE application_keys SET blocked = $2 WHERE id = $1 RETURNING id, project_id, kind, name, role),
       management AS (UPDATE management_keys SET blocked = $2 WHERE id = $1 RETURNING id, name)
       SELECT id, project_id AS "projectId", kind, name, role FROM application
       UNION ALL SELECT id, NULL, 'management', name, NULL FROM management`,
        [id, blocked],
      );
      const action = blocked ? 'key.blocked' : 'key.admitted';
      if (changed) await storeAudit(manager, operator(), [keyFact(action, id, changed.projectId)]);
      return changed;
    });
    this.directory.forget();
    if (!row) return notFound('key', id);
    const project = row.projectId === null ? undefined : (await this.projects.find(row.projectId))?.project;
    if (!project || row.kind === 'management') return null;
    const { kind, name, role } = row;
    await (blocked
      ? this.tellRevoked(project, id)
      : this.tellIssued(project, { key_id: id, kind, name, role: role ?? '' }));
    return null;
  }

  /** Admits a key from these addresses and CIDR ranges only; none: from anywhere. Tokens that it issued follow. Refuses
   *  `not_found`, and `invalid_payload` for what is neither, or too many. */
  async restrict(
    id: string,
    addresses: readonly string[],
  ): Promise<Refusal<'not_found' | 'invalid_payload'> | null> {
    const wrong = addresses.find((entry) => !isAddressOrRange(entry));
    if (wrong !== undefined)
      return refuse('invalid_payload', `${wrong} is no address and no range of addresses`);
    if (addresses.length > addressesMax)
      return refuse('invalid_payload', `A key can have at most ${addressesMax} addresses`);
    const row = await this.database.transaction(async (manager) => {
      const [restricted] = await manager.query<{ project_id: string | null }[]>(
        `WITH application AS (UPDATE application_keys SET allowed_ips = $2 WHERE id = $1 RETURNING project_id),
            management AS (UPDATE management_keys SET allowed_ips = $2 WHERE id = $1 RETURNING id)
       SELECT project_id FROM application UNION ALL SELECT NULL FROM management`,
        [id, addresses],
      );
      if (restricted) {
        const changes = { allowed_ips: addresses };
        await storeAudit(manager, operator(), [
          keyFact('key.restricted', id, restricted.project_id, changes),
        ]);
      }
      return restricted;
    });
    this.directory.forget();
    return row ? null : notFound('key', id);
  }

  private newKey(): IssuedKey {
    return { id: newId(`${this.config.cluster}-`), secret: new Secret(newSecret()) };
  }

  private hashOf({ id, secret }: IssuedKey): Buffer {
    return this.hashes.hash(id, secret.reveal());
  }

  /** Refuses where the project was deleted meanwhile: then the key counts nowhere. */
  private async tellIssued(project: ProjectContext, key: ApiKeyIssued['data']) {
    const told = await this.projects.execute(internalContext(project), { type: 'IssueKey', key });
    this.directory.forget();
    return told;
  }

  private async tellRevoked(project: ProjectContext, key_id: string): Promise<void> {
    await this.projects.execute(internalContext(project), { type: 'RevokeKey', key_id });
  }
}
