import { Injectable, Module } from '@nestjs/common';
import { FakeCoordinator } from '@scrip/claims/testing';
import { type AuthPort, authPort } from '@scrip/contracts/auth';
import { type CampaignsPort, campaignsPort } from '@scrip/contracts/campaigns';
import { type CustomerSnapshot, type CustomersPort, customersPort } from '@scrip/contracts/customers';
import type { ClaimsRequest } from '@scrip/contracts/claims';
import {
  type ChangedCampaign,
  type PromotionCampaign,
  type PromotionsPort,
  promotionsPort,
} from '@scrip/contracts/promotions';
import { qualificationPort } from '@scrip/contracts/qualification';
import { embeddedEdge } from '@scrip/edge';
import type { EventStore } from '@scrip/event-store';
import { tierOf } from '@scrip/incentives';
import {
  isRefused,
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
import { patientAnswers, preparedDatabase, projectOf } from '@scrip/testing';
import { emptyBlocks } from '@scrip/wire/customers';
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
  loadManagedProject: AuthPort['loadManagedProject'] = this.loadProject;
  loadMetadataSchemas: AuthPort['loadMetadataSchemas'] = async () => ({ schemas: [] });
  loadLocations: AuthPort['loadLocations'] = async () => ({ locations: [] });
  keepLocations: AuthPort['keepLocations'] = async () => ({ locations: [] });
  restoreLocations: AuthPort['restoreLocations'] = async () => ({ renamed: [], created: [] });
  useLocations: AuthPort['useLocations'] = async () => ({ unknown: [] });
  enterAudit: AuthPort['enterAudit'] = async () => ({ told: 0 });
  countCalls: AuthPort['countCalls'] = async () => ({ calls: [] });
  loadStackingRules: AuthPort['loadStackingRules'] = async () => ({ version: 0, settings: null });
  releaseCategory: AuthPort['releaseCategory'] = async () => ({ removed: false });
}

/** A coordinator whose outcomes a test sets. */
@Injectable()
export class SetOutcomes extends FakeCoordinator {}

/** The owner of tiers: what campaigns were created with. */
@Injectable()
export class StoredPromotions implements PromotionsPort {
  readonly stored = new Map<string, PromotionCampaign>();

  load: PromotionsPort['load'] = async (_, { objects }) =>
    objects.map((id) => notFound('promotion_tier', id));

  storeCampaign: PromotionsPort['storeCampaign'] = async (_, created) => {
    const isNew = !this.stored.has(created.campaign.id);
    if (isNew) this.stored.set(created.campaign.id, created);
    return { stored: isNew };
  };
  /** What campaigns became, as it was told. */
  readonly changed: ChangedCampaign[] = [];

  changeCampaign: PromotionsPort['changeCampaign'] = async (_, changed) => {
    this.changed.push(changed);
    return null;
  };
  listTiers: PromotionsPort['listTiers'] = async (_, { campaign_ids }) => ({
    lists: campaign_ids.flatMap((campaign_id) => {
      const tiers = this.stored.get(campaign_id)?.tiers;
      return tiers ? [{ campaign_id, tiers, total: tiers.length }] : [];
    }),
    unknown: campaign_ids.filter((id) => !this.stored.has(id)),
  });
  newestTiers: PromotionsPort['newestTiers'] = async () => ({ ids: [] });
  loadTier: PromotionsPort['loadTier'] = async (_, { id }) =>
    [...this.stored.values()].flatMap(({ tiers }) => tiers).find((tier) => tier.id === id) ??
    notFound('promotion_tier', id);
  createTier: PromotionsPort['createTier'] = async (_, { id, campaign, fields, category, hierarchy }) => {
    const found = [...this.stored.values()].find((one) => one.campaign.name === campaign);
    if (!found) return notFound('campaign', campaign);
    const at = { id, campaign_id: found.campaign.id, hierarchy: hierarchy ?? 1, category };
    const tier = tierOf(fields, { ...at, now: '2026-03-31T10:00:00.000Z' });
    found.tiers.push(tier);
    return { tier, campaign: found.campaign };
  };
  resolveRuledObjects: PromotionsPort['resolveRuledObjects'] = async () => ({ gone: [] });
}

@Module({ providers: [servePort(authPort, KnownProjects)] })
class AuthModule {}

/** Customers by their source ids, which are part of their ids. */
@Injectable()
class KnownCustomers {
  resolve: CustomersPort['resolve'] = async (_, { customer: { id, source_id } }) => {
    if (id && !id.startsWith('cust_of_')) return notFound('customer', id);
    return customerOf(id ?? `cust_of_${source_id}`);
  };
  resolveAll: CustomersPort['resolveAll'] = async (context, { customers, store }) => {
    const found: CustomerSnapshot[] = [];
    for (const one of customers) {
      const resolved = await this.resolve(context, { ...one, store });
      if (isRefused(resolved)) return resolved;
      found.push(resolved);
    }
    return found;
  };
  loadCustomers: CustomersPort['loadCustomers'] = async (_, { ids }) => ids.map(customerOf);
  findWithBlocks: CustomersPort['findWithBlocks'] = async (context, { name }) => {
    const customer = await this.resolve(context, { customer: name, store: false, new_id: '' });
    return isRefused(customer) ? null : { customer, blocks: emptyBlocks() };
  };
  loadBlocks: CustomersPort['loadBlocks'] = async (_, { ids }) => ids.map(() => emptyBlocks());
}

@Module({ providers: [servePort(customersPort, KnownCustomers as never)] })
class CustomersModule {}

@Module({
  providers: [StoredPromotions, { provide: servedPortToken(promotionsPort), useExisting: StoredPromotions }],
})
class PromotionsModule {}

@Module({
  providers: [SetOutcomes, { provide: servedPortToken(qualificationPort), useExisting: SetOutcomes }],
})
class QualificationModule {}

const customerOf = (id: string): CustomerSnapshot => ({
  id,
  source_id: id.slice('cust_of_'.length),
  name: null,
  description: null,
  email: null,
  phone: null,
  birthdate: null,
  birthday: null,
  address: null,
  metadata: {},
  created_at: '2026-03-01T10:00:00.000Z',
  updated_at: null,
});

const around: ContextDefinition[] = [
  { name: 'customers', module: CustomersModule, migrations: [] },
  { name: 'auth', module: AuthModule, migrations: [] },
  { name: 'qualification', module: QualificationModule, migrations: [] },
  { name: 'promotions', module: PromotionsModule, migrations: [] },
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

/** A database in which campaigns ran before, without any data. */
export const campaignsDatabase = (): Promise<string> =>
  preparedDatabase('campaigns', async (url) => (await bootCampaigns(url)).running.close());

/** Boots it; `databaseUrl` to boot again on one database. */
export const bootCampaigns = async (databaseUrl?: string): Promise<CampaignsFixture> => {
  const url = databaseUrl ?? (await campaignsDatabase());
  const running = await bootScrip({
    contexts: [...around, campaignsContext],
    config: {
      ...readSettings({ SCRIP_PORT: '0', ...patientAnswers }),
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

/** A caller of the project with a minute of time. */
export const caller = (within: ProjectContext = project): RequestContext => ({
  ...internalContext(within),
  channel: 'API',
  deadlineAt: Date.now() + 60_000,
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
