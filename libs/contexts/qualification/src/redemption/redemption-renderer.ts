import { Injectable } from '@nestjs/common';
import type { CustomerSnapshot } from '@scrip/contracts/customers';
import type { RedemptionSnapshot } from '@scrip/contracts/qualification';
import type { ProjectContext } from '@scrip/kernel';
import type { StackingSettings } from '@scrip/order-calculation';
import { renderVoucher } from '@scrip/wire/campaigns';
import { type OrderResponse, renderOrder, simpleCustomer } from '@scrip/wire/customers';
import { renderRedeemedTier } from '@scrip/wire/promotions';
import { shownTrackingId, type TrackingIds } from '@scrip/wire/qualification';
import { expandedCategories } from '../rendering/stacking-rules';
import { KnownAssets } from '../rendering/known-assets';
import { InjectTrackingIds } from '../tracking/tracking-id.provider';
import {
  type RedemptionEntryResponse,
  type RedemptionRelations,
  type StepOrder,
  renderRedemption,
  renderRollback,
  stepOrder,
} from './redemption-entry.wire';

/** What an answer shows of a redemption beyond its own state. */
export interface Shown {
  customer: CustomerSnapshot | null;
  related?: RedemptionRelations['related_redemptions'];
  /** False leaves the order out, where the caller asked for other expansions. */
  withOrder?: boolean;
  /** False leaves the metadata out, likewise. */
  withMetadata?: boolean;
  /** The stacking rules that categories of vouchers are shown under; absent: they are shown by themselves. */
  categoriesUnder?: StackingSettings;
  /** Vouchers of lists are shown by id, code and campaign only. */
  briefly?: boolean;
}

/** Renders redemptions, failed redemptions and rollbacks for the API. Source: reference 03 §6.2, §7, §9, §10. */
@Injectable()
export class RedemptionRenderer {
  constructor(
    private readonly assets: KnownAssets,
    @InjectTrackingIds() private readonly tracking: TrackingIds,
  ) {}

  render(project: ProjectContext, entry: RedemptionSnapshot, shown: Shown): RedemptionEntryResponse {
    const { customer, related, withOrder = true, withMetadata = true } = shown;
    const relations = {
      customer: customer && simpleCustomer(customer),
      order: withOrder ? this.order(entry) : null,
      voucher: this.voucher(project, entry, shown),
      promotion_tier: entry.promotion_tier && renderRedeemedTier(entry.promotion_tier),
    };
    const visible = {
      ...entry,
      tracking_id: shownTrackingId(entry, customer, (identity) => this.tracking.encode(project.id, identity)),
      ...(withMetadata ? {} : { metadata: null }),
    };
    return entry.object === 'redemption'
      ? renderRedemption(visible, { ...relations, related_redemptions: related })
      : renderRollback(visible, relations);
  }

  /** A stack's child shows its step of the calculation, everything else its whole order. */
  private order({ order, redemption, object }: RedemptionSnapshot): OrderResponse | StepOrder | null {
    if (!order) return null;
    return object === 'redemption' && redemption !== null ? stepOrder(order) : renderOrder(order);
  }

  private voucher(
    project: ProjectContext,
    { voucher }: RedemptionSnapshot,
    { briefly = false, categoriesUnder }: Shown,
  ) {
    if (!voucher) return undefined;
    const { id, code, campaign, campaign_id } = voucher;
    if (briefly) return { id, code, campaign, campaign_id };
    const rendered = renderVoucher(voucher, this.assets.of(project.id, code));
    return categoriesUnder
      ? { ...rendered, categories: expandedCategories(rendered.categories, categoriesUnder) }
      : rendered;
  }
}
