import { sharedScrip } from '@scrip/testing';
import { type Shop, shopOf } from './shop.fixture';

interface Redeemed {
  redemptions: { id: string }[];
  order: { id: string; total_amount: number; items: { discount_amount?: number }[] };
}

describe('several redemptions of one order', () => {
  let shop: Shop;

  beforeAll(async () => {
    shop = shopOf((await sharedScrip()).call);
  });

  const items = [
    { product_id: 'prod_mug', price: 2_000, quantity: 1 },
    { product_id: 'prod_jug', price: 3_000, quantity: 2 },
  ];

  const codeOf = (amountOff: number): Promise<string> =>
    shop.newCode(1, { type: 'AMOUNT', amount_off: amountOff, effect: 'APPLY_TO_ITEMS' });

  const redeem = async (amountOff: number, order: object): Promise<Redeemed> => {
    const redeemables = [{ object: 'voucher', id: await codeOf(amountOff) }];
    const { status, body } = await shop.post<Redeemed>('/v1/redemptions', { redeemables, order });
    expect(status).toBe(200);
    return body;
  };

  const rollBack = async ({ redemptions }: Redeemed): Promise<Redeemed['order']> => {
    const { status, body } = await shop.post<{ order: Redeemed['order'] }>(
      `/v1/redemptions/${redemptions[0]!.id}/rollback`,
      {},
    );
    expect(status).toBe(200);
    return body.order;
  };

  const lineDiscounts = ({ items: lines }: Redeemed['order']) => lines.map((line) => line.discount_amount);

  it('a rollback leaves what another redemption took after the items were sent again', async () => {
    const first = await redeem(300, { items });
    expect(lineDiscounts(first.order)).toEqual([300, 300]);
    const second = await redeem(200, { id: first.order.id, items });
    expect(lineDiscounts(second.order)).toEqual([200, 200]);
    const left = await rollBack(first);
    expect([left.total_amount, ...lineDiscounts(left)]).toEqual([7_600, 200, 200]);
    const nothing = await rollBack(second);
    expect([nothing.total_amount, ...lineDiscounts(nothing)]).toEqual([8_000, undefined, undefined]);
    expect(JSON.stringify(nothing)).not.toContain('difference');
  });

  it('takes the stored order where its source_id is sent again, and shows that it did', async () => {
    interface Shown {
      id: string;
      created_at: string;
      amount: number;
      items: { quantity: number }[];
    }
    const source_id = `reused-${Date.now()}`;
    const code = await codeOf(10);
    const storedOrderOf = async (path: string) => {
      const { status, headers, body } = await shop.post<{ order: { id: string } }>(
        path,
        { redeemables: [{ object: 'voucher', id: code }], order: { source_id, items } },
        path === '/v1/redemptions' ? { 'idempotency-key': source_id } : {},
      );
      expect([status, body]).toMatchObject([200, { order: expect.anything() }]);
      return [headers.get('x-scrip-stored-order'), body.order.id];
    };
    const first = (await redeem(300, { source_id, items })).order as unknown as Shown;
    const again = (await redeem(200, { source_id, amount: 1, items: [{ ...items[0], quantity: 9 }] }))
      .order as unknown as Shown;
    expect([again.id, again.created_at, again.amount]).toEqual([first.id, first.created_at, first.amount]);
    expect(again.items.map(({ quantity }) => quantity)).toEqual([1, 2]);
    expect(first.amount).toBe(8_000);
    // The third call repeats the second one's answer.
    for (const path of ['/v1/validations', '/v1/redemptions', '/v1/redemptions'])
      expect(await storedOrderOf(path)).toEqual([first.id, first.id]);
  });

  it.each([[[0, 1, 2]], [[1, 2, 0]], [[2, 1, 0]]])(
    'rolled back as %j, it ends as if nothing had been redeemed',
    async (turns) => {
      const first = await redeem(100, { items });
      const all = [first, await redeem(50, { id: first.order.id }), await redeem(70, { id: first.order.id })];
      expect(lineDiscounts(all[2]!.order)).toEqual([220, 220]);
      for (const turn of turns) await rollBack(all[turn]!);
      const { body } = await shop.post<{ order: Redeemed['order'] }>('/v1/validations', {
        redeemables: [{ object: 'voucher', id: await codeOf(1) }],
        order: { id: first.order.id },
      });
      expect([body.order.total_amount, ...lineDiscounts(body.order)]).toEqual([7_998, 1, 1]);
    },
  );
});
