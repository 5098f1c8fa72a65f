/** `FROM` of redemptions `r` with their facts `counts` (jsonb): null, or JSON null, where limits count nothing of them. A row
 *  that names its event has them there. Events before schema version 4 have none: their upcaster's rule, in SQL. */
export const countedRedemptions = `
  redemptions r
  LEFT JOIN LATERAL (
    SELECT e.data::jsonb AS data FROM events e
    WHERE e.project_id = r.project_id AND e.aggregate = 'redemption' AND e.stream_id = r.id
      AND e.version = r.snapshot_version AND e.recorded_at = r.snapshot_at
  ) s ON true
  CROSS JOIN LATERAL (SELECT coalesce(r.state, s.data)->'redemption' AS redemption) b
  CROSS JOIN LATERAL (
    SELECT coalesce(
      r.state->'counts',
      s.data->'counts',
      CASE WHEN r.result = 'SUCCESS' AND b.redemption->>'redemption' IS NULL
        AND b.redemption->>'related_object_type' <> 'redemption'
        AND (r.state IS NULL OR jsonb_typeof(r.state->'rollback') = 'null')
      THEN jsonb_build_object('day', left(b.redemption->>'date', 10), 'redeemables', jsonb_build_array(jsonb_build_object(
        'campaign_id', b.redemption#>'{voucher,campaign_id}',
        'object', b.redemption->'related_object_type',
        'object_id', b.redemption->'related_object_id',
        'order_amount', coalesce(b.redemption#>'{order,amount}', '0'),
        'discount_amount', coalesce(b.redemption#>'{order,total_applied_discount_amount}', '0'))))
      END) AS counts
  ) c`;

/** The counted redeemables of `counts`, as a set of rows. */
export const countedRedeemables = `jsonb_to_recordset(CASE WHEN jsonb_typeof(c.counts) = 'object' THEN c.counts->'redeemables' END)
  AS f(campaign_id text, object text, object_id text, order_amount bigint, discount_amount bigint, credits bigint)`;

/** The objects of scopes that a counted redeemable counts for. Equals `objectsOf`. */
export const countedObjects = `(VALUES ('campaign:' || f.campaign_id), ('incentives:' || f.campaign_id), (f.object || ':' || f.object_id)) AS o(object)`;

/** Whether a counted redeemable counts for the object of a scope. */
export const countsFor = (object: string): string =>
  `${object} IN ('campaign:' || f.campaign_id, 'incentives:' || f.campaign_id, f.object || ':' || f.object_id)`;

/** The object of the counter that a counted redeemable counts for in a scope of `object`. Equals `additionsOf`. */
export const counterOf = (object: string): string =>
  `CASE WHEN starts_with(${object}, 'incentives:') THEN ${object} || '/' || f.object || ':' || f.object_id ELSE ${object} END`;
