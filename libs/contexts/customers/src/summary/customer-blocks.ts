import { type CustomerBlocks, emptyBlocks } from '@scrip/wire/customers';
import type { RedemptionCounts } from './redemption-summary';

/** A row of what orders say of a customer, as JSON has it. Amounts: minor units. */
interface OrderSums {
  total_amount: number;
  total_count: number;
  last_order_amount: number | null;
  last_order_at: string | null;
}

/** A referral of the customer, as JSON has it. */
interface ReferralRow {
  campaign_id: string;
  referrer_id: string;
  related_object_id: string;
  related_object_type: string;
  referred_at: string;
}

/** How many others the customer referred in a campaign. */
interface ReferredRow {
  campaign: string;
  referred: number;
}

/** What is stored of a customer's orders, redemptions and referrals; null: nothing. */
export interface CustomerSums {
  order_sums: OrderSums | null;
  redemption_sums: RedemptionCounts | null;
  /** What is left on the gift cards that the customer holds, minor units; null: holds none. */
  gift_balance: number | null;
  referrals: ReferralRow[] | null;
  referred: ReferredRow[] | null;
}

/** Columns of `CustomerSums`. `of`: the table whose `project_id` and `customer` columns name the customer. Each is a query of its own: a join
 *  would take PostgreSQL longer to begin than all of them to run, and with the sums joined as tables it may read all of them for a few
 *  customers. */
export const sumsOf = (of: string, customer: string): string => {
  const own = (table: string): string =>
    `FROM ${table} s WHERE s.project_id = ${of}.project_id AND s.customer_id = ${of}.${customer}`;
  return `
    (SELECT to_jsonb(s) ${own('customer_order_summaries')} LIMIT 1) AS order_sums,
    (SELECT to_jsonb(s) ${own('customer_redemption_summaries')} LIMIT 1) AS redemption_sums,
    (SELECT sum(s.balance)::float8 ${own('customer_gift_cards')}) AS gift_balance,
    (SELECT jsonb_agg(to_jsonb(s) ORDER BY s.referred_at, s.campaign_id) ${own('customer_referrals')} AND s.counted) AS referrals,
    (SELECT jsonb_agg(to_jsonb(s) ORDER BY s.campaign_id) ${own('customer_referred_sums')} AND s.referred > 0) AS referred`;
};

const ordersOf = (sums: OrderSums): CustomerBlocks['summary']['orders'] => ({
  total_amount: sums.total_amount,
  total_count: sums.total_count,
  average_amount: sums.total_count > 0 ? Math.round(sums.total_amount / sums.total_count) : 0,
  last_order_amount: sums.last_order_amount ?? 0,
  ...(sums.last_order_at === null ? {} : { last_order_date: new Date(sums.last_order_at).toISOString() }),
});

const redemptionsOf = (counts: RedemptionCounts): CustomerBlocks['summary']['redemptions'] => ({
  total_redeemed: counts.failed + counts.succeeded,
  total_failed: counts.failed,
  total_succeeded: counts.succeeded,
  total_rolled_back: counts.rollback_failed + counts.rollback_succeeded,
  total_rollback_failed: counts.rollback_failed,
  total_rollback_succeeded: counts.rollback_succeeded,
  gift: { redeemed_amount: counts.gift_amount, amount_to_go: 0 },
  loyalty_card: { redeemed_points: counts.points, points_to_go: 0 },
});

const referralsOf = (rows: readonly ReferralRow[]): CustomerBlocks['referrals'] => ({
  total: rows.length,
  campaigns: rows.map(
    ({ campaign_id, referrer_id, related_object_id, related_object_type, referred_at }) => ({
      campaign_id,
      referrer_id,
      related_object_id,
      related_object_type,
      date: new Date(referred_at).toISOString(),
    }),
  ),
});

/** Campaigns of one name, a deleted one among them, are one entry. */
const loyaltyOf = (
  rows: readonly ReferredRow[],
): Pick<CustomerBlocks['loyalty'], 'referred_customers' | 'campaigns'> => {
  const campaigns: CustomerBlocks['loyalty']['campaigns'] = {};
  for (const { campaign, referred } of rows) {
    const earlier = Object.hasOwn(campaigns, campaign) ? campaigns[campaign]!.referred_customers : 0;
    const entry = { points: 0, referred_customers: earlier + referred };
    Object.defineProperty(campaigns, campaign, { value: entry, enumerable: true, configurable: true });
  }
  return { referred_customers: rows.reduce((sum, { referred }) => sum + referred, 0), campaigns };
};

/** The blocks of a customer that other facts fill. Source: reference 07 §3. */
export const blocksOf = ({
  order_sums,
  redemption_sums,
  gift_balance,
  referrals,
  referred,
}: CustomerSums): CustomerBlocks => {
  const blocks = emptyBlocks();
  if (order_sums) blocks.summary.orders = ordersOf(order_sums);
  if (redemption_sums) blocks.summary.redemptions = redemptionsOf(redemption_sums);
  blocks.summary.redemptions.gift.amount_to_go = gift_balance ?? 0;
  if (referrals) blocks.referrals = referralsOf(referrals);
  if (referred) blocks.loyalty = { ...blocks.loyalty, ...loyaltyOf(referred) };
  return blocks;
};
