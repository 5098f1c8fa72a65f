import { exportsMethods, type ExportsPort } from '../operations/exports.port';
import { definePort, type Refusal, type RequestContext } from '@scrip/kernel';
import {
  type HoldingOwner,
  type HoldRequest,
  type Participant,
  participantMethods,
  participantStreams,
} from '../claims';
import { tasksMethods, type TasksPort } from '../operations/tasks.port';
import type { PromotionCampaign } from '../promotions/promotions.port';
import { ruledObjectsMethods, type RuledObjectsPort } from '../qualification/ruled-objects.port';
import type { CategorySnapshot } from '../snapshot';
import { trashBinMethods, type TrashBinPort } from '../operations/trash-bin.port';
import type { CampaignSnapshot } from './campaign.snapshot';
import type { GiftTransaction } from './gift.events';
import { qualifyingMethods, type QualifyingPort } from './qualifying.port';
import type { RedeemableVoucher } from './redeemable-voucher';
import type { VoucherSnapshot } from './voucher.snapshot';

/** What a claim on a voucher or its refund answers. `transaction`: of the credits that it moved. `hold`: the claim used up what its
 *  session held. */
export interface GrantedVoucher {
  voucher: VoucherSnapshot;
  transaction?: GiftTransaction;
  hold?: true;
}

/** What a redemption stores of such an answer beside the voucher. */
export type VoucherAnswer = Pick<GrantedVoucher, 'transaction'>;

/** What other contexts may ask of campaigns. Vouchers are loaded by code or `v_` id, and claimed by id for `uses`, gift cards
 *  for `credits` too.
 *  Source: architecture §7, §8. */
export interface CampaignsPort
  extends
    Participant<RedeemableVoucher, GrantedVoucher>,
    HoldingOwner<RedeemableVoucher>,
    TasksPort,
    ExportsPort,
    TrashBinPort,
    RuledObjectsPort,
    QualifyingPort {
  /** Returns campaigns by id or name, in the order asked; null for each that does not exist. */
  loadCampaigns(
    context: RequestContext,
    request: { campaigns: string[] },
  ): Promise<(CampaignSnapshot | null)[]>;

  /** Returns a promotion campaign as it stands, by id or name, and the tiers it was created with. Refuses `not_found`, and
   *  `invalid_campaign` for a campaign of another kind. Source: reference 04 §10. */
  loadPromotion(
    context: RequestContext,
    request: { campaign: string },
  ): Promise<PromotionCampaign | Refusal<'not_found' | 'invalid_campaign'>>;

  /** Returns the category that a caller names by id or name; `category` null: none. A name that is not in use becomes a category
   *  under `new_id`, also when what asks for it is refused later. Refuses `not_found` for an unknown id, and `invalid_payload`
   *  for a new name where the project has as many as it can have. May be repeated. Source: reference 04 §9, §15. */
  chooseCategory(
    context: RequestContext,
    request: { category?: string | null; category_id?: string | null; new_id: string },
  ): Promise<{ category: CategorySnapshot | null } | Refusal<'not_found' | 'invalid_payload'>>;

  /** Returns categories as they are now, in any order; those that do not exist are left out. */
  loadCategories(
    context: RequestContext,
    request: { ids: readonly string[] },
  ): Promise<{ categories: CategorySnapshot[] }>;
}

export const campaignsPort = definePort<CampaignsPort>(
  'campaigns',
  [
    ...participantMethods,
    ...tasksMethods,
    ...exportsMethods,
    'loadCampaigns',
    ...trashBinMethods,
    ...ruledObjectsMethods,
    ...qualifyingMethods,
    'loadPromotion',
    'chooseCategory',
    'loadCategories',
    'hold',
  ],
  {
    ...participantStreams,
    hold: ({ objects: [first] }: HoldRequest): string | undefined => first?.object_id,
  },
);
