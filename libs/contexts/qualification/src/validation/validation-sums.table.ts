import type { CampaignValidations } from '@scrip/contracts/qualification';
import { onDaysSql, quarterSql } from '@scrip/list-query';

/** Adds the validations of `written` to the sums of their campaigns, in the order of keys: no statement waits for another in a
 *  circle. A redeemable that was skipped counts for nothing. */
export const addedValidations = `
  INSERT INTO validation_sums AS t (project_id, campaign_id, quarter, succeeded, failed)
  SELECT w.project_id, r.campaign_id, ${quarterSql('w.created_at')},
    count(*) FILTER (WHERE r.status = 'APPLICABLE'), count(*) FILTER (WHERE r.status = 'INAPPLICABLE')
  FROM written w, jsonb_to_recordset(w.redeemables) AS r(campaign_id text, status text)
  WHERE r.campaign_id IS NOT NULL AND r.status <> 'SKIPPED'
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (project_id, campaign_id, quarter) DO UPDATE
    SET succeeded = t.succeeded + excluded.succeeded, failed = t.failed + excluded.failed`;

const days = { first: '$3', last: '$4', zone: '$5' };

/** Of the campaign $2 in the project $1, from the day $3 to $4 in the time zone $5. */
export const validationsSql = `
  SELECT coalesce(sum(succeeded), 0)::text AS succeeded, coalesce(sum(failed), 0)::text AS failed
  FROM validation_sums WHERE project_id = $1 AND campaign_id = $2 AND ${onDaysSql('quarter', days)}`;

/** What that statement answers. */
export type SummedValidations = Record<keyof CampaignValidations, string>;
