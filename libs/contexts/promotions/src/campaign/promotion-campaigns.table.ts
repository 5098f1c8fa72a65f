import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { CampaignSnapshot } from '@scrip/contracts/campaigns';
import type { PromotionCampaign, PromotionTierEvent } from '@scrip/contracts/promotions';
import type { Instant } from '@scrip/contracts/snapshot';
import { type AggregateStore, type EventStore, InjectEventStore, runQuery } from '@scrip/event-store';
import { isRefused, type RequestContext } from '@scrip/kernel';
import type { DataSource, EntityManager } from 'typeorm';
import { StacksOfCampaign } from '../stack/stacks-of-campaign';
import { tierAggregate } from '../tier/tier.aggregate';
import { decideTier, type TierState } from '../tier/tier.decider';

/** A campaign as an event of its stream left it. */
export type CampaignVersion = Omit<PromotionCampaign, 'tiers'>;

interface CampaignRow {
  campaign: CampaignSnapshot;
}

const asRows = (projectId: string, versions: readonly CampaignVersion[]): unknown[] => [
  projectId,
  JSON.stringify(
    versions.map(({ campaign, version, epoch }) => ({
      id: campaign.id,
      name: campaign.name,
      campaign,
      version,
      epoch,
    })),
  ),
];

const rowsOf = `jsonb_to_recordset($2::jsonb) AS r(id text, name text, campaign jsonb, version bigint, epoch int)`;

/** Promotion campaigns as far as this context heard of them. The row of one is the lock under which its tiers get their
 *  places, and its stacks their tiers. Source: ADR 116, ADR 120, ADR 123. */
@Injectable()
export class PromotionCampaigns {
  private readonly tiers: AggregateStore<TierState, PromotionTierEvent>;

  constructor(
    @InjectEventStore('promotions') store: EventStore,
    @InjectDataSource('promotions') private readonly dataSource: DataSource,
    private readonly stacks: StacksOfCampaign,
  ) {
    this.tiers = store.aggregate(tierAggregate);
  }

  /** The campaign of that id or name, the id wins; undefined where none was heard of. */
  async find(projectId: string, idOrName: string): Promise<CampaignSnapshot | undefined> {
    const [row] = await runQuery<CampaignRow>(
      this.dataSource,
      `SELECT campaign FROM promotion_campaigns
       WHERE project_id = $1 AND (id = $2 OR name = $2) AND NOT deleted ORDER BY (id = $2) DESC LIMIT 1`,
      [projectId, idOrName],
    );
    return row?.campaign;
  }

  /** Locks a campaign until the transaction ends; undefined where it is deleted or was not heard of. */
  async lock(manager: EntityManager, projectId: string, id: string): Promise<CampaignSnapshot | undefined> {
    const [row] = await runQuery<CampaignRow>(
      manager,
      `SELECT campaign FROM promotion_campaigns
       WHERE project_id = $1 AND id = $2 AND NOT deleted FOR NO KEY UPDATE`,
      [projectId, id],
    );
    return row?.campaign;
  }

  /** Stores campaigns that were not heard of, each with the tiers it was created with, in the caller's transaction. Returns the
   *  ids of those that were new. */
  async store(
    manager: EntityManager,
    context: RequestContext,
    campaigns: readonly PromotionCampaign[],
  ): Promise<string[]> {
    const stored = await runQuery<{ id: string }>(
      manager,
      `INSERT INTO promotion_campaigns (project_id, id, name, campaign, version, epoch)
         SELECT $1, r.id, r.name, r.campaign, r.version, r.epoch FROM ${rowsOf} ORDER BY r.id
       ON CONFLICT (project_id, id) DO NOTHING RETURNING id`,
      asRows(context.project.id, campaigns),
    );
    const ids = new Set(stored.map(({ id }) => id));
    const beginnings = campaigns
      .filter(({ campaign }) => ids.has(campaign.id))
      .flatMap(({ campaign, tiers }) =>
        tiers.map((promotion_tier) => ({
          streamId: promotion_tier.id,
          events: [{ type: 'PromotionTierCreated' as const, data: { promotion_tier, campaign } }],
        })),
      );
    if (beginnings.length > 0) await this.tiers.createMany(manager, context, beginnings);
    return [...ids];
  }

  /** Brings campaigns to newer versions, in the caller's transaction; older ones change nothing. */
  async refresh(
    manager: EntityManager,
    projectId: string,
    versions: readonly CampaignVersion[],
  ): Promise<void> {
    await runQuery(
      manager,
      `UPDATE promotion_campaigns c SET name = r.name, campaign = r.campaign, version = r.version, epoch = r.epoch
       FROM ${rowsOf} WHERE c.project_id = $1 AND c.id = r.id AND (c.epoch, c.version) < (r.epoch, r.version)`,
      asRows(projectId, versions),
    );
  }

  /** Deletes a campaign with its tiers and stacks, in the caller's transaction; repeated, it changes nothing. One that was not heard of is
   *  kept as deleted, so that nothing begins it. */
  async delete(
    manager: EntityManager,
    context: RequestContext,
    { deletedAt: now, ...version }: CampaignVersion & { deletedAt: Instant },
  ): Promise<void> {
    const { campaign } = version;
    await runQuery(
      manager,
      `INSERT INTO promotion_campaigns (project_id, id, name, campaign, version, epoch, deleted)
         SELECT $1, r.id, r.name, r.campaign, r.version, r.epoch, true FROM ${rowsOf}
       ON CONFLICT (project_id, id) DO UPDATE SET deleted = true`,
      asRows(context.project.id, [version]),
    );
    await this.stacks.deleteAll({ manager, context, campaign, now });
    const left = await runQuery<{ id: string }>(
      manager,
      'SELECT id FROM promotion_tiers WHERE project_id = $1 AND campaign_id = $2 AND NOT deleted ORDER BY id',
      [context.project.id, campaign.id],
    );
    const ids = left.map(({ id }) => id);
    const loaded = await this.tiers.loadMany(context.project.id, ids, manager);
    const changes = [...loaded].map(([id, { state, version: expectedVersion, epoch: expectedEpoch }]) => {
      const decided = decideTier({ type: 'DeleteTier', id, campaign, now, notify: false }, state);
      if (isRefused(decided)) throw new Error(`tier ${id} cannot go with its campaign: ${decided.details}`);
      return { streamId: id, state, expectedVersion, expectedEpoch, events: decided };
    });
    if (changes.length > 0) await this.tiers.commitMany(manager, context, changes);
  }
}
