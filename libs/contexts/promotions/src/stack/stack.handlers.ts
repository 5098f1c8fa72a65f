import { Injectable } from '@nestjs/common';
import type { PromotionStackEvent, PromotionStackSnapshot } from '@scrip/contracts/promotions';
import type { CategorySnapshot } from '@scrip/contracts/snapshot';
import { type AggregateStore, type EventStore, InjectEventStore, stateAfter } from '@scrip/event-store';
import { categoryFields } from '@scrip/incentives';
import { isRefused, type RequestContext } from '@scrip/kernel';
import { CampaignLock } from '../campaign/campaign-lock';
import type { CampaignWrite } from '../campaign/campaign-write';
import {
  campaignNotFound,
  type PromotionsRefusal,
  stackNotFound,
  tierNotFound,
  tooManyStacks,
} from '../promotions.refusals';
import { stackAggregate } from './stack.aggregate';
import type { StackCommand, UpdateStack } from './stack.commands';
import { decideStack, type StackState } from './stack.decider';
import type { StackOfCampaign } from './stack.reads';
import { liveTiersAmong, stackCountOf } from './stack.table';

/** How many stacks a campaign holds: a deleted tier may leave all of them. */
export const stacksPerCampaignMax = 300;

/** A stack to create. */
export type WantedStack = Pick<PromotionStackSnapshot, 'id' | 'campaign_id' | 'name' | 'tier_ids'> & {
  category: CategorySnapshot | null;
};

type Answer = PromotionStackSnapshot | PromotionsRefusal;

/** Creates, changes and deletes stacks under the lock of their campaign, so that no tier of theirs is deleted meanwhile.
 *  Source: ADR 123. */
@Injectable()
export class StackHandlers {
  private readonly stacks: AggregateStore<StackState, PromotionStackEvent>;

  constructor(
    @InjectEventStore('promotions') store: EventStore,
    private readonly lock: CampaignLock,
  ) {
    this.stacks = store.aggregate(stackAggregate);
  }

  /** Creates a stack; repeated under the same id, answers the stack as it is now. Refuses `not_found` (campaign, tier), and
   *  `invalid_campaign` where the campaign is full. */
  create(context: RequestContext, { category, ...wanted }: WantedStack): Promise<Answer> {
    const { id, campaign_id } = wanted;
    return this.lock.hold(
      context,
      campaign_id,
      async (write): Promise<Answer> => {
        const { manager, campaign, now } = write;
        const existing = (await this.stacks.loadMany(context.project.id, [id], manager)).get(id);
        if (existing) return existing.state.stack;
        const unknown = (await tiersMustExist(write, wanted.tier_ids)) ?? (await placeMustBeLeft(write));
        if (unknown) return unknown;
        const stack = { ...wanted, ...categoryFields(category), created_at: now, updated_at: null };
        const events = decideStack({ type: 'CreateStack', id, stack, campaign, now }, undefined);
        if (isRefused(events)) return events;
        await this.stacks.createMany(manager, context, [{ streamId: id, events }]);
        return stack;
      },
      campaignNotFound(campaign_id),
    );
  }

  /** Refuses `not_found` (campaign, stack, tier). */
  update(
    context: RequestContext,
    of: StackOfCampaign,
    wanted: Pick<UpdateStack, 'change' | 'category'>,
  ): Promise<Answer> {
    return this.lock.hold(
      context,
      of.campaignId,
      async (write) => {
        const found = await this.change(write, of, (at) => ({ type: 'UpdateStack', ...at, ...wanted }));
        if (isRefused(found)) return found;
        return (await tiersMustExist(write, wanted.change.tier_ids ?? [])) ?? found.commit();
      },
      campaignNotFound(of.campaignId),
    );
  }

  /** Deletes a stack for good. Refuses `not_found`. */
  delete(context: RequestContext, of: StackOfCampaign): Promise<Answer> {
    return this.lock.hold(
      context,
      of.campaignId,
      async (write) => {
        const found = await this.change(write, of, (at) => ({ type: 'DeleteStack', ...at }));
        return isRefused(found) ? found : found.commit();
      },
      campaignNotFound(of.campaignId),
    );
  }

  private async change(
    { manager, context, campaign, now }: CampaignWrite,
    { id, campaignId }: StackOfCampaign,
    commandOf: (at: Pick<StackCommand, 'id' | 'campaign' | 'now'>) => StackCommand,
  ): Promise<{ commit: () => Promise<PromotionStackSnapshot> } | PromotionsRefusal> {
    const loaded = (await this.stacks.loadMany(context.project.id, [id], manager)).get(id);
    if (loaded?.state.stack.campaign_id !== campaignId) return stackNotFound(id);
    const { state, version: expectedVersion, epoch: expectedEpoch } = loaded;
    const events = decideStack(commandOf({ id, campaign, now }), state);
    if (isRefused(events)) return events;
    return {
      commit: async () => {
        const change = { streamId: id, events, state, expectedVersion, expectedEpoch };
        if (events.length > 0) await this.stacks.commitMany(manager, context, [change]);
        return events.reduce<StackState | undefined>(
          (before, event) => stateAfter(stackAggregate, before, event),
          state,
        )!.stack;
      },
    };
  }
}

/** Refuses `not_found` for the first id that is none of a tier of the campaign. Source: reference 04 §15. */
const tiersMustExist = async (
  write: CampaignWrite,
  ids: readonly string[],
): Promise<PromotionsRefusal | null> => {
  if (ids.length === 0) return null;
  const known = await liveTiersAmong(write, ids);
  const unknown = ids.find((id) => !known.has(id));
  return unknown === undefined ? null : tierNotFound(unknown);
};

const placeMustBeLeft = async (write: CampaignWrite): Promise<PromotionsRefusal | null> =>
  (await stackCountOf(write)) < stacksPerCampaignMax ? null : tooManyStacks(stacksPerCampaignMax);
