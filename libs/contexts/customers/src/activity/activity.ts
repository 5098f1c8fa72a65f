import type { CampaignSnapshot, PublicationEvent, ReferralEvent } from '@scrip/contracts/campaigns';
import type { CustomerEvent, OrderEvent, OrderSnapshot, SegmentEvent } from '@scrip/contracts/customers';
import type { RedemptionEvent, RedemptionSnapshot } from '@scrip/contracts/qualification';
import type { StoredEvent } from '@scrip/event-store';
import { publicationFact, renderHolder, simpleCampaign, simpleVoucher } from '@scrip/wire/campaigns';
import { simpleOrder } from '@scrip/wire/customers';
import { simplePromotionStack, simplePromotionTier } from '@scrip/wire/promotions';
import { simpleRedemption } from '@scrip/wire/qualification';
import { type ActivityCategory, type ActivityKind, categoryOf } from './activity-kinds';
import { type EventSource, eventSourceOf } from './event-source';

/** An activity as it is stored. `data` has nothing of the customer: that is added when it is shown. */
export interface Activity {
  project_id: string;
  customer_id: string;
  /** `evcus_…` */
  id: string;
  type: ActivityKind;
  category: ActivityCategory;
  created_at: string;
  campaign_id: string | null;
  campaign_type: string | null;
  product_ids: string[];
  group_id: string;
  source: EventSource;
  data: object;
  /** The customer as it was then, sealed; null: it is shown as it is now. */
  sealed: string | null;
}

type About = Pick<Activity, 'customer_id' | 'type'> & Partial<Activity>;

const activity = (event: StoredEvent, about: About): Activity => ({
  project_id: event.projectId,
  id: `evcus_${event.id.replaceAll('-', '')}`,
  category: categoryOf(about.type),
  created_at: event.recordedAt,
  campaign_id: null,
  campaign_type: null,
  product_ids: [],
  group_id: event.metadata.correlation_id,
  source: eventSourceOf(event.metadata),
  data: {},
  sealed: null,
  ...about,
});

/** What a customer's event tells of it; null: nothing that is shown. */
export const activityOfCustomer = (event: StoredEvent): Activity | null => {
  const { type, data } = event as unknown as CustomerEvent;
  switch (type) {
    case 'CustomerCreated': {
      const { customer_id, sealed, created_at } = data;
      return activity(event, {
        customer_id,
        sealed,
        type: 'customer.created',
        data: { updated_at: null, created_at },
      });
    }
    case 'CustomerUpdated': {
      const { customer_id, sealed, updated_at } = data;
      return activity(event, { customer_id, sealed, type: 'customer.updated', data: { updated_at } });
    }
    case 'CustomerDeleted':
    case 'CustomerErased':
      return null;
  }
};

const orderKinds = {
  OrderCreated: 'customer.order.created',
  OrderUpdated: 'customer.order.updated',
  OrderPaid: 'customer.order.paid',
  OrderCanceled: 'customer.order.canceled',
  OrderFulfilled: 'customer.order.fulfilled',
} as const satisfies Record<OrderEvent['type'], ActivityKind>;

const productsOf = (order: OrderSnapshot | null): string[] => [
  ...new Set((order?.items ?? []).flatMap((item) => item.product_id ?? item.product?.id ?? [])),
];

const isImport = ({ type, data }: OrderEvent): boolean => type === 'OrderCreated' && data.imported === true;

/** What an order's event tells of its customer; null of an order without one, and of the import of one.
 *  `order`: as the event leaves it. Source: reference 06 §8. */
export const activityOfOrder = (event: StoredEvent, order: OrderSnapshot): Activity | null =>
  order.customer_id === null || isImport(event as unknown as OrderEvent)
    ? null
    : activity(event, {
        customer_id: order.customer_id,
        type: orderKinds[event.type as OrderEvent['type']],
        product_ids: productsOf(order),
        data: { referrer_id: order.referrer_id, order: simpleOrder(order), redemption: null },
      });

const short = <T>(value: T | null | undefined, render: (value: T) => object): object | null =>
  value ? render(value) : null;

const shortOf = (redemption: RedemptionSnapshot) => ({
  order: short(redemption.order, simpleOrder),
  voucher: short(redemption.voucher, simpleVoucher),
  promotion_tier: short(redemption.promotion_tier, simplePromotionTier),
});

const ofCampaign = (campaign: CampaignSnapshot | null) => ({
  campaign_id: campaign?.id ?? null,
  campaign_type: campaign?.campaign_type ?? null,
});

const related = (subject: RedemptionSnapshot, campaign: CampaignSnapshot | null) => ({
  ...shortOf(subject),
  campaign: short(campaign, simpleCampaign),
  holder: null,
  promotion_stack: short(subject.promotion_stack, simplePromotionStack),
});

/** Its tracking id is added when it is read. */
const simple = (redemption: RedemptionSnapshot): object =>
  simpleRedemption(redemption, { customer: null, tracking_id: null, ...shortOf(redemption) });

const redemptionKinds = {
  RedemptionSucceeded: 'customer.redemption.succeeded',
  RedemptionFailed: 'customer.redemption.failed',
  RedemptionRolledBack: 'customer.redemption.rollback.succeeded',
  RedemptionRollbackFailed: 'customer.redemption.rollback.failed',
} as const satisfies Partial<Record<RedemptionEvent['type'], ActivityKind>>;

/** What a redemption's event tells of its customer; null without one, and where webhooks are not told either.
 *  Source: reference 06 §3, §8. */
export const activityOfRedemption = (event: StoredEvent): Activity | null => {
  const { type, data } = event as unknown as RedemptionEvent;
  if (type === 'RedemptionRollbackStarted' || data.redemption.customer_id === null) return null;
  if (type === 'RedemptionRollbackFailed' && !data.announced) return null;
  const { campaign } = data;
  const rollback = 'rollback' in data ? data.rollback : null;
  const redemption: RedemptionSnapshot = { order: rollback?.order ?? null, ...data.redemption };
  const subject = rollback ?? redemption;
  return activity(event, {
    customer_id: data.redemption.customer_id,
    type: redemptionKinds[type],
    ...ofCampaign(campaign),
    product_ids: productsOf(subject.order),
    data: {
      ...related(subject, campaign),
      redemption: simple(redemption),
      ...(rollback ? { redemption_rollback: simple(rollback) } : { created_at: redemption.date }),
    },
  });
};

/** What a publication's event tells of its customer; of holders only of those of referral codes. Source: reference 06 §8. */
export const activityOfPublication = (event: StoredEvent): Activity | null => {
  const { type, data } = event as unknown as PublicationEvent;
  const { campaign } = data;
  const shown = { campaign: short(campaign, simpleCampaign) };
  if (type === 'HolderAssigned' || type === 'HolderUnassigned') {
    const { holder, voucher } = data;
    if (!voucher) return null;
    return activity(event, {
      customer_id: holder.customer_id,
      type:
        type === 'HolderAssigned'
          ? 'customer.holder.assignment.created'
          : 'customer.holder.assignment.deleted',
      ...ofCampaign(campaign),
      data: { holder: renderHolder(holder), voucher: simpleVoucher(voucher), ...shown },
    });
  }
  const { publication } = data;
  return activity(event, {
    customer_id: publication.customer_id,
    type: type === 'PublicationSucceeded' ? 'customer.publication.succeeded' : 'customer.publication.failed',
    ...ofCampaign(campaign),
    data: { ...shown, publication: publicationFact(publication) },
  });
};

/** What a referral's event tells of the referee; null where it is revoked. Source: reference 06 §8. */
export const activityOfReferral = (event: StoredEvent): Activity | null => {
  const { type, data } = event as unknown as ReferralEvent;
  if (type === 'ReferralRevoked') return null;
  const { referral, voucher, campaign } = data;
  const { id, type: object } = referral.cause;
  return activity(event, {
    customer_id: referral.referee_id,
    type: 'customer.referred',
    ...ofCampaign(campaign),
    data: {
      referrer_id: referral.referrer_id,
      campaign: simpleCampaign(campaign),
      voucher: simpleVoucher(voucher),
      custom_event: object === 'event' ? { id, object } : null,
      redemption: object === 'redemption' ? { id, object } : null,
    },
  });
};

/** What a segment's event tells of a customer that entered or left; `name`: of the segment. */
export const activityOfSegment = (event: StoredEvent, name: string): Activity | null => {
  const { type, data } = event as unknown as SegmentEvent;
  if (type !== 'SegmentEntered' && type !== 'SegmentLeft') return null;
  return activity(event, {
    customer_id: data.customer_id,
    type: type === 'SegmentEntered' ? 'customer.segment.entered' : 'customer.segment.left',
    data: { segment: { id: data.segment_id, name, object: 'segment' } },
  });
};
