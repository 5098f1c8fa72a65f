import type { Caller } from '../shape/caller';
import { untilSettled } from '../checks/settled';
import { type Scenario, none, told } from '../scenario';
import { startDistributed } from '../shape/distributed';

const callers = 64;
const limit = 500;
/** For the limited code to run out. */
const patienceSeconds = 300;

interface Counted {
  answered: number;
  refused: number;
  others: string[];
  perSecond: number;
}

const newCode = async (caller: Caller, code: string, quantity: number | null): Promise<void> => {
  const campaign = await caller.ask<{ id: string }>('POST', '/v1/campaigns', {
    name: `Popular ${code}`,
    campaign_type: 'DISCOUNT_COUPONS',
    voucher: {
      type: 'DISCOUNT_VOUCHER',
      discount: { type: 'AMOUNT', amount_off: 100 },
      redemption: { quantity },
    },
  });
  await caller.ask('POST', `/v1/campaigns/${campaign.id}/vouchers/${code}`, {});
};

/** Everybody redeems the code again and again, for `seconds` or until it has run out. */
const crowd = async (caller: Caller, code: string, seconds: number): Promise<Counted> => {
  const counted: Counted = { answered: 0, refused: 0, others: [], perSecond: 0 };
  const startedAt = Date.now();
  const redeem = async (): Promise<void> => {
    while (Date.now() < startedAt + seconds * 1_000 && counted.refused < callers) {
      const response = await fetch(`${caller.origin}/v1/redemptions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...caller.serverKeys },
        body: JSON.stringify({ redeemables: [{ object: 'voucher', id: code }] }),
      });
      const { key } = (await response.json()) as { key?: string };
      if (response.status === 200) counted.answered += 1;
      else if (key === 'quantity_exceeded' || key === 'multiple_requests') counted.refused += 1;
      else counted.others.push(`${response.status} ${key}`);
    }
  };
  await Promise.all(Array.from({ length: callers }, redeem));
  counted.perSecond = counted.answered / ((Date.now() - startedAt) / 1_000);
  return counted;
};

const countOf = async (caller: Caller, code: string): Promise<number> => {
  const voucher = await caller.ask<{ redemption: { redeemed_quantity: number } }>(
    'GET',
    `/v1/vouchers/${code}`,
  );
  return voucher.redemption.redeemed_quantity;
};

/** Redeems one code from many callers at once, over two replicas of campaigns. Figures: docs/reliability.md#popular-code. */
export const popularCode: Scenario = {
  name: 'popular-code',
  what: `no fault: ${callers} callers on one code, without a limit and with one of ${limit}, two replicas of campaigns`,
  seconds: 20,
  async run({ seconds, tell }) {
    const shape = await startDistributed();
    try {
      await newCode(shape, 'UNLIMITED', null);
      await newCode(shape, 'LIMITED', limit);
      const unlimited = await crowd(shape, 'UNLIMITED', seconds);
      const limited = await crowd(shape, 'LIMITED', patienceSeconds);
      const { differences, details } = await untilSettled(shape.databases, 60);
      for (const line of details) tell(line);
      const others = [...unlimited.others, ...limited.others];
      return [
        told('without a limit: answered 200', `${unlimited.answered} (${Math.round(unlimited.perSecond)}/s)`),
        none(
          'without a limit: counted beyond what was answered',
          (await countOf(shape, 'UNLIMITED')) - unlimited.answered,
        ),
        told(`limit of ${limit}: answered 200 / refused`, `${limited.answered} / ${limited.refused}`),
        none(
          `limit of ${limit}: counted beyond what was answered`,
          (await countOf(shape, 'LIMITED')) - limited.answered,
        ),
        none(`limit of ${limit}: answered beyond the limit, or short of it`, limited.answered - limit),
        {
          what: 'other answers',
          measured: others.length === 0 ? 0 : [...new Set(others)].join(', '),
          bar: '0',
          isMet: others.length === 0,
        },
        none('differences between contexts (npm run reconcile)', differences),
      ];
    } finally {
      await shape.stop();
    }
  },
};
