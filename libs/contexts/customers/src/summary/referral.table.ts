import type { ReferralEvent } from '@scrip/contracts/campaigns';
import type { StoredEvent } from '@scrip/event-store';
import type { EntityManager } from 'typeorm';
import { retestsOf } from '../segment/retest.table';

/** A referral as the newest event of its stream leaves it. `counted`: it was not revoked. */
export interface CountedReferral {
  project_id: string;
  /** The referee. */
  customer_id: string;
  campaign_id: string;
  campaign: string;
  referrer_id: string;
  related_object_id: string;
  related_object_type: string;
  referred_at: string;
  counted: boolean;
}

/** The referrals that events leave, each once. */
export const newestReferrals = (events: readonly StoredEvent[]): CountedReferral[] => {
  const newest = new Map<string, CountedReferral>();
  for (const { projectId, streamId, ...event } of events) {
    const { type, data } = event as unknown as ReferralEvent;
    const { referral } = data;
    newest.set(`${projectId}\n${streamId}`, {
      project_id: projectId,
      customer_id: referral.referee_id,
      campaign_id: referral.campaign_id,
      campaign: referral.campaign,
      referrer_id: referral.referrer_id,
      related_object_id: referral.cause.id,
      related_object_type: referral.cause.type,
      referred_at: referral.date,
      counted: type === 'CustomerReferred',
    });
  }
  return [...newest.values()];
};

const columns = `project_id, customer_id, campaign_id, campaign, referrer_id, related_object_id, related_object_type,
  referred_at, counted`;

const storeSql = `
  WITH told AS (
    SELECT ${columns} FROM jsonb_populate_recordset(NULL::customer_referrals, $1::jsonb)
  ), before AS (
    SELECT t.project_id, t.referrer_id, t.campaign_id, t.campaign, t.counted FROM customer_referrals t
    JOIN told n USING (project_id, customer_id, campaign_id)
  ), stored AS (
    INSERT INTO customer_referrals AS t (${columns})
    SELECT ${columns} FROM told ORDER BY project_id, customer_id, campaign_id
    ON CONFLICT (project_id, customer_id, campaign_id) DO UPDATE SET campaign = excluded.campaign,
      referrer_id = excluded.referrer_id, related_object_id = excluded.related_object_id,
      related_object_type = excluded.related_object_type, referred_at = excluded.referred_at,
      counted = excluded.counted
  ), moved AS (
    SELECT project_id, referrer_id AS customer_id, campaign_id, max(campaign) AS campaign, sum(step) AS step
    FROM (
      SELECT project_id, referrer_id, campaign_id, campaign, counted::int AS step FROM told
      UNION ALL
      SELECT project_id, referrer_id, campaign_id, campaign, -(counted::int) FROM before
    ) steps
    GROUP BY project_id, referrer_id, campaign_id
  ), touched AS (
    SELECT project_id, customer_id FROM told UNION SELECT project_id, customer_id FROM moved
  ), retests AS (${retestsOf('touched')})
  INSERT INTO customer_referred_sums AS t (project_id, customer_id, campaign_id, campaign, referred)
  SELECT project_id, customer_id, campaign_id, campaign, step FROM moved WHERE step <> 0
  ORDER BY project_id, customer_id, campaign_id
  ON CONFLICT (project_id, customer_id, campaign_id) DO UPDATE
    SET referred = t.referred + excluded.referred, campaign = excluded.campaign`;

/** Stores referrals, and moves the sums of the referrers by the difference. Each referral comes once. Source: ADR 97. */
export const storeReferrals = async (
  manager: EntityManager,
  referrals: readonly CountedReferral[],
): Promise<void> => {
  if (referrals.length > 0) await manager.query(storeSql, [JSON.stringify(referrals)]);
};
