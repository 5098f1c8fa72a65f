import { rounds } from '@scrip/testing';
import { bootCampaigns, type CampaignsFixture, coupons } from '../campaigns.fixture';
import { storeGiftCard } from './gift-card.fixture';

let fixture: CampaignsFixture;

beforeAll(async () => {
  fixture = await bootCampaigns();
});
afterAll(() => fixture?.running.close());

const card = (balance: number) => storeGiftCard(fixture.events, balance);
const adjust = (code: string, body: object, headers: Record<string, string> = {}) =>
  fixture.call('POST', `/v1/vouchers/${code}/balance`, body, headers);
const shown = async (code: string) => (await fixture.call('GET', `/v1/vouchers/${code}`)).body;

describe('POST /v1/vouchers/{code}/balance', () => {
  it('adds and takes away, and shows both on the voucher', async () => {
    const id = await card(10_000);
    expect(await adjust(id, { amount: 2_500, source_id: 'refill-1', reason: 'Birthday' })).toMatchObject({
      status: 200,
      body: {
        amount: 2_500,
        total: 12_500,
        balance: 12_500,
        type: 'gift_voucher',
        operation_type: 'MANUAL',
        object: 'balance',
        related_object: { type: 'voucher', id },
      },
    });
    expect((await adjust(id, { amount: -4_000 })).body).toMatchObject({ amount: -4_000, total: 8_500 });
    expect(await shown(id)).toMatchObject({
      gift: { amount: 12_500, subtracted_amount: 4_000, balance: 8_500 },
      redemption: { redeemed_amount: 0 },
      updated_at: expect.any(String),
    });
  });

  it.each([
    [{ amount: 0 }, 'invalid_add_balance_params', 'Property .amount must not be 0'],
    [{ amount: -101 }, 'gift_amount_exceeded', expect.stringMatching(/^v_/)],
    [{}, 'invalid_payload', "Payload should have required property 'amount'"],
    [{ amount: 1.5 }, 'invalid_payload', 'Property .amount should be integer'],
    [{ amount: '5' }, 'invalid_payload', 'Property .amount should be integer'],
  ])('refuses %j as %s', async (body, key, details) => {
    const id = await card(100);
    expect(await adjust(id, body)).toMatchObject({ status: 400, body: { key, details } });
    expect((await shown(id)).gift).toMatchObject({ amount: 100, balance: 100 });
  });

  it('refuses what would make the sums inexact', async () => {
    const id = await card(100);
    expect(await adjust(id, { amount: Number.MAX_SAFE_INTEGER })).toMatchObject({
      status: 400,
      body: { key: 'invalid_add_balance_params', message: 'Invalid add balance params' },
    });
  });

  it('refuses a discount voucher, and a voucher that does not exist', async () => {
    await fixture.call('POST', '/v1/campaigns', coupons('no balance'));
    const { body } = await fixture.call('POST', '/v1/campaigns/no balance/vouchers', {});
    expect(await adjust(body.code, { amount: 5 })).toMatchObject({
      status: 400,
      body: { key: 'invalid_add_balance_params' },
    });
    expect(await adjust('nobody', { amount: 5 })).toMatchObject({
      status: 404,
      body: { key: 'not_found', resource_type: 'voucher' },
    });
  });

  it('answers a repetition under one Idempotency-Key as the first call, and changes the balance once', async () => {
    const id = await card(100);
    const key = { 'idempotency-key': `balance-${id}` };
    const first = await adjust(id, { amount: 50 }, key);
    expect(first.body).toMatchObject({ balance: 150 });
    expect((await adjust(id, { amount: 50 }, key)).body).toEqual(first.body);
    expect((await shown(id)).gift.balance).toBe(150);
  });

  it('takes what fits of many racing changes, and never more', async () => {
    const id = await card(1_000);
    const changes = Array.from({ length: rounds(10_000) }, (_, n) => ((n * 7) % 21) - 12 || 1);
    const left = [...changes];
    let sum = 0;
    const worker = async () => {
      for (let amount = left.pop(); amount !== undefined; amount = left.pop()) {
        const { status, body } = await adjust(id, { amount });
        if (status === 200) {
          sum += amount;
          expect(body.balance).toBeGreaterThanOrEqual(0);
        } else expect(body.key).toBe('gift_amount_exceeded');
      }
    };
    await Promise.all(Array.from({ length: 25 }, worker));
    const { gift } = await shown(id);
    expect(gift.balance).toBe(1_000 + sum);
    expect(gift.amount - gift.subtracted_amount).toBe(gift.balance);
    expect(sum).toBeLessThan(0);
    const [entries] = await fixture.database.query(
      `SELECT count(*)::int AS count, sum(amount)::int AS sum, min(balance)::int AS least
       FROM voucher_transactions WHERE voucher_id = $1`,
      [id],
    );
    expect(entries).toMatchObject({ sum });
    expect(entries.least).toBeGreaterThanOrEqual(0);
  });

  it('folds every card again to the state it has', async () => {
    expect(await fixture.events.verifyState()).toEqual([]);
  });
});
