import type { HeldVoucher, RedeemableVoucher } from '@scrip/contracts/campaigns';
import type { RedeemableStack, RedeemableTier } from '@scrip/contracts/promotions';
import type { CategorySnapshot, Metadata } from '@scrip/contracts/snapshot';
import type { CandidateKind } from '../candidates/candidate';
import type { Place } from '../candidates/candidates.reads';
import { stackKind, tierKind } from '../participants/tier-kind';
import { voucherKind } from '../participants/voucher-kind';
import type { RedeemableKind } from '../participants/redeemable-kind';
import type { Candidate } from '../evaluation/evaluate';
import type { FilteredValues } from '../candidates/candidate-filters';

/** What `options.expand` shows of a candidate. */
export interface ShownFields {
  readonly metadata: Metadata;
  readonly name?: string;
  readonly banner?: string | null;
  readonly campaignName: string | null;
  readonly campaignId: string | null;
  readonly categories: readonly CategorySnapshot[];
}

/** A candidate with what its owner said of it. */
export interface LoadedCandidate {
  readonly object: CandidateKind;
  /** As answers name it: of a voucher its code. */
  readonly shownId: string;
  readonly place: Place;
  readonly shown: ShownFields;
  readonly filtered: FilteredValues;
  /** What is judged: of a stack its tiers in their order, else itself. */
  readonly parts: readonly Candidate[];
  /** The objects whose rules hold for each of the parts. */
  readonly ruled: readonly (readonly string[])[];
  readonly card?: { readonly points: number; readonly balance: number };
  /** Of a stack, in the order of `parts`. */
  readonly tiers?: readonly LoadedCandidate[];
  /** Of a gift card nothing is left. */
  readonly isEmpty: boolean;
}

const idsOf = (id: string, campaignId: string | null): string[] =>
  campaignId === null || campaignId === id ? [id] : [id, campaignId];

const noFields: FilteredValues = {
  category_id: null,
  campaign_id: null,
  campaign_type: null,
  resource_id: null,
  resource_type: null,
  voucher_type: null,
  code: null,
  holder_role: null,
};

/** A voucher, or with `object` campaign the code that a campaign stands for. */
export const loadedVoucher = (
  {
    voucher,
    campaign,
    held,
    holder_role = null,
  }: RedeemableVoucher & { holder_role?: HeldVoucher['holder_role'] | null },
  object: 'voucher' | 'campaign' = 'voucher',
): LoadedCandidate => {
  const { id, code, gift, loyalty_card: card, campaign_id, created_at } = voucher;
  // Who refers others with a code sees it in the wallet, though others redeem it.
  const found: RedeemableVoucher = {
    voucher: holder_role === 'REFERRER' ? { ...voucher, is_referral_code: false } : voucher,
    campaign,
    ...(held ? { held } : {}),
  };
  return {
    object,
    shownId: code,
    place: { created_at, id },
    shown: {
      metadata: voucher.metadata,
      ...(object === 'campaign' && campaign ? { name: campaign.name } : {}),
      campaignName: voucher.campaign,
      campaignId: campaign_id,
      categories: voucherKind.describe(found).categories,
    },
    filtered: {
      ...noFields,
      category_id: voucher.category_id ?? campaign?.category_id ?? null,
      campaign_id,
      campaign_type: campaign?.campaign_type ?? null,
      resource_id: id,
      resource_type: object,
      voucher_type: voucher.type,
      code: object === 'voucher' ? code : null,
      holder_role,
    },
    parts: [{ requested: { object: 'voucher', id: code }, kind: voucherKind as RedeemableKind, found }],
    ruled: [idsOf(id, campaign_id)],
    ...(card ? { card: { points: card.points, balance: card.balance } } : {}),
    isEmpty: gift !== null && gift.balance - (held?.credits ?? 0) <= 0,
  };
};

export const loadedTier = (found: RedeemableTier): LoadedCandidate => {
  const { promotion_tier: tier, campaign } = found;
  const { metadata, campaignName, campaignId, categories } = tierKind.describe(found);
  return {
    object: 'promotion_tier',
    shownId: tier.id,
    place: { created_at: tier.created_at, id: tier.id },
    shown: { metadata, name: tier.name, banner: tier.banner, campaignName, campaignId, categories },
    filtered: {
      ...noFields,
      category_id: tier.category_id ?? campaign.category_id,
      campaign_id: tier.campaign_id,
      campaign_type: 'PROMOTION',
      resource_id: tier.id,
      resource_type: 'promotion_tier',
    },
    parts: [
      { requested: { object: 'promotion_tier', id: tier.id }, kind: tierKind as RedeemableKind, found },
    ],
    ruled: [idsOf(tier.id, tier.campaign_id)],
    isEmpty: false,
  };
};

export const loadedStack = (found: RedeemableStack): LoadedCandidate => {
  const { promotion_stack: stack, campaign } = found;
  return {
    object: 'promotion_stack',
    shownId: stack.id,
    place: { created_at: stack.created_at, id: stack.id },
    shown: {
      metadata: {},
      name: stack.name,
      campaignName: campaign.name,
      campaignId: campaign.id,
      categories: stack.categories.length > 0 ? stack.categories : campaign.categories,
    },
    filtered: {
      ...noFields,
      category_id: stack.category_id ?? campaign.category_id,
      campaign_id: campaign.id,
      campaign_type: 'PROMOTION',
      resource_id: stack.id,
    },
    parts: stackKind.expand(found).map(({ kind, id, found: tier }) => ({
      requested: { object: kind.object, id },
      kind,
      found: tier,
    })),
    ruled: found.tiers.map((tier) => idsOf(tier.id, campaign.id)),
    tiers: found.tiers.map((promotion_tier) => loadedTier({ promotion_tier, campaign })),
    isEmpty: false,
  };
};
