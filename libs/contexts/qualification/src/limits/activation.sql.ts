import { countedObjects, countedRedeemables, countedRedemptions, counterOf } from './counts.sql';

const channelSql = (type: string): string =>
  `CASE WHEN b.redemption#>>'{channel,channel_type}' = '${type}' THEN b.redemption#>>'{channel,channel_id}' END`;

const subjectSql = `
  CASE w.counted_by
    WHEN 'all' THEN ''
    WHEN 'customer' THEN r.customer_id
    WHEN 'api_key' THEN ${channelSql('API')}
    WHEN 'user' THEN ${channelSql('USER')}
  END`;

/** Wanted scopes `s` of parameters `$n` and `$n + 1`: objects, and what they are counted by. */
const scopesSql = (first: number): string =>
  `unnest($${first}::text[], $${first + 1}::text[]) AS s(object, counted_by)`;

/** What the redemptions of a snapshot come to in the counters of some scopes, less what these counters say. Parameters: the
 *  project, then the scopes. */
export const differencesSql = `
  WITH wanted AS (SELECT object COLLATE "C" AS object, counted_by FROM ${scopesSql(2)}),
  facts AS (
    SELECT w.object AS scope, w.counted_by, ${counterOf('w.object')} AS object, ${subjectSql} AS subject,
      (c.counts->>'day')::date AS day, f.order_amount, f.discount_amount, coalesce(f.credits, 0) AS credits
    FROM ${countedRedemptions}, ${countedRedeemables} CROSS JOIN LATERAL ${countedObjects}
    JOIN wanted w ON w.object = o.object
    WHERE r.project_id = $1
  ), actual AS (
    SELECT scope, counted_by, object, subject, p.day, count(*) AS redemptions, sum(order_amount) AS order_amount,
      sum(discount_amount) AS discount_amount, sum(credits) AS credits
    FROM facts, LATERAL (VALUES (facts.day), ('-infinity'::date)) AS p(day)
    WHERE subject IS NOT NULL GROUP BY 1, 2, 3, 4, 5
  ), counted AS (
    SELECT w.object AS scope, k.counted_by, k.object, k.subject, k.day, k.redemptions, k.order_amount, k.discount_amount,
      k.credits
    FROM wanted w JOIN limit_counters k ON k.project_id = $1 AND k.object >= w.object AND k.object < w.object || '0'
      AND (k.object = w.object OR starts_with(k.object, w.object || '/')) AND k.counted_by = w.counted_by
  )
  SELECT scope, counted_by, object, subject, day::text,
    (coalesce(a.redemptions, 0) - coalesce(c.redemptions, 0))::float8 AS redemptions,
    (coalesce(a.order_amount, 0) - coalesce(c.order_amount, 0))::float8 AS order_amount,
    (coalesce(a.discount_amount, 0) - coalesce(c.discount_amount, 0))::float8 AS discount_amount,
    (coalesce(a.credits, 0) - coalesce(c.credits, 0))::float8 AS credits
  FROM actual a FULL JOIN counted c USING (scope, counted_by, object, subject, day)
  WHERE (a.redemptions, a.order_amount, a.discount_amount, a.credits)
    IS DISTINCT FROM (c.redemptions, c.order_amount, c.discount_amount, c.credits)`;

/** Adds differences to counters, in the order in which all lock them. */
export const addDifferencesSql = `
  INSERT INTO limit_counters AS t (project_id, object, counted_by, subject, day, redemptions, order_amount, discount_amount, credits)
  SELECT $1, d.* FROM unnest($2::text[], $3::text[], $4::text[], $5::date[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[])
    AS d(object, counted_by, subject, day, redemptions, order_amount, discount_amount, credits)
  ORDER BY d.object COLLATE "C", d.counted_by COLLATE "C", d.subject COLLATE "C", d.day
  ON CONFLICT (project_id, object, counted_by, subject, day) DO UPDATE SET
    redemptions = t.redemptions + excluded.redemptions, order_amount = t.order_amount + excluded.order_amount,
    discount_amount = t.discount_amount + excluded.discount_amount, credits = t.credits + excluded.credits`;

/** Stores scopes that are not there yet. `$4`: their states. */
export const storeScopesSql = `
  INSERT INTO limit_scopes (project_id, object, counted_by, state)
  SELECT $1, s.* FROM unnest($2::text[], $3::text[], $4::text[]) AS s(object, counted_by, state)
  ORDER BY s.object COLLATE "C", s.counted_by COLLATE "C" ON CONFLICT DO NOTHING`;

/** Those of these scopes whose counters do not count everything yet. */
export const openScopesSql = `
  SELECT l.object, l.counted_by FROM limit_scopes l JOIN ${scopesSql(2)} USING (object, counted_by)
  WHERE l.project_id = $1 AND l.state = 'COUNTING'`;

/** Takes the turns on scopes that no execution counts; others are left out. `$4`: the lease, ms.
 *  Machine time: leases. */
export const takeTurnsSql = `
  WITH free AS (
    SELECT l.object, l.counted_by FROM limit_scopes l JOIN ${scopesSql(2)} USING (object, counted_by)
    WHERE l.project_id = $1 AND l.state = 'COUNTING' AND (l.lease_until IS NULL OR l.lease_until < now())
    ORDER BY l.object, l.counted_by FOR UPDATE OF l SKIP LOCKED
  ), turns AS (
    UPDATE limit_scopes l SET attempt = attempt + 1, lease_until = now() + make_interval(secs => $4::float8 / 1000)
    FROM free WHERE l.project_id = $1 AND l.object = free.object AND l.counted_by = free.counted_by
    RETURNING l.object, l.counted_by, l.attempt
  )
  SELECT object, counted_by, attempt FROM turns`;

/** Sets `set` of the scopes whose turns (objects, kinds, attempts) are still held; returns a row for each. */
export const heldTurnsSql = (set: string): string => `
  WITH mine AS (
    SELECT l.object, l.counted_by FROM limit_scopes l
    JOIN unnest($2::text[], $3::text[], $4::int[]) AS s(object, counted_by, attempt) USING (object, counted_by, attempt)
    WHERE l.project_id = $1 AND l.state = 'COUNTING'
    ORDER BY l.object, l.counted_by FOR UPDATE OF l
  ), held AS (
    UPDATE limit_scopes l SET ${set}
    FROM mine WHERE l.project_id = $1 AND l.object = mine.object AND l.counted_by = mine.counted_by RETURNING 1
  )
  SELECT 1 FROM held`;
