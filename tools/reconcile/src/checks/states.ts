const snapshotOf = (schema: string, aggregate: string): string => `
  LEFT JOIN LATERAL (
    SELECT data FROM ${schema}.events e WHERE e.project_id = t.project_id AND e.aggregate = '${aggregate}'
      AND e.stream_id = t.id AND e.version = t.snapshot_version AND e.recorded_at = t.snapshot_at LIMIT 1
  ) e ON true`;

/** Rows of redemptions with the `state` they are read with: where a row holds none, it names the event that does. */
export const redemptionStates = `(
  SELECT t.project_id, t.id, t.object, t.result, t.parent_redemption_id,
    coalesce(t.state, e.data::jsonb || '{"rollback": null}') AS state
  FROM qualification.redemptions t ${snapshotOf('qualification', 'redemption')}) redemptions`;

/** Rows of orders, likewise. */
export const orderStates = `(
  SELECT t.project_id, t.id, coalesce(t.state, (e.data->'order')::jsonb) AS state
  FROM customers.orders t ${snapshotOf('customers', 'order')}) orders`;
