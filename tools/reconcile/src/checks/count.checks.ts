import { type Check, checkEach } from '../check';

/** Counts on vouchers against the claims that were counted. */
export const voucherCount: Check = checkEach('each voucher counts the uses that are claimed', {
  each: {
    in: 'campaigns',
    sql: `
      SELECT coalesce(v.project_id || ' ' || v.id, c.project_id || ' ' || c.object_id) AS key, v.id IS NOT NULL AS exists,
        coalesce((v.state->'voucher'->'redemption'->>'redeemed_quantity')::int, 0) AS counted,
        coalesce(c.uses, 0) AS uses
      FROM campaigns.vouchers v FULL JOIN (
        SELECT project_id, object_id, count(*)::int AS uses FROM campaigns.claims
        WHERE state IN ('PROVISIONAL', 'CONFIRMED') GROUP BY project_id, object_id
      ) c ON c.project_id = v.project_id AND c.object_id = v.id
      WHERE v.state IS NOT NULL OR c.uses IS NOT NULL`,
  },
  problem: ({ exists, counted, uses }) => {
    if (!exists) return `${uses} uses are claimed of a voucher that does not exist`;
    return counted === uses ? null : `counts ${counted} uses, but ${uses} are claimed`;
  },
});

/** What sessions hold of vouchers: the sums in the states against the holds that are counted, and holds that claims use up against
 *  those claims. Holds of vouchers that are gone, and expired ones that an abandoned claim did not give back, count for nothing until
 *  they are cleaned up. */
export const holdChecks: readonly Check[] = [
  checkEach('each voucher counts what sessions hold of it', {
    each: {
      in: 'campaigns',
      sql: `
        SELECT v.project_id || ' ' || v.id AS key,
          coalesce(v.state->'holds'->>'uses', '0') || ' uses, ' || coalesce(v.state->'holds'->>'credits', '0') || ' credits' AS counted,
          coalesce(h.uses, 0) || ' uses, ' || coalesce(h.credits, 0) || ' credits' AS held
        FROM campaigns.vouchers v LEFT JOIN (
          SELECT project_id, voucher_id, sum(uses) AS uses, sum(credits) AS credits FROM campaigns.voucher_holds
          WHERE claim_id IS NULL GROUP BY project_id, voucher_id
        ) h ON h.project_id = v.project_id AND h.voucher_id = v.id
        WHERE v.state ? 'holds' OR h.uses IS NOT NULL`,
    },
    problem: ({ counted, held }) =>
      counted === held ? null : `counts ${String(counted)}, but sessions hold ${String(held)}`,
  }),
  checkEach('each hold that is used up belongs to a claim under way', {
    each: {
      in: 'campaigns',
      sql: `
        SELECT h.project_id || ' ' || h.voucher_id || ' ' || h.session_key AS key, c.state
        FROM campaigns.voucher_holds h
        JOIN campaigns.vouchers v ON v.project_id = h.project_id AND v.id = h.voucher_id
        LEFT JOIN campaigns.claims c
          ON c.project_id = h.project_id AND c.object_id = h.voucher_id AND c.claim_id = h.claim_id
        WHERE h.claim_id IS NOT NULL AND h.expires_at > now()`,
    },
    problem: ({ state }) =>
      state === 'PROVISIONAL' ? null : `its claim is ${state === null ? 'unknown' : String(state)}`,
  }),
];
