import { Inject, Injectable } from '@nestjs/common';
import type { BrowserCall } from '@scrip/edge';
import { type WebhooksPort, webhooksPort } from '@scrip/contracts/webhooks';
import type { RowChange } from '@scrip/event-store';
import {
  type CallContext,
  internalContext,
  isRefused,
  newId,
  type ProjectContext,
  refuse,
  type RequestContext,
} from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import { SCRIP_CONFIG, type ScripConfig } from '@scrip/service';
import type { ManagementRefusal } from '../auth.refusals';
import { otherRegion } from '../keys/key-authentication';
import { KeyDirectory } from '../keys/key-directory';
import { newSecret, SecretHashes } from '../keys/secret-hash';
import { problemOfName } from '../users/new-members';
import { defaultNotifications, type Notifications } from './notifications';
import { allSwitchesOff } from './project';
import { type ProjectChange, projectChange } from './project-change';
import type { CreateProjectBody, UpdateProjectBody } from './project.dto';
import { ProjectHandlers } from './project.handlers';
import { ProjectReads } from './project.reads';
import { type NewProjectResponse, type ProjectResponse, renderProject } from './project.wire';

/** A key of a new project, with its secret. */
interface NewKey {
  kind: 'server' | 'client';
  name: string;
  id: string;
  secret: string;
}

/** The session of a call; null: a management key calls. */
type CallersSession = BrowserCall['session'];

/** A user sees secrets shortly after entering the password only. Source: reference 07 §2.5. */
const hidesSecrets = (session: CallersSession): boolean => session !== null && !session.password_is_fresh;

const role = 'ADMIN';

const newKeyResponse = ({ id, secret }: NewKey) => ({ app_id: id, app_token: secret });

const withoutNull = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as {
    [Name in keyof T]?: NonNullable<T[Name]>;
  };

const notificationsRow = (project_id: string, { callouts, usage }: Partial<Notifications>): RowChange[] => {
  if (!callouts && !usage) return [];
  return [{ upsert: 'project_notifications', key: { project_id }, set: { callouts, usage } }];
};

/** Makes, shows, changes and deletes projects. A change counts everywhere when it is answered. Source: reference 07 §14. */
@Injectable()
export class ProjectManagement {
  constructor(
    private readonly projects: ProjectHandlers,
    private readonly reads: ProjectReads,
    private readonly directory: KeyDirectory,
    private readonly hashes: SecretHashes,
    @InjectPort(webhooksPort) private readonly webhooks: WebhooksPort,
    @Inject(SCRIP_CONFIG) private readonly config: Pick<ScripConfig, 'cluster'>,
  ) {}

  /** Creates a project with a server-side and a client-side key, whose secrets only this answer has. Refuses `invalid_payload`,
   *  and `forbidden` for another cluster. */
  async create(call: CallContext, body: CreateProjectBody): Promise<NewProjectResponse | ManagementRefusal> {
    const change = projectChange(body);
    if (isRefused(change)) return change;
    const misnamed = (body.users ?? [])
      .map((user, place) => problemOfName(user, `Property .users[${place}]`))
      .find((problem) => problem !== null);
    if (misnamed !== undefined) return refuse('invalid_payload', misnamed);
    if ((body.cluster_id ?? this.config.cluster) !== this.config.cluster)
      return refuse('forbidden', otherRegion().details);
    const project = this.newProject(body, change);
    const server = this.newKey('server', 'Server-side key');
    const client = this.newKey('client', 'Client-side key');
    // First: a call that ended after the commit would lose the keys.
    const webhookToken = await this.webhookTokenOf(call, project.id);
    const created = await this.projects.create(
      { ...internalContext(project), ...call, channel: 'API' },
      {
        type: 'CreateProject',
        wanted: {
          project,
          client_trusted_domains: change.access.client_trusted_domains ?? [],
          client_switches: { ...allSwitchesOff, ...change.access.client_switches },
          is_sandbox: false,
          ...withoutNull({
            description: change.settings.description ?? null,
            dial_code: change.settings.dial_code ?? null,
          }),
        },
        keys: [server, client].map(({ id: key_id, kind, name }) => ({ key_id, kind, name, role })),
      },
      [
        ...[server, client].map((key) => this.keyRow(project.id, key)),
        ...notificationsRow(project.id, { ...defaultNotifications(), ...change.notifications }),
      ],
      body.users ?? [],
    );
    if (isRefused(created)) return created;
    const found = await this.reads.find(project.id);
    if (isRefused(found)) return found;
    return {
      ...renderProject(found.state, found.notifications, webhookToken),
      server_side_key: newKeyResponse(server),
      client_side_key: newKeyResponse(client),
    };
  }

  /** Every project of the organisation, oldest first. */
  async list(call: CallContext, session: CallersSession): Promise<ProjectResponse[]> {
    const projects = await this.reads.list();
    if (hidesSecrets(session))
      return projects.map(({ state, notifications }) => renderProject(state, notifications, null));
    const project_ids = projects.map(({ state }) => state.project.id);
    const { webhook_tokens } = await this.webhooks.webhookTokens(call, { project_ids });
    return projects.map(({ state, notifications }) =>
      renderProject(state, notifications, webhook_tokens[state.project.id] ?? ''),
    );
  }

  async get(context: RequestContext, session: CallersSession): Promise<ProjectResponse | ManagementRefusal> {
    const found = await this.reads.find(context.project.id);
    if (isRefused(found)) return found;
    const token = hidesSecrets(session) ? null : await this.webhookTokenOf(context, context.project.id);
    return renderProject(found.state, found.notifications, token);
  }

  /** Changes what is sent. Refuses `invalid_payload`. */
  async update(
    context: RequestContext,
    body: UpdateProjectBody,
    session: CallersSession,
  ): Promise<ProjectResponse | ManagementRefusal> {
    const change = projectChange(body);
    if (isRefused(change)) return change;
    const { settings, access, notifications } = change;
    const executed = await this.projects.execute(
      context,
      { type: 'UpdateProject', settings, access },
      notificationsRow(context.project.id, notifications),
    );
    if (isRefused(executed)) return executed;
    if (executed.changed) await this.directory.settle();
    return this.get(context, session);
  }

  /** Deletes a project for good: its keys and tokens count no longer. Refuses `resource_protected` for the sandbox. */
  async delete(context: RequestContext): Promise<ManagementRefusal | null> {
    const executed = await this.projects.execute(context, { type: 'DeleteProject' });
    if (isRefused(executed)) return executed;
    await this.directory.settle();
    return null;
  }

  private newProject(
    { name, case_sensitive_codes, currency }: CreateProjectBody,
    { settings }: ProjectChange,
  ): ProjectContext {
    return {
      id: newId('proj_'),
      name,
      timezone: settings.timezone as string,
      currency,
      caseSensitiveCodes: case_sensitive_codes,
      apiVersion: 'v2018-08-01',
      webhookVersion: settings.webhook_version ?? 'v2024-01-01',
      cluster: this.config.cluster,
      ...withoutNull({ codeCharset: settings.code_charset ?? null }),
      ...(settings.error_messages && Object.keys(settings.error_messages).length > 0
        ? { errorMessages: settings.error_messages }
        : {}),
    };
  }

  private newKey(kind: NewKey['kind'], name: string): NewKey {
    return { kind, name, id: newId(`${this.config.cluster}-`), secret: newSecret() };
  }

  private keyRow(project_id: string, { id, kind, name, secret }: NewKey): RowChange {
    const secret_hash = `\\x${this.hashes.hash(id, secret).toString('hex')}`;
    return { insert: 'application_keys', values: { id, project_id, kind, name, role, secret_hash } };
  }

  private async webhookTokenOf(call: CallContext, projectId: string): Promise<string> {
    const { webhook_tokens } = await this.webhooks.webhookTokens(call, { project_ids: [projectId] });
    return webhook_tokens[projectId] ?? '';
  }
}
