import { Module } from '@nestjs/common';
import { FakeCoordinator } from '@scrip/claims/testing';
import { authPort } from '@scrip/contracts/auth';
import { type CampaignSnapshot, type CampaignsPort, campaignsPort } from '@scrip/contracts/campaigns';
import { type PromotionCampaign, type PromotionsPort, promotionsPort } from '@scrip/contracts/promotions';
import { qualificationPort } from '@scrip/contracts/qualification';
import { embeddedEdge } from '@scrip/edge';
import { anyProjectAuth, httpCall, testProject } from '@scrip/edge/testing';
import type { EventStore } from '@scrip/event-store';
import { internalContext, notFound, type RequestContext, refuse, Secret } from '@scrip/kernel';
import { portToken, servedPortToken } from '@scrip/rpc';
import { bootScrip, readSettings, type RunningApp, ScripLogger } from '@scrip/service';
import { patientAnswers, preparedDatabase } from '@scrip/testing';
import type { DataSource } from 'typeorm';
import { promotionsContext } from './index';

/** A caller of a project with ten seconds of time. */
export const caller = (id = testProject.id): RequestContext => ({
  ...internalContext({ ...testProject, id }),
  channel: 'API',
  deadlineAt: Date.now() + 10_000,
});

/** The owner of campaigns, with those that a test gives it. */
export class FakeCampaigns implements Pick<
  CampaignsPort,
  'loadPromotion' | 'chooseCategory' | 'loadCategories'
> {
  readonly campaigns = new Map<string, PromotionCampaign>();

  add(campaign: CampaignSnapshot, tiers: PromotionCampaign['tiers'] = []): void {
    this.campaigns.set(campaign.id, { campaign, version: 1, epoch: 1, tiers });
  }

  loadPromotion: CampaignsPort['loadPromotion'] = async (_, { campaign: named }) => {
    const known = [...this.campaigns.values()];
    const found = known.find(({ campaign: { id, name } }) => id === named || name === named);
    if (!found) return notFound('campaign', named);
    return found.campaign.campaign_type === 'PROMOTION'
      ? found
      : refuse('invalid_campaign', `Campaign ${found.campaign.id} is not a promotion campaign.`);
  };

  chooseCategory: CampaignsPort['chooseCategory'] = async (_, { category, category_id, new_id }) => {
    if (category_id) return notFound('category', category_id);
    const created_at = '2026-03-31T10:00:00.000Z';
    const named = { id: new_id, name: category ?? '', hierarchy: 1, object: 'category' as const, created_at };
    return { category: category ? named : null };
  };

  loadCategories: CampaignsPort['loadCategories'] = async () => ({ categories: [] });
}

/** Promotions behind the edge, on a database of its own. */
export interface PromotionsFixture {
  running: RunningApp;
  port: PromotionsPort;
  owner: FakeCampaigns;
  /** The owner of rules. */
  coordinator: FakeCoordinator;
  database: DataSource;
  databaseUrl: string;
  events: EventStore;
  /** A call in a project, `proj_1` unless named. */
  call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    project?: string,
  ): Promise<{ status: number; body: any }>;
}

const promotionsDatabase = (): Promise<string> =>
  preparedDatabase('promotions', async (url) => (await bootPromotions(url)).running.close());

/** Boots it; `databaseUrl` to boot again on one database. */
export const bootPromotions = async (databaseUrl?: string): Promise<PromotionsFixture> => {
  const owner = new FakeCampaigns();
  @Module({ providers: [{ provide: servedPortToken(authPort), useValue: anyProjectAuth() }] })
  class AuthModule {}
  @Module({ providers: [{ provide: servedPortToken(campaignsPort), useValue: owner }] })
  class CampaignsModule {}
  const coordinator = new FakeCoordinator();
  @Module({ providers: [{ provide: servedPortToken(qualificationPort), useValue: coordinator }] })
  class QualificationModule {}
  const url = databaseUrl ?? (await promotionsDatabase());
  const running = await bootScrip({
    contexts: [
      { name: 'auth', module: AuthModule, migrations: [] },
      { name: 'campaigns', module: CampaignsModule, migrations: [] },
      { name: 'qualification', module: QualificationModule, migrations: [] },
      promotionsContext,
    ],
    config: {
      ...readSettings({ SCRIP_PORT: '0', ...patientAnswers }),
      masterKey: new Secret(Buffer.alloc(32, 7).toString('base64')),
      databaseUrl: new Secret(url),
    },
    edge: embeddedEdge,
    logger: new ScripLogger({ level: 'silent' }),
  });
  const send = httpCall(running.url);
  return {
    running,
    port: running.app.get<PromotionsPort>(portToken(promotionsPort), { strict: false }),
    owner,
    coordinator,
    database: running.app.get<DataSource>('promotionsDataSource', { strict: false }),
    databaseUrl: url,
    events: running.eventStores.get('promotions')!,
    call: (method, path, body, project = testProject.id) => {
      const headers = { 'x-app-id': 'app', 'x-app-token': project, 'content-type': 'application/json' };
      return send({ method, path, headers, body });
    },
  };
};
