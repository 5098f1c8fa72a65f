import { Injectable, Module } from '@nestjs/common';
import { FakeCoordinator } from '@scrip/claims/testing';
import { type AuthPort, authPort } from '@scrip/contracts/auth';
import { type CampaignsPort, campaignsPort } from '@scrip/contracts/campaigns';
import type { ClaimsRequest } from '@scrip/contracts/claims';
import { qualificationPort } from '@scrip/contracts/qualification';
import { embeddedEdge } from '@scrip/edge';
import type { EventStore } from '@scrip/event-store';
import {
  notFound,
  type ProjectContext,
  type RequestContext,
  Secret,
  internalContext,
  newId,
  refuse,
} from '@scrip/kernel';
import { portToken, servePort, servedPortToken } from '@scrip/rpc';
import {
  bootScrip,
  type ContextDefinition,
  readSettings,
  type RunningApp,
  ScripLogger,
} from '@scrip/service';
import { createDatabase, projectOf } from '@scrip/testing';
import type { DataSource } from 'typeorm';
import { campaignsContext } from './index';

export const project = projectOf({ timezone: 'Europe/Warsaw' });

/** A second project, which does not distinguish cases. */
export const foldingProject: ProjectContext = { ...project, id: 'proj_2', caseSensitiveCodes: false };

const projects = new Map([project, foldingProject].map((known) => [known.id, known]));

/** Server keys `app` / the project's id reach that project. */
@Injectable()
class KnownProjects implements AuthPort {
  authenticate: AuthPort['authenticate'] = async (_, { credentials }) => {
    const found = credentials.kind === 'server' ? projects.get(credentials.app_token) : undefined;
    return found
      ? {
          kind: 'server',
          key: { id: 'app', name: 'Server' },
          role: 'ADMIN',
          scopes: null,
          project: found,
          trusted_domains: [],
          client_switches: null,
        }
      : refuse('unauthorized');
  };
  loadProject: AuthPort['loadProject'] = async (_, { project_id }) =>
    projects.get(project_id) ?? notFound('project', project_id);
  loadMetadataSchemas: AuthPort['loadMetadataSchemas'] = async () => ({ schemas: [] });
  loadLocations: AuthPort['loadLocations'] = async () => ({ locations: [] });
  useLocations: AuthPort['useLocations'] = async () => ({ unknown: [] });
  enterAudit: AuthPort['enterAudit'] = async () => ({ told: 0 });
  loadStackingRules: AuthPort['loadStackingRules'] = async () => ({ version: 0, settings: null });
}

/** A coordinator whose outcomes a test sets. */
@Injectable()
export class SetOutcomes extends FakeCoordinator {}

@Module({ providers: [servePort(authPort, KnownProjects)] })
class AuthModule {}

@Module({
  providers: [SetOutcomes, { provide: servedPortToken(qualificationPort), useExisting: SetOutcomes }],
})
class QualificationModule {}

const around: ContextDefinition[] = [
  { name: 'auth', module: AuthModule, migrations: [] },
  { name: 'qualification', module: QualificationModule, migrations: [] },
];

/** An answer of the API. */
export interface Answer {
  status: number;
  body: any;
  headers: Headers;
}

/** Campaigns behind the edge, on a database of its own. */
export interface CampaignsFixture {
  running: RunningApp;
  port: CampaignsPort;
  outcomes: SetOutcomes;
  database: DataSource;
  databaseUrl: string;
  events: EventStore;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  get<T>(type: abstract new (...args: never[]) => T): T;
}

/** Boots it; `databaseUrl` to boot again on one database. */
export const bootCampaigns = async (databaseUrl?: string): Promise<CampaignsFixture> => {
  const url = databaseUrl ?? (await createDatabase('campaigns'));
  const running = await bootScrip({
    contexts: [...around, campaignsContext],
    config: {
      ...readSettings({ SCRIP_PORT: '0' }),
      masterKey: new Secret(Buffer.alloc(32, 7).toString('base64')),
      databaseUrl: new Secret(url),
    },
    edge: embeddedEdge,
    logger: new ScripLogger({ level: 'silent' }),
  });
  return {
    running,
    port: running.app.get<CampaignsPort>(portToken(campaignsPort), { strict: false }),
    outcomes: running.app.get(SetOutcomes, { strict: false }),
    database: running.app.get<DataSource>('campaignsDataSource', { strict: false }),
    databaseUrl: url,
    events: running.eventStores.get('campaigns')!,
    get: (type) => running.app.get(type, { strict: false }),
    call: async (method, path, body, headers = {}) => {
      const response = await fetch(`${running.url}${path}`, {
        method,
        headers: {
          'x-app-id': 'app',
          'x-app-token': project.id,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const isJson = response.headers.get('content-type')?.includes('json') ?? false;
      const answer: unknown = isJson ? await response.json() : Buffer.from(await response.arrayBuffer());
      return { status: response.status, body: answer, headers: response.headers };
    },
  };
};

/** A caller of the project with ten seconds of time. */
export const caller = (within: ProjectContext = project): RequestContext => ({
  ...internalContext(within),
  channel: 'API',
  deadlineAt: Date.now() + 10_000,
});

/** A campaign's body: 10 % off, further fields as given. */
export const coupons = (
  name: string,
  fields: Record<string, unknown> = {},
  voucher: Record<string, unknown> = {},
) => ({
  name,
  campaign_type: 'DISCOUNT_COUPONS',
  voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 }, ...voucher },
  ...fields,
});

/** A claim with fresh ids. */
export const claimOn = (object_id: string, replaces: string[] = []) => ({
  redemption_id: newId('r_'),
  claim_id: newId('cl_'),
  object_id,
  replaces,
});

/** What a redemption asks under one claim. */
export const requestOf = ({ redemption_id, ...claim }: ReturnType<typeof claimOn>): ClaimsRequest => ({
  redemption_id,
  claims: [{ ...claim, asks: { uses: 1 } }],
  at_refusal: 'STOP',
});
