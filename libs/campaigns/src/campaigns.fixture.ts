import { Injectable, Module } from '@nestjs/common';
import {
  type AuthPort,
  authPort,
  type CampaignsPort,
  campaignsPort,
  type Outcome,
  type QualificationPort,
  qualificationPort,
} from '@scrip/contracts';
import { embeddedEdge } from '@scrip/edge';
import type { EventStore } from '@scrip/event-store';
import {
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
import { createDatabase } from '@scrip/testing';
import type { DataSource } from 'typeorm';
import { campaignsContext } from './index';

export const project: ProjectContext = {
  id: 'proj_1',
  name: 'Demo',
  timezone: 'Europe/Warsaw',
  currency: 'EUR',
  caseSensitiveCodes: true,
  apiVersion: 'v2018-08-01',
  webhookVersion: 'v2024-01-01',
  cluster: 'eu1',
};

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
    projects.get(project_id) ?? refuse('not_found', `Cannot find project with id ${project_id}`);
}

/** A coordinator whose verdicts a test sets; whoever asks about another redemption abandons it. */
@Injectable()
export class SetVerdicts implements QualificationPort {
  readonly outcomes = new Map<string, Outcome>();
  readonly asked: string[] = [];

  record(redemption_id: string, claims: string[]): Outcome {
    const outcome: Outcome = { redemption_id, verdict: 'RECORDED', claims };
    this.outcomes.set(redemption_id, outcome);
    return outcome;
  }

  resolveOutcomes: QualificationPort['resolveOutcomes'] = async (_, { redemption_ids }) => {
    this.asked.push(...redemption_ids);
    return redemption_ids.map((redemption_id) => {
      const outcome = this.outcomes.get(redemption_id) ?? { redemption_id, verdict: 'ABANDONED', claims: [] };
      this.outcomes.set(redemption_id, outcome);
      return outcome;
    });
  };
  readOutcomes: QualificationPort['readOutcomes'] = async (_, { redemption_ids }) =>
    redemption_ids.flatMap((id) => this.outcomes.get(id) ?? []);
}

@Module({ providers: [servePort(authPort, KnownProjects)] })
class AuthModule {}

@Module({
  providers: [SetVerdicts, { provide: servedPortToken(qualificationPort), useExisting: SetVerdicts }],
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
  verdicts: SetVerdicts;
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
    verdicts: running.app.get(SetVerdicts, { strict: false }),
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

/** A claim request with fresh ids. */
export const claimOn = (voucher_id: string, replaces: string[] = []) => ({
  redemption_id: newId('r_'),
  claim_id: newId('cl_'),
  voucher_id,
  replaces,
});
