import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  internalContext,
  isRefused,
  newId,
  notFound,
  type Refusal,
  refuse,
  type RequestContext,
  Secret,
} from '@scrip/kernel';
import { SCRIP_CONFIG, type ScripConfig } from '@scrip/service';
import type { DataSource } from 'typeorm';
import type { KeyRefusal } from '../auth.refusals';
import { operator } from '../audit/audit-operator';
import { storeAudit } from '../audit/audit.table';
import { ProjectHandlers } from '../projects/project.handlers';
import { addressesMax, isAddressOrRange } from './allowed-ip';
import type { ApiKeyChange } from './api-key';
import { ApiKeyHandlers, type NewApiKey } from './api-key.handlers';
import { projectOfKey } from './api-key.table';
import { KeyDirectory } from './key-directory';
import { newSecret, SecretHashes } from './secret-hash';

/** Management keys of an installation. Source: reference 07 §2. */
const managementKeysMax = 5;

/** A key as lists show it. `projectId` null: a management key. */
export interface ListedKey {
  id: string;
  projectId: string | null;
  kind: 'server' | 'client' | 'management';
  name: string;
  /** Null for management keys, which may do everything. */
  role: string | null;
  integration: boolean;
  blocked: boolean;
  createdAt: Date;
  /** Addresses and ranges that it is admitted from; none: from anywhere. */
  allowedIps: string[];
  /** To some minutes; null: never, or before this was noted. */
  lastUsedAt: Date | null;
}

/** A key with its secret, which can never be read again. */
export interface IssuedKey {
  id: string;
  secret: Secret;
}

/** What an operator says of a new application key. */
export interface NewApplicationKey extends Pick<NewApiKey, 'kind' | 'name' | 'role'> {
  projectId: string;
  /** Default false; true for server keys only. */
  integration?: boolean;
}

const managementFact = (action: string, resource_id: string) => ({
  ...{ action, project_id: null, resource_type: 'api_key', resource_id },
});

/** The commands of operators for keys. Changes reach every process within a second, tokens that a blocked key issued within a
 *  minute. Source: reference 07 §2. */
@Injectable()
export class KeyLifecycle {
  constructor(
    @InjectDataSource('auth') private readonly database: DataSource,
    @Inject(SCRIP_CONFIG) private readonly config: Pick<ScripConfig, 'cluster'>,
    private readonly hashes: SecretHashes,
    private readonly projects: ProjectHandlers,
    private readonly keys: ApiKeyHandlers,
    private readonly directory: KeyDirectory,
  ) {}

  /** Every key, by project and age. */
  list(): Promise<ListedKey[]> {
    return this.database.query<ListedKey[]>(
      `SELECT id, project_id AS "projectId", kind, name, role, integration, blocked, created_at AS "createdAt",
         allowed_ips AS "allowedIps", last_used_at AS "lastUsedAt" FROM application_keys
       UNION ALL
       SELECT id, NULL, 'management', name, NULL, false, blocked, created_at, allowed_ips, last_used_at FROM management_keys
       ORDER BY "projectId", "createdAt", id`,
    );
  }

  /** Refuses `not_found` for a project that does not exist, and `limit_exceeded` where it has 100 keys. */
  async issue({
    projectId,
    integration = false,
    ...wanted
  }: NewApplicationKey): Promise<IssuedKey | KeyRefusal> {
    const context = await this.contextOf(projectId);
    if (isRefused(context)) return context;
    const issued = await this.keys.issue(context, { ...wanted, integration, allowed_ips: [] });
    if (!isRefused(issued)) return { id: issued.key.id, secret: issued.secret };
    const { refused, details = '' } = issued;
    return refused === 'not_found' ? { ...issued, refused } : refuse('limit_exceeded', details);
  }

  /** Refuses `limit_exceeded` where the installation has five already. */
  async issueManagement({ name }: { name: string }): Promise<IssuedKey | KeyRefusal> {
    const key = { id: newId(`${this.config.cluster}-`), secret: new Secret(newSecret()) };
    return this.database.transaction(async (manager) => {
      await manager.query('LOCK TABLE management_keys IN SHARE ROW EXCLUSIVE MODE');
      const rows = await manager.query<unknown[]>(
        `INSERT INTO management_keys (id, name, secret_hash)
         SELECT $1, $2, $3 WHERE (SELECT count(*) FROM management_keys) < $4 RETURNING 1`,
        [key.id, name, this.hashes.hash(key.id, key.secret.reveal()), managementKeysMax],
      );
      if (rows.length === 0)
        return refuse('limit_exceeded', `There are ${managementKeysMax} management keys already`);
      await storeAudit(manager, operator(), [managementFact('management_key.issued', key.id)]);
      return key;
    });
  }

  /** Replaces the secret and keeps the id: the old secret ends, tokens it issued stay. Refuses `not_found`. */
  async rotate(id: string): Promise<IssuedKey | KeyRefusal> {
    const context = await this.contextOfKey(id);
    if (isRefused(context)) return context;
    if (context) {
      const rotated = await this.keys.rotate(context, id);
      return isRefused(rotated) ? rotated : { id, secret: rotated.secret };
    }
    const secret = new Secret(newSecret());
    const set = { secret_hash: this.hashes.hash(id, secret.reveal()) };
    const refusal = await this.changeManagement(id, set, { action: 'key.rotated' });
    return refusal ?? { id, secret };
  }

  /** Blocks a key, or admits it again. Repeating it changes nothing. Refuses `not_found`. */
  setBlocked(id: string, blocked: boolean): Promise<Refusal<'not_found'> | null> {
    return this.change(id, { blocked }, { action: blocked ? 'key.blocked' : 'key.admitted' });
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
    const changes = { allowed_ips: [...addresses] };
    return this.change(id, changes, { action: 'key.restricted', changes });
  }

  private async change(
    id: string,
    change: Pick<ApiKeyChange, 'blocked' | 'allowed_ips'>,
    fact: { action: string; changes?: object },
  ): Promise<Refusal<'not_found'> | null> {
    const context = await this.contextOfKey(id);
    if (isRefused(context)) return context;
    if (!context) return this.changeManagement(id, change, fact);
    const changed = await this.keys.change(context, id, change);
    return isRefused(changed) ? changed : null;
  }

  private async changeManagement(
    id: string,
    set: { secret_hash: Buffer } | Pick<ApiKeyChange, 'blocked' | 'allowed_ips'>,
    { action, changes = {} }: { action: string; changes?: object },
  ): Promise<Refusal<'not_found'> | null> {
    const changed = await this.database.transaction(async (manager) => {
      const columns = Object.keys(set).map((name, index) => `${name} = $${index + 2}`);
      const [, found] = await manager.query<[unknown[], number]>(
        `UPDATE management_keys SET ${columns.join(', ')} WHERE id = $1 RETURNING 1`,
        [id, ...Object.values(set)],
      );
      if (found > 0) await storeAudit(manager, operator(), [{ ...managementFact(action, id), changes }]);
      return found > 0;
    });
    this.directory.forget();
    return changed ? null : notFound('key', id);
  }

  /** The context of an operator in the project of a key; null: it is no application key. */
  private async contextOfKey(id: string): Promise<RequestContext | Refusal<'not_found'> | null> {
    const projectId = await projectOfKey(this.database, id);
    return projectId === undefined ? null : this.contextOf(projectId);
  }

  private async contextOf(projectId: string): Promise<RequestContext | Refusal<'not_found'>> {
    const project = (await this.projects.find(projectId))?.project;
    return project ? internalContext(project) : notFound('project', projectId);
  }
}
