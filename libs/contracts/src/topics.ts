/** Topic of one aggregate's domain events: `scrip.{service}.{aggregate}.v{major}`. Source: spec 06 §9.1. */
export type Topic = `scrip.${string}.${string}.v${number}`;

const topic = <Service extends string, Aggregate extends string>(service: Service, aggregate: Aggregate) =>
  `scrip.${service}.${aggregate}.v1` as const;

/** Every topic that exists, by the aggregate it tells about. Source: spec 06 §9.2. */
export const topics = {
  project: topic('auth', 'project'),
  campaign: topic('campaigns', 'campaign'),
  voucher: topic('campaigns', 'voucher'),
  campaignTask: topic('campaigns', 'task'),
  customer: topic('customers', 'customer'),
  order: topic('customers', 'order'),
  redemption: topic('qualification', 'redemption'),
  endpoint: topic('webhooks', 'endpoint'),
} as const;
