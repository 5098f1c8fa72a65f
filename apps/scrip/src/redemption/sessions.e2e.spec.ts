import { newId } from '@scrip/kernel';
import { sharedScrip, waitUntil } from '@scrip/testing';
import { type Shop, shopOf } from './shop.fixture';

type Scrip = Awaited<ReturnType<typeof sharedScrip>>;

describe('sessions', () => {
  let scrip: Scrip;
  let shop: Shop;

  beforeAll(async () => {
    scrip = await sharedScrip();
    shop = shopOf(scrip.call);
  }, 240_000);

  const order = { amount: 10_000 };
  const named = (...codes: string[]) => codes.map((id) => ({ object: 'voucher', id }));
  const validate = (codes: string[], session?: object): Promise<{ status: number; body: any }> =>
    shop.post('/v1/validations', { redeemables: named(...codes), order, ...(session ? { session } : {}) });
  const redeem = (codes: string[], session?: object, more: object = {}): Promise<any> =>
    shop.post('/v1/redemptions', {
      ...{ redeemables: named(...codes), order },
      ...(session ? { session } : {}),
      ...more,
    });
  const lock = (key: string, more: object = {}) => ({ type: 'LOCK', key, ...more });
  const release = (code: string, key: string): Promise<any> =>
    scrip.call('DELETE', `/v1/vouchers/${code}/sessions/${key}`);
  const errorOf = ({ body }: any): string | undefined => body.inapplicable_redeemables?.[0].result.error.key;
  const newCard = async (amount: number): Promise<string> => {
    const { body } = await shop.post<any>('/v1/vouchers', { type: 'GIFT_VOUCHER', gift: { amount } });
    return body.code;
  };

  it('of a code with four uses are four of fifty callers, and each is redeemed by its own key', async () => {
    const code = await shop.newCode(4);
    const keys = Array.from({ length: 50 }, (_, n) => `${code}-${n}`);
    const answers = await Promise.all(keys.map((key) => validate([code], lock(key))));
    const winners = keys.filter((_, n) => answers[n]!.body.valid);
    expect(winners).toHaveLength(4);
    expect(new Set(answers.map(errorOf))).toEqual(new Set([undefined, 'quantity_exceeded']));
    expect(errorOf(await validate([code]))).toBe('quantity_exceeded');
    expect((await redeem([code])).body).toMatchObject({ code: 400, key: 'quantity_exceeded' });
    const redeemed = await Promise.all(winners.map((key) => redeem([code], { type: 'LOCK', key })));
    expect(redeemed.map(({ body }) => body.redemptions[0].session.key)).toEqual(winners);
    expect(await shop.redeemedQuantity(code)).toBe(4);
  });

  it('hold credits of a gift card, and what is left is for others', async () => {
    const card = await newCard(15_000);
    const { body } = await validate([card], { type: 'LOCK' });
    expect(body.session).toEqual({
      key: expect.stringMatching(/^ssn_\w{32}$/),
      type: 'LOCK',
      ttl: 7,
      ttl_unit: 'DAYS',
    });
    expect((await validate([card])).body.redeemables[0].result.gift).toEqual({
      balance: 15_000,
      credits: 5_000,
    });
    expect((await redeem([card])).body.redemptions[0].amount).toBe(5_000);
    expect((await redeem([card], { key: body.session.key })).body.redemptions[0].amount).toBe(10_000);
    expect((await redeem([card])).body).toMatchObject({ redemptions: [{ result: 'SUCCESS' }] });
  });

  it('hold all redeemables of a validation or none, and a failed redemption keeps them', async () => {
    const [free, full, gone] = [await shop.newCode(1), await shop.newCode(1), await shop.newCode(0)];
    await validate([full], lock('first'));
    const key = newId('cart-');
    expect((await validate([free, full], lock(key))).body).toMatchObject({ valid: false });
    expect((await validate([free], lock('other'))).body).toMatchObject({ valid: true });
    await release(free, 'other');
    await validate([free], lock(key));
    expect((await redeem([free, gone], { key })).body.key).toBe('quantity_exceeded');
    expect((await redeem([free])).body.key).toBe('quantity_exceeded');
    expect((await redeem([free], { key })).status).toBe(200);
  });

  it('end by themselves', async () => {
    const code = await shop.newCode(1);
    await validate([code], lock('short', { ttl: 300, ttl_unit: 'MILLISECONDS' }));
    await waitUntil(async () => (await validate([code])).body.valid, { what: 'the session to expire' });
    expect((await release(code, 'short')).status).toBe(404);
    expect((await redeem([code], lock('short'))).status).toBe(200);
  });

  it('are released, and unknown ones are told', async () => {
    const code = await shop.newCode(1);
    await validate([code], lock('mine'));
    const unknown = await release(code, 'theirs');
    expect([unknown.status, unknown.body]).toMatchObject([
      404,
      { code: 404, key: 'not_found', resource_type: 'session', resource_id: 'theirs' },
    ]);
    expect((await release('NO-SUCH-CODE', 'mine')).body).toMatchObject({
      key: 'not_found',
      resource_type: 'voucher',
      resource_id: 'NO-SUCH-CODE',
    });
    const { body } = await shop.get<{ id: string }>(`/v1/vouchers/${code}`);
    expect((await release(body.id, 'mine')).status).toBe(204);
    expect((await release(code, 'mine')).status).toBe(404);
    expect((await validate([code], lock('theirs'))).body.valid).toBe(true);
  });

  it('are established by browsers too', async () => {
    const code = await shop.newCode(1);
    const origin = 'https://shop.example.com';
    const { project_id, client_app_id, client_token } = scrip.credentials;
    const switches = { client_trusted_domains: [origin], client_redeem_enabled: true };
    await scrip.manage('PUT', `/management/v1/projects/${project_id}`, switches);
    const headers = { 'x-client-application-id': client_app_id, 'x-client-token': client_token, origin };
    const call = (path: string, session: object) =>
      scrip.call('POST', path, { redeemables: named(code), order, session }, headers);
    expect((await call('/client/v1/validations', lock('page'))).body.session).toMatchObject({ key: 'page' });
    expect((await redeem([code])).body.key).toBe('quantity_exceeded');
    expect((await call('/client/v1/redemptions', { key: 'page' })).body.redemptions).toMatchObject([
      { session: { key: 'page' } },
    ]);
  });
});
