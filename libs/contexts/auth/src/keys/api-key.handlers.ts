import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { RowChange } from '@scrip/event-store';
import { isRefused, newId, notFound, type Refusal, refuse, type RequestContext, Secret } from '@scrip/kernel';
import { SCRIP_CONFIG, type ScripConfig } from '@scrip/service';
import type { DataSource } from 'typeorm';
import type { AuditFact } from '../audit/audit-entry';
import { ProjectHandlers } from '../projects/project.handlers';
import { type ApiKeyChange, apiKeysMax, changedApiKey, type StoredApiKey } from './api-key';
import { apiKeyOf, apiKeysOf, isKeyOfStart } from './api-key.table';
import { KeyDirectory } from './key-directory';
import { newSecret, SecretHashes } from './secret-hash';

/** What a new application key is made of. */
export type NewApiKey = Pick<StoredApiKey, 'kind' | 'name' | 'role' | 'integration' | 'allowed_ips'>;

/** A key with its secret, which can never be read again. */
export interface ShownApiKey {
  key: StoredApiKey;
  secret: Secret;
}

type NotFound = Refusal<'not_found'>;

const keyNotFound = (id: string): NotFound => notFound('key', id);

const factsOf = (
  project_id: string,
  resource_id: string,
  facts: readonly Pick<AuditFact, 'action' | 'changes'>[],
): AuditFact[] => facts.map((fact) => ({ ...fact, project_id, resource_type: 'api_key', resource_id }));

/** Application keys of a project: rows, of which the project's stream tells. Commands for one project follow each other; their
 *  changes count in every process when they are answered. Source: reference 07 §2, §14. */
@Injectable()
export class ApiKeyHandlers {
  constructor(
    @InjectDataSource('auth') private readonly database: DataSource,
    @Inject(SCRIP_CONFIG) private readonly config: Pick<ScripConfig, 'cluster'>,
    private readonly hashes: SecretHashes,
    private readonly projects: ProjectHandlers,
    private readonly directory: KeyDirectory,
  ) {}

  /** Oldest first. */
  list({ project }: RequestContext): Promise<StoredApiKey[]> {
    return apiKeysOf(this.database, project.id);
  }

  /** Refuses `not_found`. */
  async find({ project }: RequestContext, id: string): Promise<StoredApiKey | NotFound> {
    return (await apiKeyOf(this.database, project.id, id)) ?? keyNotFound(id);
  }

  /** Refuses `invalid_payload` where the project has 100, and `not_found` for the project. */
  async issue(
    context: RequestContext,
    { kind, name, role, integration, allowed_ips }: NewApiKey,
  ): Promise<ShownApiKey | Refusal<'not_found' | 'invalid_payload'>> {
    const project_id = context.project.id;
    const id = newId(`${this.config.cluster}-`);
    const secret = new Secret(newSecret());
    const described = { kind, name, role, allowed_ips };
    const values = { id, project_id, ...described, integration, secret_hash: this.hashOf(id, secret) };
    const issued = await this.projects.executeBeside<null, 'invalid_payload'>(context, async (read) => {
      if ((await apiKeysOf(read, project_id)).length >= apiKeysMax)
        return refuse('invalid_payload', `A project can have at most ${apiKeysMax} keys`);
      return {
        commands: [{ type: 'IssueKey', key: { key_id: id, kind, name, role } }],
        rows: [{ insert: 'application_keys', values }],
        facts: factsOf(project_id, id, [
          { action: 'api_key.issued', changes: { ...described, ...(integration ? { integration } : {}) } },
        ]),
        answer: null,
      };
    });
    if (isRefused(issued)) return issued;
    const key = await this.settled(context, id);
    return isRefused(key) ? key : { key, secret };
  }

  /** Changes what is sent; nothing where the key is so already. Refuses `not_found`. */
  async change(context: RequestContext, id: string, change: ApiKeyChange): Promise<StoredApiKey | NotFound> {
    const changed = await this.onKey(context, id, (before) => {
      const { key, commands, facts } = changedApiKey(before, change);
      const { name, role, blocked, allowed_ips } = key;
      return { commands, set: { name, role, blocked, allowed_ips }, facts };
    });
    return isRefused(changed) ? changed : this.settled(context, id);
  }

  /** Replaces the secret and keeps the id: the old secret ends, tokens it issued stay. Refuses `not_found`. */
  async rotate(context: RequestContext, id: string): Promise<ShownApiKey | NotFound> {
    const secret = new Secret(newSecret());
    const rotated = await this.onKey(context, id, () => ({
      commands: [],
      set: { secret_hash: this.hashOf(id, secret) },
      facts: [{ action: 'key.rotated' }],
    }));
    if (isRefused(rotated)) return rotated;
    const key = await this.settled(context, id);
    return isRefused(key) ? key : { key, secret };
  }

  /** Deletes a key for good: it and its tokens end. Refuses `not_found`, and `resource_protected` for a key that every start of
   *  the server makes. */
  async delete(
    context: RequestContext,
    id: string,
  ): Promise<Refusal<'not_found' | 'resource_protected'> | null> {
    if (await isKeyOfStart(this.database, id)) {
      const about = { resourceId: id, resourceType: 'key' };
      return refuse(
        'resource_protected',
        `Cannot delete key with id ${id}: a start of the server makes it. Block it instead`,
        about,
      );
    }
    const deleted = await this.onKey(context, id, () => ({
      commands: [{ type: 'RevokeKey', key_id: id }],
      set: null,
      facts: [{ action: 'key.deleted' }],
    }));
    if (isRefused(deleted)) return deleted;
    await this.directory.settle();
    return null;
  }

  /** Changes the row of a key, or deletes it (`set` null), under the lock of its project. */
  private onKey(
    context: RequestContext,
    id: string,
    decide: (before: StoredApiKey) => {
      commands: Parameters<ProjectHandlers['execute']>[1][];
      set: Extract<RowChange, { update: string }>['set'] | null;
      facts: readonly Pick<AuditFact, 'action' | 'changes'>[];
    },
  ): Promise<null | NotFound> {
    const project_id = context.project.id;
    return this.projects.executeBeside<null, 'not_found'>(context, async (read) => {
      const before = await apiKeyOf(read, project_id, id);
      if (!before) return keyNotFound(id);
      const { commands, set, facts } = decide(before);
      const row: RowChange = set
        ? { update: 'application_keys', key: { id, project_id }, set }
        : { delete: 'application_keys', key: { id, project_id } };
      return { commands, rows: [row], facts: factsOf(project_id, id, facts), answer: null };
    });
  }

  private async settled(context: RequestContext, id: string): Promise<StoredApiKey | NotFound> {
    await this.directory.settle();
    return this.find(context, id);
  }

  /** As `bytea` is written in rows. */
  private hashOf(id: string, secret: Secret): string {
    return `\\x${this.hashes.hash(id, secret.reveal()).toString('hex')}`;
  }
}
