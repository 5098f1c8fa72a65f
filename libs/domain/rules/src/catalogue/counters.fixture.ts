const periods = ['.daily', '.weekly', '.monthly'];
const every = (name: string): string[] => [name, ...periods.map((period) => name + period)];

/** Rules that count for one customer. */
export const perCustomer = [
  ...every('campaign.redemptions.customers_count'),
  ...every('redemption.count.per_customer'),
];
/** Rules that count for all of them. */
export const counters = [
  ...every('campaign.redemptions.count'),
  'redemption.count.daily',
  'redemption.count.weekly',
  'redemption.count.monthly',
  'redemption.count.per_api_key',
  'redemption.count.per_user',
  'campaign.orders.amount',
  'campaign.orders.amount_discounted',
  'redemption.gift.amount',
];
