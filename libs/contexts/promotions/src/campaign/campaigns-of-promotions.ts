import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type CampaignSnapshot, type CampaignsPort, campaignsPort } from '@scrip/contracts/campaigns';
import type { ChangedCampaign, PromotionCampaign } from '@scrip/contracts/promotions';
import type { CategorySnapshot } from '@scrip/contracts/snapshot';
import { type Categorised, type CategoryChoice, categoryFields } from '@scrip/incentives';
import { type IdSource, isRefused, type Refusal, type RequestContext } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import type { DataSource } from 'typeorm';
import { PromotionCampaigns } from './promotion-campaigns.table';

/** Why a campaign cannot have tiers. */
export type CampaignRefusal = Refusal<'not_found' | 'invalid_campaign'>;

/** Campaigns that tiers belong to: as this context heard of them, and as their owner has them. Source: ADR 116. */
@Injectable()
export class CampaignsOfPromotions {
  constructor(
    @InjectDataSource('promotions') private readonly dataSource: DataSource,
    @InjectPort(campaignsPort) private readonly owner: CampaignsPort,
    private readonly campaigns: PromotionCampaigns,
  ) {}

  /** As it was heard of, for what only reads; an unknown one is asked for. Refuses `not_found`, and `invalid_campaign` for a
   *  campaign of another kind. Throws `Fault` where the owner does not answer. */
  async known(context: RequestContext, idOrName: string): Promise<CampaignSnapshot | CampaignRefusal> {
    return (await this.campaigns.find(context.project.id, idOrName)) ?? this.current(context, idOrName);
  }

  /** As its owner has it now, and stored here. Refuses and throws as `known`. */
  async current(context: RequestContext, idOrName: string): Promise<CampaignSnapshot | CampaignRefusal> {
    const found = await this.owner.loadPromotion(context, { campaign: idOrName });
    if (isRefused(found)) return found;
    await this.store(context, found);
    return found.campaign;
  }

  /** Stores a campaign and its first tiers, once. Returns whether it was new. */
  store(context: RequestContext, campaign: PromotionCampaign): Promise<boolean> {
    return this.dataSource.transaction(
      async (manager) => (await this.campaigns.store(manager, context, [campaign])).length > 0,
    );
  }

  /** Brings a campaign to the version that its owner tells; of a deleted one tiers and stacks go with it. */
  change(context: RequestContext, { deleted_at, ...version }: ChangedCampaign): Promise<void> {
    return this.dataSource.transaction(async (manager) => {
      await this.campaigns.refresh(manager, context.project.id, [version]);
      if (deleted_at) await this.campaigns.delete(manager, context, { ...version, deletedAt: deleted_at });
    });
  }

  /** Tiers or stacks of one page with their categories as they are now, by one call; by none where they have none. Source:
   *  ADR 122. */
  async withCategories<Record extends Categorised>(
    context: RequestContext,
    found: readonly Record[],
  ): Promise<Record[]> {
    return found.map(await this.currentCategories(context, found));
  }

  /** What gives each of these its category as it is now, by one call; by none where they have none. */
  async currentCategories(
    context: RequestContext,
    found: readonly Categorised[],
  ): Promise<<Record extends Categorised>(record: Record) => Record> {
    const ids = [...new Set(found.flatMap(({ category_id }) => category_id ?? []))];
    if (ids.length === 0) return (record) => record;
    const { categories } = await this.owner.loadCategories(context, { ids });
    const known = new Map(categories.map((category) => [category.id, category]));
    return (record) =>
      record.category_id ? { ...record, ...categoryFields(known.get(record.category_id) ?? null) } : record;
  }

  /** The category that a caller names; null when none is. Refuses `not_found`, and `invalid_payload` where the project has too
   *  many. */
  async category(
    context: RequestContext,
    ids: IdSource,
    { category, category_id }: CategoryChoice,
  ): Promise<CategorySnapshot | null | Refusal<'not_found' | 'invalid_payload'>> {
    if (!category && !category_id) return null;
    const chosen = await this.owner.chooseCategory(context, {
      category: category ?? null,
      category_id: category_id ?? null,
      new_id: ids.next('cat_', 'category'),
    });
    return isRefused(chosen) ? chosen : chosen.category;
  }
}
