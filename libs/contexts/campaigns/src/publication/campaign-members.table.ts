import { type FirstExpression, ofAnyLength, runQuery } from '@scrip/event-store';
import type { EntityManager } from 'typeorm';
import type { CampaignKey } from './campaign-key';

/** A customer's publication in a campaign. */
export interface Membership {
  customer_id: string;
  publication_id: string;
}

const joinSql = `
  WITH asked AS (SELECT * FROM unnest($3::text[], $4::text[]) AS a(customer_id, publication_id)),
  joined AS (
    INSERT INTO campaign_members (project_id, campaign_id, customer_id, publication_id)
    SELECT $1, $2, a.customer_id, a.publication_id FROM asked a ORDER BY a.customer_id
    ON CONFLICT DO NOTHING RETURNING publication_id
  )
  SELECT a.publication_id, j.publication_id IS NOT NULL AS joined, m.publication_id AS earlier
  FROM asked a
  LEFT JOIN joined j ON j.publication_id = a.publication_id
  LEFT JOIN campaign_members m ON m.project_id = $1 AND m.campaign_id = $2 AND m.customer_id = a.customer_id`;

/** Lets customers, each named once, join a campaign, in the caller's transaction: other transactions that do so for one of them wait
 *  until it ends. Returns, by publication, the one by which its customer had joined before; a publication that is
 *  not in it is the first of its customer. */
export const join = async (
  manager: EntityManager,
  { project_id, campaign_id }: CampaignKey,
  memberships: readonly Membership[],
): Promise<Map<string, string>> => {
  const customers = memberships.map(({ customer_id }) => customer_id);
  const publications = memberships.map(({ publication_id }) => publication_id);
  const rows = await runQuery<{ publication_id: string; joined: boolean; earlier: string | null }>(
    manager,
    joinSql,
    [project_id, campaign_id, customers, publications],
  );
  const before = rows.filter(({ joined }) => !joined);
  // The statement reads as of its beginning: a membership that it waited for is not in it.
  const unseen = new Set(before.filter(({ earlier }) => earlier === null).map((row) => row.publication_id));
  const waitedFor = await firstPublications(
    manager,
    { project_id, campaign_id },
    memberships.filter(({ publication_id }) => unseen.has(publication_id)),
  );
  return new Map(
    before.map(({ publication_id, earlier }) => [publication_id, earlier ?? waitedFor.get(publication_id)!]),
  );
};

/** As `join`, as part of a statement that does not ask who had joined before. */
export const joinFirst = (
  { project_id, campaign_id }: CampaignKey,
  memberships: readonly Membership[],
): FirstExpression => ({
  shape: 'first of campaign_members',
  values: [
    project_id,
    campaign_id,
    memberships.map(({ customer_id }) => customer_id),
    memberships.map(({ publication_id }) => publication_id),
  ],
  sql: ([project, campaign, customers, publications]) =>
    `INSERT INTO campaign_members (project_id, campaign_id, customer_id, publication_id)
    SELECT ${project}, ${campaign}, a.customer_id, a.publication_id
    FROM unnest(${ofAnyLength(customers!)}, ${ofAnyLength(publications!)}) AS a(customer_id, publication_id) ORDER BY a.customer_id
    ON CONFLICT DO NOTHING RETURNING 1`,
});

const firstPublications = async (
  manager: EntityManager,
  { project_id, campaign_id }: CampaignKey,
  memberships: readonly Membership[],
): Promise<Map<string, string>> => {
  if (memberships.length === 0) return new Map();
  const rows = await runQuery<Membership>(
    manager,
    `SELECT customer_id, publication_id FROM campaign_members
     WHERE project_id = $1 AND campaign_id = $2 AND customer_id = ANY($3)`,
    [project_id, campaign_id, memberships.map(({ customer_id }) => customer_id)],
  );
  const found = new Map(rows.map(({ customer_id, publication_id }) => [customer_id, publication_id]));
  return new Map(
    memberships.map(({ customer_id, publication_id }) => {
      const earlier = found.get(customer_id);
      if (!earlier)
        throw new Error(`customer ${customer_id} neither joins campaign ${campaign_id} nor has joined it`);
      return [publication_id, earlier];
    }),
  );
};

/** Takes back what joined by publications of the caller's transaction that are not made. */
export const leave = async (
  manager: EntityManager,
  { project_id, campaign_id }: CampaignKey,
  memberships: readonly Membership[],
): Promise<void> => {
  if (memberships.length === 0) return;
  await runQuery(
    manager,
    `DELETE FROM campaign_members m
     USING unnest($3::text[], $4::text[]) AS a(customer_id, publication_id)
     WHERE m.project_id = $1 AND m.campaign_id = $2 AND m.customer_id = a.customer_id
       AND m.publication_id = a.publication_id`,
    [
      project_id,
      campaign_id,
      memberships.map(({ customer_id }) => customer_id),
      memberships.map(({ publication_id }) => publication_id),
    ],
  );
};
