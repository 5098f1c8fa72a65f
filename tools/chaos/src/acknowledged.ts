import type { Scrip } from '@scrip/testing';

/** What callers of one run were told, by the redemption's id. Calls without an answer are not here: they may have
 *  happened once or not at all. */
export interface Acknowledged {
  redemptions: Map<string, { code: string }>;
  unanswered: number;
  refused: Map<string, number>;
}

export const nobodyYet = (): Acknowledged => ({ redemptions: new Map(), unanswered: 0, refused: new Map() });

/** Redeems `code` once and notes the answer. A connection that breaks counts as unanswered. */
export const redeem = async (scrip: Scrip, code: string, told: Acknowledged): Promise<void> => {
  let status: number;
  let answer: { redemptions?: { id: string }[]; key?: string };
  try {
    const response = await fetch(`${scrip.origin}/v1/redemptions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...scrip.serverKeys },
      body: JSON.stringify({ redeemables: [{ object: 'voucher', id: code }], order: { amount: 10_000 } }),
    });
    status = response.status;
    answer = (await response.json()) as typeof answer;
  } catch {
    told.unanswered += 1; // The process died meanwhile: whether it happened is for the reconciliation.
    return;
  }
  const id = answer.redemptions?.[0]?.id;
  if (status === 200 && id) told.redemptions.set(id, { code });
  else told.refused.set(`${status} ${answer.key}`, (told.refused.get(`${status} ${answer.key}`) ?? 0) + 1);
};
