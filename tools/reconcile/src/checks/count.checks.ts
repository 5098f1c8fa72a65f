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
