import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { PromotionTierEvent, PromotionTierFields } from '@scrip/contracts/promotions';
import type { CategorySnapshot } from '@scrip/contracts/snapshot';
import {
  type AggregateStore,
  type EventStore,
  InjectEventStore,
  type Loaded,
  runQuery,
  stateAfter,
  type StreamChange,
} from '@scrip/event-store';
import { tierOf } from '@scrip/incentives';
import { creationRow } from '@scrip/incentives/rules';
import { type IdSource, isRefused, randomIds, type RequestContext } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import { CampaignLock } from '../campaign/campaign-lock';
import type { CampaignWrite } from '../campaign/campaign-write';
import { campaignNotFound, type PromotionsRefusal, tierNotFound, tooManyTiers } from '../promotions.refusals';
import { StacksOfCampaign } from '../stack/stacks-of-campaign';
import { lastPlaceOf, movedDown, type PlacedTier } from './places';
import { tierAggregate } from './tier.aggregate';
import type { TierCommand, UpdateTier } from './tier.commands';
import { decideTier, type TierState } from './tier.decider';
import type { TierWithCampaign } from './tier.reads';

/** How many tiers a campaign holds: one that takes a place may move all others. */
export const tiersPerCampaignMax = 300;

/** A tier to create. `hierarchy`: the place that the caller wants; null: the last one. */
export interface WantedTier {
  id: string;
  campaign_id: string;
  fields: PromotionTierFields;
  category: CategorySnapshot | null;
  hierarchy: number | null;
  /** Rules were assigned to it before. */
  ruled: boolean;
}

type Answer = TierWithCampaign | PromotionsRefusal;
type Change = StreamChange<TierState, PromotionTierEvent>;

/** Creates, changes and deletes tiers. All writes of a campaign's tiers run one after another, under the lock of its row.
 *  Source: ADR 120. */
@Injectable()
export class TierHandlers {
  private readonly tiers: AggregateStore<TierState, PromotionTierEvent>;

  constructor(
    @InjectEventStore('promotions') store: EventStore,
    @InjectDataSource('promotions') private readonly dataSource: DataSource,
    private readonly lock: CampaignLock,
    private readonly stacks: StacksOfCampaign,
  ) {
    this.tiers = store.aggregate(tierAggregate);
  }

  /** Creates a tier at its place; repeated under the same id, answers the tier as it is now. Refuses `not_found` (campaign), and
   *  `invalid_campaign` where the campaign is full. */
  create(context: RequestContext, wanted: WantedTier): Promise<Answer> {
    return this.lock.hold(
      context,
      wanted.campaign_id,
      async (write) => {
        const existing = (await this.load(write, [wanted.id])).get(wanted.id);
        if (existing) return { tier: existing.state.tier, campaign: write.campaign };
        const others = await placedTiers(write, wanted.campaign_id);
        if (others.length >= tiersPerCampaignMax) return tooManyTiers(tiersPerCampaignMax);
        const hierarchy = wanted.hierarchy ?? lastPlaceOf(others);
        const { id, campaign_id, category } = wanted;
        const { manager, campaign, now } = write;
        const tier = tierOf(wanted.fields, { id, campaign_id, hierarchy, category, now });
        const events = decideTier({ type: 'CreateTier', id, tier, campaign, now }, undefined);
        if (isRefused(events)) return events;
        await this.makeRoom(write, hierarchy, others);
        const rows = wanted.ruled ? [creationRow(context.project.id, id)] : [];
        await this.tiers.createMany(manager, context, [{ streamId: id, events, rows }]);
        return { tier, campaign };
      },
      campaignNotFound(wanted.campaign_id),
    );
  }

  /** Refuses as `decideTier`. */
  update(
    context: RequestContext,
    id: string,
    wanted: Pick<UpdateTier, 'change' | 'category' | 'hierarchy' | 'check'>,
  ): Promise<Answer> {
    return this.change(context, id, (at) => ({ type: 'UpdateTier', ...at, ...wanted }));
  }

  /** Once under the same `ids`: a repetition answers the tier as it is. Refuses `not_found`. */
  enable(context: RequestContext, ids: IdSource, id: string): Promise<Answer> {
    return this.change(context, id, (at) => ({ type: 'EnableTier', ...at }), ids);
  }

  /** As `enable`. */
  disable(context: RequestContext, ids: IdSource, id: string): Promise<Answer> {
    return this.change(context, id, (at) => ({ type: 'DisableTier', ...at }), ids);
  }

  /** Deletes a tier for good, and takes it out of its stacks. Refuses `not_found`. */
  delete(context: RequestContext, id: string): Promise<Answer> {
    return this.change(context, id, (at) => ({ type: 'DeleteTier', notify: true, ...at }));
  }

  private async change(
    context: RequestContext,
    id: string,
    commandOf: (at: Pick<TierCommand, 'id' | 'campaign' | 'now'>) => TierCommand,
    ids: IdSource = randomIds,
  ): Promise<Answer> {
    const campaignId = await this.campaignOf(context, id);
    if (campaignId === undefined) return tierNotFound(id);
    return this.lock.hold(
      context,
      campaignId,
      async (write) => {
        const { manager, campaign, now } = write;
        const loaded = (await this.load(write, [id])).get(id);
        const events = decideTier(commandOf({ id, campaign, now }), loaded?.state);
        if (isRefused(events)) return events;
        if (!loaded) throw new Error(`tier ${id} has no row`);
        const before = loaded.state.tier;
        if (await this.tiers.wasExecuted(manager, id, ids)) return { tier: before, campaign };
        const { tier: after, deleted } = events.reduce<TierState | undefined>(
          (state, event) => stateAfter(tierAggregate, state, event),
          loaded.state,
        )!;
        if (events.length === 0) return { tier: before, campaign };
        if (after.hierarchy !== before.hierarchy) {
          const others = (await placedTiers(write, campaignId)).filter((other) => other.id !== id);
          await this.makeRoom(write, after.hierarchy, others);
        }
        await this.tiers.commitMany(manager, context, [{ ...changeOf(id, loaded, events), eventIds: ids }]);
        if (deleted) await this.stacks.dropTier(write, id);
        return { tier: after, campaign };
      },
      tierNotFound(id),
    );
  }

  /** Moves down what stands at a place that another tier takes. */
  private async makeRoom(write: CampaignWrite, place: number, others: readonly PlacedTier[]): Promise<void> {
    const moved = movedDown(place, others);
    if (moved.length === 0) return;
    const { manager, context, campaign, now } = write;
    const loaded = await this.load(
      write,
      moved.map(({ id }) => id),
    );
    const changes = moved.map(({ id, hierarchy }) => {
      const stored = loaded.get(id);
      const events = decideTier({ type: 'MoveTier', id, hierarchy, campaign, now }, stored?.state);
      if (!stored || isRefused(events)) throw new Error(`tier ${id} cannot move`);
      return changeOf(id, stored, events);
    });
    await this.tiers.commitMany(manager, context, changes);
  }

  private async load(
    { manager, context }: CampaignWrite,
    ids: readonly string[],
  ): Promise<Map<string, Loaded<TierState>>> {
    const rows = await runQuery<Loaded<TierState> & { id: string }>(
      manager,
      `SELECT id, state, version::int AS version, epoch FROM promotion_tiers
       WHERE project_id = $1 AND id = ANY($2)`,
      [context.project.id, ids],
    );
    return new Map(rows.map(({ id, state, version, epoch }) => [id, { state, version, epoch }]));
  }

  /** The campaign of a tier never changes. */
  private async campaignOf({ project }: RequestContext, id: string): Promise<string | undefined> {
    const [row] = await runQuery<{ campaign_id: string }>(
      this.dataSource,
      'SELECT campaign_id FROM promotion_tiers WHERE project_id = $1 AND id = $2 AND NOT deleted',
      [project.id, id],
    );
    return row?.campaign_id;
  }
}

const changeOf = (
  streamId: string,
  { state, version, epoch }: Loaded<TierState>,
  events: readonly PromotionTierEvent[],
): Change => ({ streamId, events, state, expectedVersion: version, expectedEpoch: epoch });

const placedTiers = ({ manager, context }: CampaignWrite, campaignId: string): Promise<PlacedTier[]> =>
  runQuery<PlacedTier>(
    manager,
    `SELECT id, hierarchy FROM promotion_tiers WHERE project_id = $1 AND campaign_id = $2 AND NOT deleted`,
    [context.project.id, campaignId],
  );
