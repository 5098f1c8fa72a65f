import { claimsSuite, lostClaims } from '@scrip/claims/testing';
import type { GrantedVoucher } from '@scrip/contracts/campaigns';
import type { ObjectClaim } from '@scrip/claims';
import type { Claimed } from '@scrip/contracts/claims';
import { isRefused, newId } from '@scrip/kernel';
import { METRICS } from '@scrip/service';
import { rounds } from '@scrip/testing';
import { bootCampaigns, caller, type CampaignsFixture } from '../campaigns.fixture';
import { VoucherClaims } from '../claims/voucher-claims';
import { storeGiftCard } from './gift-card.fixture';

let fixture: CampaignsFixture;

beforeAll(async () => {
  fixture = await bootCampaigns();
});
afterAll(() => fixture?.running.close());

const share = 100;
const giftOf = async (id: string) => {
  const [loaded] = await fixture.port.load(caller(), { objects: [id] });
  if (!loaded || isRefused(loaded)) throw new Error(`no card ${id}`);
  return loaded.voucher.gift!;
};
const taken = async (id: string) => {
  const { amount, subtracted_amount, balance } = await giftOf(id);
  return (amount - subtracted_amount - balance) / share;
};

claimsSuite('the credits of gift cards', () =>
  Promise.resolve({
    participant: fixture.port,
    loop: fixture.get(VoucherClaims).loop,
    coordinator: fixture.outcomes,
    dataSource: fixture.database,
    table: 'claims',
    atOnce: 10,
    refusedWhenTaken: 'gift_amount_exceeded',
    context: () => caller(),
    objectFor: (count) => storeGiftCard(fixture.events, count * share),
    asks: () => Promise.resolve({ uses: 1, credits: share }),
    refund: ({ redemption_id, claim_id, object_id }) =>
      Promise.resolve({ redemption_id, claim_id, object_id, rollback_id: `rr_${claim_id}` }),
    taken,
    lost: (state) => lostClaims(fixture.running.app.get(METRICS, { strict: false }), 'campaigns', state),
  }),
);

const order = { id: 'ord_1', source_id: 'order-1' };
const claimOf = (object_id: string): ObjectClaim => ({
  redemption_id: newId('r_'),
  claim_id: newId('clm_'),
  object_id,
});
const claim = async (one: ObjectClaim, credits: number): Promise<Claimed<GrantedVoucher, unknown>> => {
  const { redemption_id, claim_id, object_id } = one;
  const asks = { uses: 1 as const, credits, spent_on: { redemption_id: `child of ${redemption_id}`, order } };
  const request = { redemption_id, claims: [{ claim_id, object_id, asks }], at_refusal: 'STOP' as const };
  const [answer] = await fixture.port.claim(caller(), request);
  return answer!;
};
const end = (one: ObjectClaim, verdict: 'RECORDED' | 'ABANDONED') => {
  if (verdict === 'RECORDED') fixture.outcomes.record(one.redemption_id, one.claim_id);
  else fixture.outcomes.abandon(one.redemption_id);
  return fixture.port.settle(caller(), { verdicts: [{ ...one, verdict }] });
};
const rollBack = (one: ObjectClaim) =>
  fixture.port.refund(caller(), { claims: [{ ...one, rollback_id: `rr_${one.claim_id}` }] });
const entriesOf = (id: string): Promise<Record<string, unknown>[]> =>
  fixture.database.query(
    `SELECT id, type, amount::int, total::int, balance::int, order_id, order_source_id, redemption_id, rollback_id,
       related_transaction_id, campaign_id, source_id, source, reason
     FROM voucher_transactions WHERE voucher_id = $1 ORDER BY id`,
    [id],
  );

describe('credits of a gift card', () => {
  it('are told of once the redemption is recorded, and once they came back', async () => {
    const id = await storeGiftCard(fixture.events, 1_000);
    const one = claimOf(id);
    const answer = await claim(one, 300);
    expect(answer).toMatchObject({
      granted: {
        voucher: { gift: { balance: 700 }, redemption: { redeemed_quantity: 1 } },
        transaction: { type: 'CREDITS_REDEMPTION', amount: -300, total: 1_000, balance: 700 },
      },
    });
    expect(await entriesOf(id)).toEqual([]);
    await Promise.all([end(one, 'RECORDED'), end(one, 'RECORDED')]);
    const { transaction } = (answer as { granted: GrantedVoucher }).granted;
    const redeemed = {
      id: transaction!.id,
      type: 'CREDITS_REDEMPTION',
      amount: -300,
      total: 1_000,
      balance: 700,
      order_id: order.id,
      order_source_id: order.source_id,
      redemption_id: `child of ${one.redemption_id}`,
      rollback_id: null,
      related_transaction_id: null,
      campaign_id: null,
      source_id: null,
      source: null,
      reason: null,
    };
    expect(await entriesOf(id)).toEqual([redeemed]);
    const [first] = await rollBack(one);
    expect(first).toMatchObject({
      granted: { voucher: { gift: { balance: 1_000 } }, transaction: { amount: 300, balance: 1_000 } },
    });
    const refunded = {
      ...redeemed,
      id: expect.stringMatching(/^vtx_/),
      type: 'CREDITS_REFUND',
      amount: 300,
      balance: 1_000,
      rollback_id: `rr_${one.claim_id}`,
      related_transaction_id: redeemed.id,
    };
    expect(await entriesOf(id)).toEqual([redeemed, refunded]);
  });

  it('come back with one transaction, however often the refund is repeated', async () => {
    const id = await storeGiftCard(fixture.events, 500);
    const one = claimOf(id);
    await claim(one, 500);
    await end(one, 'RECORDED');
    const [first] = await rollBack(one);
    const other = claimOf(id);
    await claim(other, 100);
    await end(other, 'RECORDED');
    const [again] = await rollBack(one);
    const transactionOf = (answer: unknown) => (answer as { granted: GrantedVoucher }).granted.transaction;
    expect(transactionOf(again)).toEqual(transactionOf(first));
    expect((await giftOf(id)).balance).toBe(400);
    expect(await entriesOf(id)).toHaveLength(3);
  });

  it('of an abandoned redemption are given back, and nobody is told', async () => {
    const id = await storeGiftCard(fixture.events, 500);
    const one = claimOf(id);
    await claim(one, 500);
    await end(one, 'ABANDONED');
    expect((await giftOf(id)).balance).toBe(500);
    expect(await entriesOf(id)).toEqual([]);
  });

  it('are not taken where no use is left, nor a use where no credits are', async () => {
    const noUse = await storeGiftCard(fixture.events, 500, {
      redemption: { quantity: 0, redeemed_quantity: 0 },
    });
    expect(await claim(claimOf(noUse), 100)).toMatchObject({ refusal: { refused: 'quantity_exceeded' } });
    const poor = await storeGiftCard(fixture.events, 99);
    expect(await claim(claimOf(poor), 100)).toMatchObject({
      refusal: { refused: 'gift_amount_exceeded', details: poor },
      facts: { voucher: { gift: { balance: 99 }, redemption: { redeemed_quantity: 0 } } },
    });
    const expired = await storeGiftCard(fixture.events, 500, { expiration_date: '2001-01-01T00:00:00.000Z' });
    expect(await claim(claimOf(expired), 100)).toMatchObject({ refusal: { refused: 'voucher_expired' } });
    expect((await giftOf(expired)).balance).toBe(500);
  });

  it('are conserved by redemptions, rollbacks, abandonments and changes by hand that race', async () => {
    const opening = 2_000;
    const id = await storeGiftCard(fixture.events, opening);
    const work = Array.from({ length: rounds(5_000) }, (_, n) => n);
    let sum = 0;
    const worker = async () => {
      for (let n = work.pop(); n !== undefined; n = work.pop()) {
        if (n % 4 === 0) {
          const amount = n % 8 === 0 ? 40 : -30;
          const { status } = await fixture.call('POST', `/v1/vouchers/${id}/balance`, { amount });
          if (status === 200) sum += amount;
          continue;
        }
        const one = claimOf(id);
        const credits = 1 + (n % 13) * 11;
        if ('refusal' in (await claim(one, credits))) continue;
        const recorded = n % 3 !== 0;
        await end(one, recorded ? 'RECORDED' : 'ABANDONED');
        if (recorded && n % 5 < 3) await rollBack(one);
        else if (recorded) sum -= credits;
      }
    };
    await Promise.all(Array.from({ length: 20 }, worker));
    const gift = await giftOf(id);
    expect(gift.balance).toBe(opening + sum);
    const entries = await entriesOf(id);
    expect(entries.reduce((all, { amount }) => all + (amount as number), opening)).toBe(gift.balance);
    expect(entries.filter(({ balance }) => (balance as number) < 0)).toEqual([]);
  });

  it('folds every card again to the state it has', async () => {
    expect(await fixture.events.verifyState()).toEqual([]);
  });
});
