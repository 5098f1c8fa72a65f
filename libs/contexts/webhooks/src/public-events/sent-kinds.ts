import type { WebhookKind } from './kinds';

/** A kind that is sent today: when, and the type of its `data` among the types of the wire. */
export interface SentKind {
  kind: WebhookKind;
  meaning: string;
  payload: string;
}

const sent = (kind: WebhookKind, payload: string, meaning: string): SentKind => ({ kind, meaning, payload });

/** The kinds that some domain event is rendered to. The others may be subscribed to, and are sent once what they tell of is
 *  served. A test holds the list against the renderers. Source: reference 06 §3. */
export const sentKinds: readonly SentKind[] = [
  sent(
    'redemption.succeeded',
    'RedemptionPayload',
    'A redeemable was redeemed; of a stack each, and the stack as a whole.',
  ),
  sent('redemption.failed', 'RedemptionPayload', 'A redemption was refused, and recorded as failed.'),
  sent(
    'redemption.rollback.succeeded',
    'RollbackPayload',
    'A redemption was rolled back; of a stack each, and the stack.',
  ),
  sent(
    'redemption.rollback.failed',
    'RollbackPayload',
    'A rollback was refused, because it was done before or comes too late.',
  ),
  sent('publication.succeeded', 'PublicationPayload', 'Codes were published to a customer.'),
  sent('voucher.published', 'VoucherPublishedPayload', 'A code was published; of a publication each.'),
  sent('voucher.created', 'VoucherPayload', 'A single code was made.'),
  sent('voucher.deleted', 'VoucherPayload', 'A single code was deleted; shown as it was.'),
  sent('voucher.updated', 'VoucherPayload', 'A single voucher was changed.'),
  sent('voucher.enabled', 'VoucherPayload', 'A disabled voucher can be used again.'),
  sent('voucher.disabled', 'VoucherPayload', 'A voucher cannot be used until it is enabled.'),
  sent('voucher.gift.balance_added', 'BalanceAddedPayload', 'Credits were added to a gift card by hand.'),
  sent(
    'voucher.gift.transaction.created',
    'GiftTransactionPayload',
    'Credits of a gift card moved: by hand, by a redemption, or by a rollback.',
  ),
  sent(
    'campaign.promotion_tier.created',
    'PromotionTierPayload',
    'A tier was created, with its campaign or later.',
  ),
  sent(
    'campaign.promotion_tier.updated',
    'PromotionTierPayload',
    'A tier was changed, or moved down by another one.',
  ),
  sent('campaign.promotion_tier.enabled', 'PromotionTierPayload', 'A tier was switched on.'),
  sent('campaign.promotion_tier.disabled', 'PromotionTierPayload', 'A tier was switched off.'),
  sent('campaign.promotion_tier.deleted', 'PromotionTierPayload', 'A tier was deleted; shown as it was.'),
  sent('campaign.promotion_stack.created', 'PromotionStackPayload', 'A stack of tiers was created.'),
  sent(
    'campaign.promotion_stack.updated',
    'PromotionStackPayload',
    'A stack was changed, or lost a tier that was deleted.',
  ),
  sent('campaign.created', 'CampaignCreatedPayload', 'A campaign was created.'),
  sent('campaign.updated', 'CampaignPayload', 'A campaign was changed.'),
  sent('campaign.enabled', 'CampaignPayload', 'A campaign was switched on.'),
  sent('campaign.disabled', 'CampaignPayload', 'A campaign was switched off.'),
  sent(
    'campaign.deleted',
    'CampaignDeletedPayload',
    'A campaign was deleted, with its vouchers; shown as it was.',
  ),
  sent(
    'campaign.vouchers.generation.started',
    'GenerationStartedPayload',
    'A background task began to make codes.',
  ),
  sent(
    'campaign.vouchers.generation.completed',
    'GenerationCompletedPayload',
    'A background task made all its codes.',
  ),
  sent(
    'campaign.vouchers.generation.failed',
    'GenerationFailedPayload',
    'A background task gave up; codes made before stay.',
  ),
  sent('campaign.vouchers.added', 'VouchersAddedPayload', 'Codes came to a campaign that existed.'),
  sent('business_validation_rule.created', 'RuleCreatedPayload', 'A validation rule was created.'),
  sent('business_validation_rule.updated', 'RuleUpdatedPayload', 'A validation rule was changed.'),
  sent('customer.created', 'CustomerPayload', 'A customer was stored for the first time.'),
  sent('customer.updated', 'CustomerPayload', 'A customer changed.'),
  sent('customer.deleted', 'CustomerPayload', 'A customer was deleted; shown as it was.'),
];
