/** Whether the customer did it or it came of something. Source: reference 06 §8. */
export type ActivityCategory = 'ACTION' | 'EFFECT';

const actions = [
  'customer.created',
  'customer.updated',
  'customer.deleted',
  'customer.confirmed',
  'customer.custom_event',
  'customer.redemption.succeeded',
  'customer.redemption.failed',
  'customer.redemption.rollback.succeeded',
  'customer.redemption.rollback.failed',
  'customer.validation.succeeded',
  'customer.validation.failed',
  'customer.publication.succeeded',
  'customer.publication.failed',
  'customer.order.created',
  'customer.order.updated',
  'customer.holder.assignment.created',
  'customer.holder.assignment.deleted',
  'customer.voucher.gift.balance_added',
  'customer.voucher.loyalty_card.points_added',
  'customer.voucher.loyalty_card.points_transferred',
] as const;

const messages = [
  'email',
  'sms',
  'braze',
  'mailchimp',
  'intercom',
  'shopify',
  'klaviyo',
  'batch',
  'activecampaign',
] as const;

const effects = [
  'customer.order.paid',
  'customer.order.canceled',
  'customer.order.fulfilled',
  'customer.order.processing',
  'customer.voucher.loyalty_card.points_expired',
  'customer.voucher.loyalty_card.points_activated',
  'customer.voucher.loyalty_card.pending_points.activated',
  'customer.voucher.loyalty_card.pending_points.added',
  'customer.voucher.loyalty_card.pending_points.canceled',
  'customer.voucher.loyalty_card.pending_points.updated',
  'customer.voucher.deleted',
  'customer.segment.entered',
  'customer.segment.left',
  'customer.referred',
  'customer.rewarded',
  'customer.rewarded.loyalty_points',
  'customer.reward_redemptions.created',
  'customer.reward_redemptions.pending',
  'customer.reward_redemptions.completed',
  'customer.reward_redemptions.rolledback',
  'customer.loyalty.updated',
  'customer.loyalty.tier.joined',
  'customer.loyalty.tier.left',
  'customer.loyalty.tier.upgraded',
  'customer.loyalty.tier.downgraded',
  'customer.loyalty.tier.prolonged',
  'customer.loyalty.tier.expiration.changed',
  ...messages.flatMap((by) =>
    (['sent', 'failed', 'recovered'] as const).map((end) => `customer.${by}.${end}` as const),
  ),
] as const;

/** A kind of activity. */
export type ActivityKind = (typeof actions)[number] | (typeof effects)[number];

/** All kinds, also those that nothing makes yet. Source: reference 06 §8. */
export const activityKinds: readonly ActivityKind[] = [...actions, ...effects];

const isAction = new Set<string>(actions);

/** The category of a kind. */
export const categoryOf = (kind: ActivityKind): ActivityCategory =>
  isAction.has(kind) ? 'ACTION' : 'EFFECT';
