import { sharedScrip } from '@scrip/testing';
import { type Shop, shopOf } from './shop.fixture';

interface Rollback {
  id: string;
  redemption: string;
}

describe('POST /v1/redemptions/{parentRedemptionId}/rollbacks', () => {
  let shop: Shop;

  beforeAll(async () => {
    shop = shopOf((await sharedScrip()).call);
  });

  it('gives everything of a stack back, once for twenty callers', async () => {
    const codes = [await shop.newCode(1), await shop.newCode(1)];
    const redeemables = codes.map((id) => ({ object: 'voucher', id }));
    const order = { source_id: 'stacked-1', amount: 10_000 };
    const redeemed = await shop.post<{ parent_redemption: { id: string }; redemptions: { id: string }[] }>(
      '/v1/redemptions',
      { redeemables, order, customer: { source_id: 'ada' } },
    );
    const { parent_redemption, redemptions } = redeemed.body;
    const path = `/v1/redemptions/${parent_redemption.id}/rollbacks`;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => shop.post(path, { reason: 'returned' })),
    );
    const [rolledBack, ...others] = answers.filter(({ status }) => status === 200);
    expect(others).toEqual([]);
    for (const { status, body } of answers) {
      if (status === 200) continue;
      expect([status, body.key]).toEqual([
        400,
        expect.stringMatching(/^(multiple_requests|already_rolled_back)$/),
      ]);
    }
    const {
      rollbacks,
      parent_rollback,
      order: after,
    } = rolledBack!.body as {
      rollbacks: Rollback[];
      parent_rollback: Rollback;
      order: object;
    };
    expect(rollbacks.map(({ redemption }) => redemption)).toEqual(redemptions.map(({ id }) => id));
    expect(parent_rollback).toMatchObject({ redemption: parent_redemption.id, reason: 'returned' });
    expect(after).toMatchObject({
      source_id: 'stacked-1',
      status: 'CANCELED',
      total_amount: 10_000,
      redemptions: {
        [parent_redemption.id]: {
          rollback_id: parent_rollback.id,
          rollback_stacked: rollbacks.map(({ id }) => id),
        },
      },
    });
    expect(await Promise.all(codes.map((code) => shop.redeemedQuantity(code)))).toEqual([0, 0]);
  });
});
