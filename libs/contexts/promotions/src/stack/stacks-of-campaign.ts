import { Injectable } from '@nestjs/common';
import type { PromotionStackEvent } from '@scrip/contracts/promotions';
import { type AggregateStore, type EventStore, InjectEventStore } from '@scrip/event-store';
import { isRefused } from '@scrip/kernel';
import type { CampaignWrite } from '../campaign/campaign-write';
import { stackAggregate } from './stack.aggregate';
import type { StackCommand } from './stack.commands';
import { decideStack, type StackState } from './stack.decider';
import { stackIdsOf } from './stack.table';

/** Stacks that follow what becomes of their campaign and its tiers, in the transaction that changes those. Source: ADR 123. */
@Injectable()
export class StacksOfCampaign {
  private readonly stacks: AggregateStore<StackState, PromotionStackEvent>;

  constructor(@InjectEventStore('promotions') store: EventStore) {
    this.stacks = store.aggregate(stackAggregate);
  }

  /** Takes a deleted tier out of the stacks that hold it; a stack that it leaves empty is deleted. */
  async dropTier(write: CampaignWrite, tier_id: string): Promise<void> {
    const { campaign, now } = write;
    const holding = await stackIdsOf(write, tier_id);
    await this.change(write, holding, (id) => ({ type: 'DropTier', id, tier_id, campaign, now }));
  }

  /** Deletes all stacks of a campaign. */
  async deleteAll(write: CampaignWrite): Promise<void> {
    const { campaign, now } = write;
    await this.change(write, await stackIdsOf(write), (id) => ({ type: 'DeleteStack', id, campaign, now }));
  }

  private async change(
    { manager, context }: CampaignWrite,
    ids: readonly string[],
    commandOf: (id: string) => StackCommand,
  ): Promise<void> {
    const loaded = await this.stacks.loadMany(context.project.id, ids, manager);
    const changes = [...loaded].map(([id, { state, version: expectedVersion, epoch: expectedEpoch }]) => {
      const events = decideStack(commandOf(id), state);
      if (isRefused(events)) throw new Error(`stack ${id} cannot follow: ${events.details}`);
      return { streamId: id, state, expectedVersion, expectedEpoch, events };
    });
    if (changes.length > 0) await this.stacks.commitMany(manager, context, changes);
  }
}
