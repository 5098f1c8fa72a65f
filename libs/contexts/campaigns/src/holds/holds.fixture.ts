import type { GrantedVoucher, RedeemableVoucher } from '@scrip/contracts/campaigns';
import type { Claimed, HoldAsks } from '@scrip/contracts/claims';
import { Fault, isRefused, newId } from '@scrip/kernel';
import { caller, type CampaignsFixture } from '../campaigns.fixture';
import type { ObjectClaim } from '@scrip/claims';

const week = 7 * 86_400_000;

/** Repeats a call that found no room in time, as callers do: holds had no turn then and changed nothing, and a claim of the same id
 *  counts once. */
const untilThereIsRoom = async <T>(call: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof Fault && error.kind === 'overloaded')) throw error;
    }
  }
};

/** What sessions and redemptions do to vouchers, through the port of campaigns. */
export const holdsOf = (fixture: CampaignsFixture) => {
  const load = async (id: string, session?: string): Promise<RedeemableVoucher> => {
    const request = { objects: [id], ...(session === undefined ? {} : { session }) };
    const [loaded] = await fixture.port.load(caller(), request);
    if (!loaded || isRefused(loaded)) throw new Error(`no voucher ${id}`);
    return loaded as RedeemableVoucher;
  };
  return {
    load,
    /** Holds vouchers; returns the keys of refusals. `credits`: of each. */
    async hold(
      session: string,
      ids: readonly string[],
      { credits, ttlMs = week }: { credits?: number; ttlMs?: number } = {},
    ): Promise<string[]> {
      const asks: HoldAsks = { uses: 1, ...(credits === undefined ? {} : { credits }) };
      const { refused } = await untilThereIsRoom(() =>
        fixture.port.hold(caller(), {
          session,
          expires_at: new Date(Date.now() + ttlMs).toISOString(),
          objects: ids.map((object_id) => ({ object_id, asks })),
        }),
      );
      return refused.map(({ refusal }) => refusal.refused);
    },
    async claim(
      one: ObjectClaim,
      { session, credits, replaces = [] }: { session?: string; credits?: number; replaces?: string[] } = {},
    ): Promise<Claimed<GrantedVoucher, RedeemableVoucher>> {
      const { redemption_id, claim_id, object_id } = one;
      const asks = {
        uses: 1 as const,
        ...(credits === undefined ? {} : { credits }),
        ...(session === undefined ? {} : { hold: { session } }),
      };
      const claims = [{ claim_id, object_id, asks, replaces }];
      // It takes out what has expired of a voucher, in a turn of holds.
      const [answer] = await untilThereIsRoom(() =>
        fixture.port.claim(caller(), { redemption_id, claims, at_refusal: 'STOP' }),
      );
      return answer!;
    },
    end(one: ObjectClaim, verdict: 'RECORDED' | 'ABANDONED'): Promise<null> {
      if (verdict === 'RECORDED') fixture.outcomes.record(one.redemption_id, one.claim_id);
      else fixture.outcomes.abandon(one.redemption_id);
      return fixture.port.settle(caller(), { verdicts: [{ ...one, verdict }] });
    },
    release: (id: string, session: string) =>
      fixture.call('DELETE', `/v1/vouchers/${id}/sessions/${encodeURIComponent(session)}`),
    /** Rows of a voucher, and what its state counts of them. */
    async drift(): Promise<object[]> {
      return fixture.database.query(`
        SELECT v.id, v.state->'holds' AS counted, h.uses, h.credits FROM vouchers v
        LEFT JOIN LATERAL (
          SELECT coalesce(sum(uses), 0) AS uses, coalesce(sum(credits), 0) AS credits, min(expires_at) AS first
          FROM voucher_holds h
          WHERE h.project_id = v.project_id AND h.voucher_id = v.id AND h.claim_id IS NULL) h ON true
        WHERE coalesce((v.state->'holds'->>'uses')::int, 0) <> h.uses
          OR coalesce((v.state->'holds'->>'credits')::bigint, 0) <> h.credits
          OR (v.state->'holds'->>'first_expiry')::timestamptz > h.first
        UNION ALL
        SELECT h.voucher_id, to_jsonb(c.state), 0, 0 FROM voucher_holds h
        LEFT JOIN claims c ON c.project_id = h.project_id AND c.object_id = h.voucher_id AND c.claim_id = h.claim_id
        WHERE h.claim_id IS NOT NULL AND h.expires_at > now() AND c.state IS DISTINCT FROM 'PROVISIONAL'`);
    },
  };
};

/** A claim on a voucher, with new ids. */
export const claimOf = (object_id: string): ObjectClaim => ({
  redemption_id: newId('r_'),
  claim_id: newId('clm_'),
  object_id,
});
