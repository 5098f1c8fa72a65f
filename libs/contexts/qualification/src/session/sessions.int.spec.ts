import { randomUUID } from 'node:crypto';
import { derivedIds, type IdSource } from '@scrip/kernel';
import { defaultStackingSettings } from '@scrip/order-calculation';
import { VoucherCallsHttp } from '../legacy/voucher-calls.http';
import { type QualificationFixture, startQualification } from '../qualification.fixture';
import { amount, call, redeemable, tierOf, promotionOf } from '../redeemables.fixture';
import { RedeemHandlers } from '../redemption/redeem.handlers';
import type { RedeemablesRequest } from '../request/redeemables-request';
import { SettlementPusher } from '../settlement/settlement';
import { ExplainHandlers } from '../explanation/explain.handlers';
import { ProjectSettings } from '../evaluation/project-settings';
import { ValidateHandlers } from '../validation/validate.handlers';
import { ValidationHttp } from '../validation/validation.http';

let fixture: QualificationFixture;
let count = 0;

beforeAll(async () => {
  fixture = await startQualification('sessions');
});
afterAll(() => fixture.stop());
afterEach(() => jest.restoreAllMocks());

/** A voucher with one use. */
const single = (): string => {
  count += 1;
  fixture.campaigns.add(
    redeemable(`ONE-${count}`, { redemption: { quantity: 1, redeemed_quantity: 0 }, discount: amount(100) }),
  );
  return `ONE-${count}`;
};
/** A card with credits. */
const card = (balance: number): string => {
  count += 1;
  const gift = { amount: balance, subtracted_amount: 0, balance, effect: 'APPLY_TO_ORDER' as const };
  fixture.campaigns.add(redeemable(`CARD-${count}`, { type: 'GIFT_VOUCHER', discount: null, gift }));
  return `CARD-${count}`;
};

type Sent = RedeemablesRequest['session'];
const requestOf = (codes: readonly string[], session?: Sent, more: Partial<RedeemablesRequest> = {}) =>
  ({
    redeemables: codes.map((id) => ({ object: id.startsWith('promo_') ? 'promotion_tier' : 'voucher', id })),
    order: { amount: 1_000 },
    ...(session ? { session } : {}),
    ...more,
  }) as RedeemablesRequest;
const validate = async (...args: Parameters<typeof requestOf>): Promise<any> =>
  fixture.get(ValidateHandlers).validate(call(), requestOf(...args));
const redeem = async (...args: Parameters<typeof requestOf>): Promise<any> => {
  const answer = await fixture.get(RedeemHandlers).redeem(call(), requestOf(...args));
  await fixture.get(SettlementPusher).drained();
  return answer;
};
const lock = (key: string, more: Sent = {}): Sent => ({ type: 'LOCK', key, ...more });
const heldOf = (code: string): string[] => [
  ...(fixture.campaigns.holds.get(`v_${code.toLowerCase()}`)?.keys() ?? []),
];
const firstError = ({ inapplicable_redeemables: [first] }: any) => first.result.error.key;

describe('a validation with a session', () => {
  it('answers what it established', async () => {
    const code = single();
    const { session, valid } = await validate([code], lock('mine', { ttl: 5, ttl_unit: 'MINUTES' }));
    expect([valid, session]).toEqual([true, { key: 'mine', type: 'LOCK', ttl: 5, ttl_unit: 'MINUTES' }]);
    const [request] = [...fixture.campaigns.holds.get(`v_${code.toLowerCase()}`)!.values()];
    expect(request).toMatchObject({
      expires_at: '2026-06-15T10:05:00.000Z',
      objects: [{ object_id: `v_${code.toLowerCase()}`, asks: { uses: 1 } }],
    });
  });

  it('keeps others out, and lets its own key in again', async () => {
    const code = single();
    await validate([code], lock('a'));
    const refused = await validate([code], lock('b'));
    expect([refused.valid, refused.session, firstError(refused)]).toEqual([
      false,
      undefined,
      'quantity_exceeded',
    ]);
    expect(firstError(await validate([code]))).toBe('quantity_exceeded');
    expect((await validate([code], { key: 'a' })).valid).toBe(true);
    expect((await validate([code], lock('a'))).valid).toBe(true);
    expect(heldOf(code)).toEqual(['a']);
  });

  it.each<[string, (code: string, ids: IdSource) => unknown]>([
    [
      'of redeemables',
      (code, ids) => fixture.get(ValidationHttp).validate(call(), ids, requestOf([code], { type: 'LOCK' })),
    ],
    [
      'of one voucher',
      (code, ids) => fixture.get(VoucherCallsHttp).validate(call(), ids, code, { session: { type: 'LOCK' } }),
    ],
  ])(
    '%s has the same key when its command is repeated, and holds nothing twice',
    async (_, validateUnder) => {
      const code = single();
      const ids = derivedIds({ createdAt: new Date(), commandId: randomUUID() });
      const first = (await validateUnder(code, ids)) as any;
      expect(first.session.key).toMatch(/^ssn_\w{32}$/);
      expect(await validateUnder(code, ids)).toMatchObject({ valid: true, session: first.session });
      expect(heldOf(code)).toEqual([first.session.key]);
    },
  );

  it('holds nothing where it names no type, or is not valid', async () => {
    const code = single();
    expect(await validate([code], { key: 'untyped' })).not.toHaveProperty('session');
    expect(await validate([code, 'UNKNOWN'], lock('invalid'))).not.toHaveProperty('session');
    expect(heldOf(code)).toEqual([]);
  });

  it('holds the credits that the order takes', async () => {
    const code = card(3_000);
    await validate([code], lock('a'));
    const { redeemables } = await validate([code], lock('b'), { order: { amount: 9_000 } } as never);
    expect(redeemables[0].result.gift).toEqual({ balance: 3_000, credits: 2_000 });
    expect(firstError(await validate([code], undefined, named(code, 1)))).toBe('gift_amount_exceeded');
  });

  it('releases what it does not ask for again, also where tiers are all that applies', async () => {
    const code = single();
    fixture.promotions.add({ promotion_tier: tierOf('promo_held'), campaign: promotionOf() });
    await validate([code], lock('cart'));
    const { session } = await validate(['promo_held'], lock('cart'));
    expect(session).toMatchObject({ key: 'cart' });
    expect(heldOf(code)).toEqual([]);
  });

  it('is refused what was taken since it was evaluated, and holds nothing of the rest', async () => {
    const [free, taken] = [single(), single()];
    await validate([taken], lock('faster'));
    staleLoad();
    const refused = await validate([free, taken], lock('slower'));
    expect([refused.valid, firstError(refused)]).toEqual([false, 'quantity_exceeded']);
    expect([heldOf(free), heldOf(taken)]).toEqual([[], ['faster']]);
  });

  it('goes on without what was taken where the project redeems partially', async () => {
    jest
      .spyOn(fixture.get(ProjectSettings), 'stackingOf')
      .mockResolvedValue({ ...defaultStackingSettings, redeemables_application_mode: 'PARTIAL' });
    const [free, taken] = [single(), single()];
    await validate([taken], lock('faster'));
    staleLoad();
    const answer = await validate([free, taken], lock('slower'));
    expect([answer.valid, answer.session.key, firstError(answer)]).toEqual([
      true,
      'slower',
      'quantity_exceeded',
    ]);
    expect([heldOf(free), heldOf(taken)]).toEqual([['slower'], ['faster']]);
  });
});

/** Names the credits of a card. */
const named = (id: string, credits: number): Partial<RedeemablesRequest> => ({
  redeemables: [{ object: 'voucher', id, gift: { credits } }],
});

/** The next load does not see what sessions hold: they came a moment later. */
const staleLoad = () => {
  const { load } = fixture.campaigns;
  jest.spyOn(fixture.campaigns, 'load').mockImplementationOnce(async (context, request) => {
    const found = await load(context, request);
    return found.map((one) => ('voucher' in one ? { ...one, held: undefined } : one)) as never;
  });
};

describe('a redemption with a session', () => {
  it('uses up what the session holds, and shows its key', async () => {
    const code = single();
    await validate([code], lock('cart'));
    expect(await redeem([code])).toMatchObject({ refused: 'quantity_exceeded' });
    const { redemptions } = await redeem([code], { key: 'cart' });
    expect(redemptions).toMatchObject([{ result: 'SUCCESS', session: { key: 'cart' } }]);
    expect(heldOf(code)).toEqual([]);
    expect(await redeem([code], { key: 'cart' })).toMatchObject({ refused: 'quantity_exceeded' });
  });

  it('shows no key where nobody held anything', async () => {
    const { redemptions } = await redeem([single()], lock('unknown'));
    expect(redemptions[0]).not.toHaveProperty('session');
  });

  it('of a stack shows the key of the session on the parent too', async () => {
    const [held, free] = [single(), single()];
    await validate([held], lock('stack'));
    const { redemptions, parent_redemption } = await redeem([held, free], lock('stack'));
    expect(redemptions.map(({ session }: any) => session)).toEqual([{ key: 'stack' }, undefined]);
    expect(parent_redemption).toMatchObject({ session: { key: 'stack' } });
  });
});

it('an explanation sees what others hold, and holds nothing', async () => {
  const code = single();
  await validate([code], lock('a'));
  const explain = async (session?: Sent): Promise<any> =>
    fixture.get(ExplainHandlers).explain(call(), { request: requestOf([code], session), at: null } as never);
  expect((await explain(lock('b'))).redeemables).toMatchObject([{ because: { key: 'quantity_exceeded' } }]);
  expect(await explain(lock('a'))).toMatchObject({ valid: true });
  expect(heldOf(code)).toEqual(['a']);
});
