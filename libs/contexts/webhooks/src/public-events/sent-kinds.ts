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
  sent('voucher.created', 'VoucherCreatedPayload', 'A single code was made.'),
  sent('campaign.created', 'CampaignCreatedPayload', 'A campaign was created.'),
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
  sent('customer.created', 'CustomerPayload', 'A customer was stored for the first time.'),
  sent('customer.updated', 'CustomerPayload', 'A customer changed.'),
  sent('customer.deleted', 'CustomerPayload', 'A customer was deleted; shown as it was.'),
];
