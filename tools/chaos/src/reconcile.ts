import type { Scrip } from '@scrip/testing';
import type { Acknowledged } from './acknowledged';

/** How what is stored compares with what was told. All counts but `recorded` should be 0. */
export interface Reconciliation {
  recorded: number;
  /** Acknowledged, but not stored. */
  lost: number;
  /** Uses counted on vouchers above the recorded redemptions, or the other way round. */
  drift: number;
  /** Recorded redemptions beyond those acknowledged and those whose caller got no answer. */
  doubled: number;
  /** Recorded redemptions whose webhook never came. */
  undelivered: number;
}

interface Listed {
  id: string;
  date: string;
  result: string;
  object: string;
  voucher: { code: string } | null;
}

/** Everything listed, newest first, walking back by time, since pages end at 99. */
const allRedemptions = async (scrip: Scrip): Promise<Listed[]> => {
  const found: Listed[] = [];
  const known = new Set<string>();
  let before = '';
  for (;;) {
    const page: { redemptions: Listed[] } = await scrip.ask('GET', `/v1/redemptions?limit=100${before}`);
    const fresh = page.redemptions.filter(({ id }) => !known.has(id));
    const oldest = page.redemptions.at(-1);
    if (fresh.length === 0 || !oldest) return found;
    found.push(...fresh);
    for (const { id } of fresh) known.add(id);
    // Inclusive of the oldest instant: several may share it.
    before = `&created_at[before]=${new Date(Date.parse(oldest.date) + 1).toISOString()}`;
  }
};

/** Compares callers' answers, stored redemptions, voucher counts and received webhooks. */
export const reconcile = async (
  scrip: Scrip,
  codes: readonly string[],
  told: Acknowledged,
  deliveredRedemptions: ReadonlySet<string>,
): Promise<Reconciliation> => {
  const listed = await allRedemptions(scrip);
  const succeeded = listed.filter(({ result, object }) => result === 'SUCCESS' && object === 'redemption');
  const ids = new Set(succeeded.map(({ id }) => id));
  let drift = 0;
  for (const code of codes) {
    const voucher = await scrip.ask<{ redemption: { redeemed_quantity: number } }>(
      'GET',
      `/v1/vouchers/${code}`,
    );
    const recorded = succeeded.filter((redemption) => redemption.voucher?.code === code).length;
    drift += Math.abs(voucher.redemption.redeemed_quantity - recorded);
  }
  return {
    recorded: ids.size,
    lost: [...told.redemptions.keys()].filter((id) => !ids.has(id)).length,
    drift,
    doubled: Math.max(0, ids.size - told.redemptions.size - told.unanswered),
    undelivered: [...ids].filter((id) => !deliveredRedemptions.has(id)).length,
  };
};
