import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { ClientSwitches } from '@scrip/contracts/auth';
import {
  internalContext,
  isRefused,
  newId,
  type ProjectContext,
  type RequestContext,
  Secret,
} from '@scrip/kernel';
import { SCRIP_CONFIG, type ScripConfig } from '@scrip/service';
import type { DataSource, QueryRunner } from 'typeorm';
import { KeyDirectory } from '../keys/key-directory';
import { KeyLifecycle } from '../keys/key-lifecycle';
import { newSecret, SecretHashes } from '../keys/secret-hash';
import { allSwitchesOff } from './project';
import { ProjectHandlers } from './project.handlers';

/** Ids and secrets of the demo project. Null or absent: those of an earlier start are kept, otherwise they are
 *  generated. */
export interface BootstrapRequest {
  projectId?: string | null;
  appId?: string | null;
  appToken?: Secret | null;
  clientAppId?: string | null;
  clientToken?: Secret | null;
  managementId?: string | null;
  managementToken?: Secret | null;
  /** Of a project that is created by this call. Default: none, and everything off. Source: reference 07 §2.3. */
  clientTrustedDomains?: string[];
  clientSwitches?: Partial<ClientSwitches>;
}

/** A key of the demo project. `secret` is set only when this call generated it; it cannot be read again. */
export interface BootstrapKey {
  id: string;
  secret: Secret | null;
}

export interface BootstrapAnswer {
  project: ProjectContext;
  projectCreated: boolean;
  server: BootstrapKey;
  client: BootstrapKey;
  management: BootstrapKey;
}

interface Known {
  project_id: string;
  server_key_id: string;
  client_key_id: string;
  management_key_id: string;
}

interface WantedKey {
  table: 'application_keys' | 'management_keys';
  id: string;
  given: Secret | null;
  columns: Record<string, string>;
}

/** Creates the demo project and its keys. Sets given ids and secrets on every start. */
@Injectable()
export class Bootstrap {
  constructor(
    @InjectDataSource('auth') private readonly source: DataSource,
    @Inject(SCRIP_CONFIG) private readonly config: Pick<ScripConfig, 'cluster'>,
    private readonly hashes: SecretHashes,
    private readonly projects: ProjectHandlers,
    private readonly directory: KeyDirectory,
    private readonly keys: KeyLifecycle,
  ) {}

  /** Repeating it changes nothing. An advisory lock makes two processes that start at once wait for each other. */
  async run(request: BootstrapRequest): Promise<BootstrapAnswer> {
    const runner = this.source.createQueryRunner();
    await runner.connect();
    try {
      await runner.query(`SELECT pg_advisory_lock(hashtext('scrip.bootstrap'))`);
      return await this.underLock(runner, request);
    } finally {
      await runner.query(`SELECT pg_advisory_unlock(hashtext('scrip.bootstrap'))`);
      await runner.release();
      this.directory.forget();
    }
  }

  private async underLock(runner: QueryRunner, request: BootstrapRequest): Promise<BootstrapAnswer> {
    const { ids, superseded } = await this.idsOf(runner, request);
    // First: only the ids of before, which the row still has, tell the start after a crash what is left to be blocked.
    for (const id of superseded) await this.keys.setBlocked(id, true);
    await this.storeIds(runner, ids);
    const context = internalContext(this.demoProject(ids.project_id));
    const projectCreated = await this.createProject(context, request);
    const project = (await this.projects.find(ids.project_id))?.project ?? context.project;
    const application = (kind: 'server' | 'client', id: string, given?: Secret | null): WantedKey => ({
      table: 'application_keys',
      id,
      given: given ?? null,
      columns: {
        project_id: ids.project_id,
        kind,
        name: kind === 'server' ? 'Server-side key' : 'Client-side key',
        role: 'ADMIN',
      },
    });
    const management = {
      id: ids.management_key_id,
      given: request.managementToken ?? null,
      columns: { name: 'Management key' },
    };
    return {
      project,
      projectCreated,
      server: await this.issue(runner, context, application('server', ids.server_key_id, request.appToken)),
      client: await this.issue(
        runner,
        context,
        application('client', ids.client_key_id, request.clientToken),
      ),
      management: await this.issue(runner, context, { table: 'management_keys', ...management }),
    };
  }

  /** `superseded`: keys of an earlier start whose place other ids take now; they count no longer. A key of another project is
   *  not among them: it stays the key of that project. A management key belongs to the installation. */
  private async idsOf(
    runner: QueryRunner,
    request: BootstrapRequest,
  ): Promise<{ ids: Known; superseded: string[] }> {
    const [known] = (await runner.query('SELECT * FROM bootstrap')) as Known[];
    const newKeyId = () => newId(`${this.config.cluster}-`);
    const ids: Known = {
      project_id: request.projectId ?? known?.project_id ?? newId('proj_'),
      server_key_id: request.appId ?? known?.server_key_id ?? newKeyId(),
      client_key_id: request.clientAppId ?? known?.client_key_id ?? newKeyId(),
      management_key_id: request.managementId ?? known?.management_key_id ?? newKeyId(),
    };
    const current = new Set(Object.values(ids));
    const isSameProject = known?.project_id === ids.project_id;
    const before = [
      ...(known ? [known.management_key_id] : []),
      ...(isSameProject ? [known.server_key_id, known.client_key_id] : []),
    ];
    return { ids, superseded: before.filter((id) => !current.has(id)) };
  }

  private async storeIds(runner: QueryRunner, ids: Known): Promise<void> {
    await runner.query(
      `INSERT INTO bootstrap (project_id, server_key_id, client_key_id, management_key_id) VALUES ($1, $2, $3, $4)
       ON CONFLICT (only_row) DO UPDATE SET project_id = $1, server_key_id = $2, client_key_id = $3, management_key_id = $4`,
      [ids.project_id, ids.server_key_id, ids.client_key_id, ids.management_key_id],
    );
  }

  private demoProject(id: string): ProjectContext {
    return {
      id,
      name: 'Demo project',
      timezone: 'UTC',
      currency: 'EUR',
      caseSensitiveCodes: true,
      apiVersion: 'v2018-08-01',
      webhookVersion: 'v2024-01-01',
      cluster: this.config.cluster,
    };
  }

  private async createProject(context: RequestContext, request: BootstrapRequest): Promise<boolean> {
    const created = await this.projects.execute(context, {
      type: 'CreateProject',
      wanted: {
        project: context.project,
        client_trusted_domains: request.clientTrustedDomains ?? [],
        client_switches: { ...allSwitchesOff, ...request.clientSwitches },
      },
    });
    if (isRefused(created))
      throw new Error(`the project ${context.project.id} was deleted: start with another one`);
    return created.changed;
  }

  /** A given secret replaces the stored one; without one, an existing key stays as it is. */
  private async issue(
    runner: QueryRunner,
    context: RequestContext,
    { table, id, given, columns }: WantedKey,
  ): Promise<BootstrapKey> {
    const generated = given === null ? new Secret(newSecret()) : null;
    const secret = (given ?? generated) as Secret;
    const values: Record<string, unknown> = {
      id,
      ...columns,
      secret_hash: this.hashes.hash(id, secret.reveal()),
    };
    const names = Object.keys(values);
    const placeholders = names.map((_, index) => `$${index + 1}`).join(', ');
    const updates = names
      .slice(1)
      .map((name) => `${name} = excluded.${name}`)
      .join(', ');
    const written = (await runner.query(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${placeholders})
       ON CONFLICT (id) ${given === null ? 'DO NOTHING' : `DO UPDATE SET ${updates}`} RETURNING 1`,
      Object.values(values),
    )) as unknown[];
    if (table === 'application_keys') await this.tell(context, id, columns);
    return { id, secret: written.length === 1 ? generated : null };
  }

  private async tell(
    context: RequestContext,
    key_id: string,
    { kind, name, role }: WantedKey['columns'],
  ): Promise<void> {
    const key = { key_id, kind: kind as 'server' | 'client', name: name ?? '', role: role ?? '' };
    await this.projects.execute(context, { type: 'IssueKey', key });
  }
}
