import { type Check, checkEach, checkExists } from '../check';
import type { Row, Source } from '../sorted-rows';
import { redemptionStates } from './states';

const listedClaims = `
  SELECT o.redemption_id || ' ' || c AS key
  FROM qualification.redemption_outcomes o CROSS JOIN jsonb_array_elements_text(o.claims) c
  WHERE o.verdict = 'RECORDED'`;

const rollback = `CASE WHEN state->'rollback' IS NULL OR state->>'rollback' IS NULL THEN 'NONE'
  WHEN (state->'rollback'->>'finished')::boolean THEN 'FINISHED' ELSE 'STARTED' END`;

// Rows of older releases list vouchers; newer ones list what any owner claimed. A parent lists the claims of its children, which are compared with the children.
const redeemedUses = `
  SELECT (state->'claims'->>'outcome_id') || ' ' || (c->>'claim_id') AS key,
    coalesce(c->>'object_id', c->>'voucher_id') AS claimed, ${rollback} AS rollback
  FROM ${redemptionStates}
    CROSS JOIN jsonb_array_elements(coalesce(state->'claims'->'redeemables', state->'claims'->'vouchers')) c
  WHERE object = 'redemption' AND result = 'SUCCESS' AND state->'redemption'->'stacked' IS NULL
    AND coalesce(c->>'participant', 'campaigns') = 'campaigns'`;

const redeemedOrders = `
  SELECT (state->'claims'->>'outcome_id') || ' ' || (state->'claims'->'order'->>'claim_id') AS key,
    state->'claims'->'order'->>'order_id' AS claimed, ${rollback} AS rollback
  FROM ${redemptionStates}
  WHERE object = 'redemption' AND result = 'SUCCESS' AND state->'claims'->>'order' IS NOT NULL`;

/** Where an owner keeps its claims. */
interface Owner {
  what: string;
  context: 'campaigns' | 'customers';
  table: string;
  redeemed: string;
}

const owners: readonly Owner[] = [
  {
    what: 'use of a voucher',
    context: 'campaigns',
    table: 'campaigns.claims',
    redeemed: redeemedUses,
  },
  {
    what: 'claim on an order',
    context: 'customers',
    table: 'customers.order_claims',
    redeemed: redeemedOrders,
  },
];

const inQualification = (sql: string): Source => ({ in: 'qualification', sql });

const redemptionMatches = (row: Row, claim: Row | undefined): string | null => {
  if (!claim) return 'its owner knows no such claim';
  if (claim.claimed !== row.claimed) return `its owner has it on ${claim.claimed}, not on ${row.claimed}`;
  if (claim.state === 'REVERTED') return 'the claim is REVERTED';
  if (row.rollback === 'FINISHED' && claim.state !== 'REFUNDED')
    return `rolled back, but the claim is ${claim.state}`;
  return null;
};

const ofOwner = ({ what, context, table, redeemed }: Owner, settleSeconds: number): Check[] => {
  const claims = (where: string): Source => ({
    in: context,
    sql: `SELECT redemption_id || ' ' || claim_id AS key, object_id AS claimed, state FROM ${table} WHERE ${where}`,
  });
  return [
    checkExists(
      `each confirmed ${what} is listed by a recorded verdict`,
      claims(`state IN ('CONFIRMED', 'REFUNDED')`),
      inQualification(listedClaims),
      'no recorded verdict lists it',
    ),
    checkEach(`each recorded ${what} stands at its owner`, {
      each: inQualification(redeemed),
      needs: claims('true'),
      problem: redemptionMatches,
    }),
    checkExists(
      `each refunded ${what} belongs to a rolled back redemption`,
      claims(`state = 'REFUNDED'`),
      inQualification(`SELECT key FROM (${redeemed}) r WHERE rollback <> 'NONE'`),
      'its redemption is not rolled back',
    ),
    checkEach(`no ${what} stays provisional`, {
      each: {
        in: context,
        sql: `SELECT redemption_id || ' ' || claim_id AS key, extract(epoch FROM now() - claimed_at)::int AS seconds
          FROM ${table} WHERE state = 'PROVISIONAL'`,
      },
      problem: ({ seconds }) => ((seconds as number) > settleSeconds ? `provisional for ${seconds} s` : null),
    }),
  ];
};

/** Owners' claims against the coordinator's verdicts. Source: architecture §8. */
export const claimChecks = (settleSeconds: number): Check[] => [
  ...owners.flatMap((owner) => ofOwner(owner, settleSeconds)),
  checkExists(
    'each claim that a recorded verdict lists is in a redemption',
    inQualification(listedClaims),
    inQualification(`SELECT key FROM (${redeemedUses}) u UNION ALL SELECT key FROM (${redeemedOrders}) o`),
    'no redemption row has it',
  ),
  checkExists(
    'each claim of a redemption is listed by its verdict',
    inQualification(`SELECT key FROM (${redeemedUses}) u UNION ALL SELECT key FROM (${redeemedOrders}) o`),
    inQualification(listedClaims),
    'no recorded verdict lists it',
  ),
];
