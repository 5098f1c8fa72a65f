import type { VoucherEvent } from '@scrip/contracts/campaigns';
import { Fault } from '@scrip/kernel';
import { rounds, waitUntil } from '@scrip/testing';
import type { DataSource } from 'typeorm';
import { bootCampaigns, caller, type CampaignsFixture } from '../campaigns.fixture';
import { storeGiftCard } from '../gift/gift-card.fixture';
import { evolveVoucher, type VoucherState } from '../voucher/voucher.decider';
import { HoldCleaner } from './hold-cleaner';
import { claimOf, holdsOf } from './holds.fixture';
import { VoucherHolds } from './voucher-holds';

let fixture: CampaignsFixture;
let sessions: ReturnType<typeof holdsOf>;

beforeAll(async () => {
  fixture = await bootCampaigns();
  sessions = holdsOf(fixture);
});
afterAll(() => fixture?.running.close());
afterEach(async () => expect(await sessions.drift()).toEqual([]));

const cardWith = (quantity: number | null, credits = 1_000): Promise<string> =>
  storeGiftCard(fixture.events, credits, { redemption: { quantity, redeemed_quantity: 0 } });
const refusalOf = (answer: object): string | undefined =>
  'refusal' in answer ? (answer.refusal as { refused: string }).refused : undefined;
const uses = async (id: string, session?: string): Promise<number> =>
  (await sessions.load(id, session)).held?.uses ?? 0;
const rowsOf = (id: string): Promise<object[]> =>
  fixture.database.query('SELECT session_key FROM voucher_holds WHERE voucher_id = $1 ORDER BY 1', [id]);

/** Waits until a session of this length is over. */
const expired = async (ttlMs: number, work: () => Promise<unknown>): Promise<void> => {
  await work();
  const over = Date.now() + ttlMs;
  await waitUntil(() => Date.now() > over, { what: 'the session to expire' });
};

describe('a voucher of quantity 4', () => {
  it('admits four sessions of fifty callers, and redemptions of those alone', async () => {
    const id = await cardWith(4);
    const keys = Array.from({ length: 50 }, (_, n) => `caller-${n}`);
    const ends = await Promise.all(keys.map((key) => sessions.hold(key, [id])));
    const winners = keys.filter((_, n) => ends[n]!.length === 0);
    expect(winners).toHaveLength(4);
    expect(ends.flat()).toEqual(Array.from({ length: 46 }, () => 'quantity_exceeded'));
    expect(refusalOf(await sessions.claim(claimOf(id)))).toBe('quantity_exceeded');
    const loser = keys.find((key) => !winners.includes(key))!;
    expect(refusalOf(await sessions.claim(claimOf(id), { session: loser }))).toBe('quantity_exceeded');
    for (const session of winners) {
      const one = claimOf(id);
      expect(await sessions.claim(one, { session })).toMatchObject({ granted: { hold: true } });
      await sessions.end(one, 'RECORDED');
    }
    expect(await rowsOf(id)).toEqual([]);
    expect((await sessions.load(id)).voucher.redemption.redeemed_quantity).toBe(4);
  });

  it('shows what others hold, and not what the caller does', async () => {
    const id = await cardWith(4);
    await sessions.hold('mine', [id], { credits: 300 });
    await sessions.hold('theirs', [id], { credits: 200 });
    expect((await sessions.load(id)).held).toEqual({ uses: 2, credits: 500 });
    expect((await sessions.load(id, 'mine')).held).toEqual({ uses: 1, credits: 200 });
    expect((await sessions.load(id, 'nobody')).held).toEqual({ uses: 2, credits: 500 });
  });
});

describe('credits of a gift card', () => {
  it('that sessions hold are left to them, by fifty callers at once', async () => {
    const id = await cardWith(null, 1_000);
    const keys = Array.from({ length: 50 }, (_, n) => `card-${n}`);
    const ends = await Promise.all(keys.map((key) => sessions.hold(key, [id], { credits: 250 })));
    expect(ends.filter((end) => end.length === 0)).toHaveLength(4);
    expect(new Set(ends.flat())).toEqual(new Set(['gift_amount_exceeded']));
    const [session] = keys.filter((_, n) => ends[n]!.length === 0);
    expect(refusalOf(await sessions.claim(claimOf(id), { credits: 1 }))).toBe('gift_amount_exceeded');
    expect(refusalOf(await sessions.claim(claimOf(id), { credits: 251, session: session! }))).toBe(
      'gift_amount_exceeded',
    );
    const one = claimOf(id);
    expect(await sessions.claim(one, { credits: 100, session: session! })).toMatchObject({
      granted: { hold: true, voucher: { gift: { balance: 900 } } },
    });
    await sessions.end(one, 'RECORDED');
    expect(refusalOf(await sessions.claim(claimOf(id), { credits: 151 }))).toBe('gift_amount_exceeded');
    expect(refusalOf(await sessions.claim(claimOf(id), { credits: 150 }))).toBeUndefined();
  });
});

describe('a session', () => {
  it('holds all vouchers of a validation or none', async () => {
    const [free, full, other] = [await cardWith(1), await cardWith(1), await cardWith(1)];
    await sessions.hold('first', [full]);
    expect(await sessions.hold('second', [free, full])).toEqual(['quantity_exceeded']);
    expect(await uses(free)).toBe(0);
    expect(await sessions.hold('second', [free, other])).toEqual([]);
  });

  it('replaces what it held with each validation', async () => {
    const [a, b] = [await cardWith(1), await cardWith(1)];
    await sessions.hold('cart', [a], { credits: 100 });
    await sessions.hold('cart', [a, b], { credits: 200 });
    expect((await sessions.load(a)).held).toEqual({ uses: 1, credits: 200 });
    await sessions.hold('cart', [b]);
    expect([await uses(a), await uses(b)]).toEqual([0, 1]);
    await sessions.hold('cart', []);
    expect([await rowsOf(a), await rowsOf(b)]).toEqual([[], []]);
  });

  it('keeps what it held where a validation is refused', async () => {
    const [a, full] = [await cardWith(1), await cardWith(0)];
    await sessions.hold('keeps', [a]);
    expect(await sessions.hold('keeps', [full])).toEqual(['quantity_exceeded']);
    expect(await uses(a)).toBe(1);
  });

  it('is established where its first try is given up to end a deadlock, and not tried again where its commit is in doubt', async () => {
    const id = await cardWith(1);
    const { database } = fixture;
    const thrown = (state: { code: string }) =>
      new Fault('unavailable', 'no answer', { cause: Object.assign(new Error('given up'), state) });
    const failing = jest.fn((work: never) => database.transaction(work));
    const dataSource = Object.assign(Object.create(database) as DataSource, { transaction: failing });
    const handlers = fixture.get(VoucherHolds) as unknown as { dataSource: DataSource };
    const whole = jest.replaceProperty(handlers, 'dataSource', dataSource);
    failing.mockRejectedValueOnce(thrown({ code: '40P01' }));
    const established = await sessions.hold('again', [id]);
    failing.mockRejectedValueOnce(thrown({ code: 'ECONNRESET' }));
    await expect(sessions.hold('doubt', [id])).rejects.toThrow('no answer');
    whole.restore();
    expect([established, failing.mock.calls.length]).toEqual([[], 3]);
    expect(await rowsOf(id)).toEqual([{ session_key: 'again' }]);
  });

  it('of many callers with one key holds what one of them asked for', async () => {
    const ids = await Promise.all(Array.from({ length: 4 }, () => cardWith(1)));
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => sessions.hold('shared', [ids[n % 4]!, ids[(n + 1) % 4]!])),
    );
    expect((await Promise.all(ids.map(rowsOf))).flat()).toHaveLength(2);
  });

  it('that has expired stands in nobody’s way, cleaned up or not', async () => {
    const id = await cardWith(1);
    await expired(50, () => sessions.hold('short', [id], { credits: 1_000, ttlMs: 50 }));
    expect(await uses(id)).toBe(0);
    expect(await sessions.hold('next', [id], { credits: 1_000 })).toEqual([]);
    expect(await rowsOf(id)).toEqual([{ session_key: 'next' }]);
    const other = await cardWith(1);
    await expired(50, () => sessions.hold('short', [other], { ttlMs: 50 }));
    expect(refusalOf(await sessions.claim(claimOf(other)))).toBeUndefined();
    expect(await rowsOf(other)).toEqual([]);
  });

  it('is treated as none by a redemption once it has expired', async () => {
    const id = await cardWith(1);
    await expired(50, () => sessions.hold('late', [id], { ttlMs: 50 }));
    await sessions.hold('newer', [id]);
    expect(refusalOf(await sessions.claim(claimOf(id), { session: 'late' }))).toBe('quantity_exceeded');
  });
});

describe('a redemption', () => {
  it('that fails gives the session back what it held, also where it had claimed twice', async () => {
    const id = await cardWith(1);
    await sessions.hold('cart', [id], { credits: 400 });
    const first = claimOf(id);
    await sessions.claim(first, { session: 'cart', credits: 400 });
    const second = { ...first, claim_id: claimOf(id).claim_id };
    const replacing = { session: 'cart', credits: 300, replaces: [first.claim_id] };
    expect(await sessions.claim(second, replacing)).toMatchObject({ granted: { hold: true } });
    expect(await rowsOf(id)).toHaveLength(1);
    await sessions.end(second, 'ABANDONED');
    expect(await sessions.load(id)).toMatchObject({
      held: { uses: 1, credits: 400 },
      voucher: { redemption: { redeemed_quantity: 0 }, gift: { balance: 1_000 } },
    });
    expect(refusalOf(await sessions.claim(claimOf(id)))).toBe('quantity_exceeded');
  });

  it('gives nothing back to a session that holds something else since', async () => {
    const [a, b] = [await cardWith(1), await cardWith(1)];
    await sessions.hold('moved', [a]);
    const one = claimOf(a);
    await sessions.claim(one, { session: 'moved' });
    await sessions.hold('moved', [b]);
    await sessions.end(one, 'ABANDONED');
    expect([await uses(a), await uses(b)]).toEqual([0, 1]);
  });

  it('uses up what a session holds once, however many carry its key', async () => {
    const id = await cardWith(3);
    await sessions.hold('once', [id]);
    await sessions.hold('others', [id]);
    const claims = Array.from({ length: 20 }, () => claimOf(id));
    const answers = await Promise.all(claims.map((one) => sessions.claim(one, { session: 'once' })));
    const granted = answers.filter((answer) => 'granted' in answer);
    expect(granted).toHaveLength(2);
    expect(granted.filter((answer) => 'granted' in answer && answer.granted.hold)).toHaveLength(1);
  });

  it('is decided without a session where nobody holds anything, as before', async () => {
    const id = await cardWith(1);
    expect(await sessions.claim(claimOf(id), { session: 'unknown' })).not.toMatchObject({
      granted: { hold: true },
    });
  });
});

describe('DELETE /v1/vouchers/{code}/sessions/{sessionKey}', () => {
  it('frees what the session holds of that voucher alone', async () => {
    const [a, b] = [await cardWith(1), await cardWith(1)];
    await sessions.hold('cart / 1', [a, b]);
    expect(await sessions.release(a, 'cart / 1')).toMatchObject({ status: 204 });
    expect([await uses(a), await uses(b)]).toEqual([0, 1]);
    expect(await sessions.hold('next', [a])).toEqual([]);
  });

  it('answers 404 for an unknown voucher, and for a session that is unknown, over or used up', async () => {
    const id = await cardWith(1);
    const unknown = { status: 404, body: { key: 'not_found', resource_type: 'session' } };
    expect(await sessions.release('nowhere', 'cart')).toMatchObject({
      status: 404,
      body: { key: 'not_found', resource_type: 'voucher', resource_id: 'nowhere' },
    });
    expect(await sessions.release(id, 'cart')).toMatchObject({
      ...unknown,
      body: { resource_id: 'cart', details: 'Cannot find session with id cart' },
    });
    await expired(50, () => sessions.hold('cart', [id], { ttlMs: 50 }));
    expect(await sessions.release(id, 'cart')).toMatchObject(unknown);
    await sessions.hold('cart', [id]);
    const one = claimOf(id);
    await sessions.claim(one, { session: 'cart' });
    await sessions.end(one, 'RECORDED');
    expect(await sessions.release(id, 'cart')).toMatchObject(unknown);
  });

  it('waits for a redemption that uses it up', async () => {
    const id = await cardWith(1);
    await sessions.hold('busy', [id]);
    const one = claimOf(id);
    await sessions.claim(one, { session: 'busy' });
    const release = sessions.release(id, 'busy');
    await sessions.end(one, 'ABANDONED');
    expect(await release).toMatchObject({ status: 204 });
    expect(await uses(id)).toBe(0);
  });
});

it('what has expired goes, also of vouchers that are gone, of projects that are gone, and what claims had used up', async () => {
  const [id, bulk] = [await cardWith(2), await cardWith(null)];
  await sessions.hold('live', [id]);
  await expired(50, () => sessions.hold('dead', [id], { ttlMs: 50 }));
  await fixture.database.query(
    `INSERT INTO voucher_holds (project_id, voucher_id, session_key, generation, uses, credits, expires_at, claim_id)
     VALUES ($1, 'v_gone', 's', 'g', 1, 0, '2020-01-01', NULL), ($1, $2, 's', 'g', 1, 0, '2020-01-01', 'clm_1'),
       ('proj_gone', 'v_x', 's', 'g', 1, 0, '2020-01-01', NULL)`,
    [caller().project.id, id],
  );
  await expired(50, () =>
    Promise.all(Array.from({ length: 30 }, (_, n) => sessions.hold(`bulk-${n}`, [bulk], { ttlMs: 50 }))),
  );
  await fixture.get(HoldCleaner).clean();
  expect(
    await fixture.database.query('SELECT session_key FROM voucher_holds WHERE expires_at < now()'),
  ).toEqual([]);
  expect(await rowsOf(id)).toEqual([{ session_key: 'live' }]);
});

/** Whether the uses and credits that are taken or held are there, after every event of a voucher. */
const overdrawn = async (id: string): Promise<VoucherState[]> => {
  const events = await fixture.events.readStream('voucher', caller().project.id, id);
  const states: VoucherState[] = [];
  for (const event of events) states.push(evolveVoucher(states.at(-1), event as VoucherEvent)!);
  return states.filter(({ voucher: { redemption, gift }, holds }) => {
    const taken = redemption.redeemed_quantity + (holds?.uses ?? 0);
    return taken > (redemption.quantity ?? Infinity) || (holds?.credits ?? 0) > gift!.balance;
  });
};

it('sessions, redemptions, rollbacks, releases and expiry race, and no use and no credit is given twice', async () => {
  const ids = [await cardWith(4, 2_000), await cardWith(null, 1_000), await cardWith(2, 600)];
  const work = Array.from({ length: Math.max(100, rounds(1_000)) }, (_, n) => n);
  const ends = { held: 0, used: 0, redeemed: 0 };
  const redeem = async (n: number, object_id: string, session?: string) => {
    const one = claimOf(object_id);
    const answer = await sessions.claim(one, {
      credits: 10 + (n % 7) * 30,
      ...(session === undefined ? {} : { session }),
    });
    if ('refusal' in answer) return;
    if (answer.granted.hold) ends.used += 1;
    await sessions.end(one, n % 4 === 0 ? 'ABANDONED' : 'RECORDED');
    if (n % 4 === 0) return;
    ends.redeemed += 1;
    if (n % 5 > 0) await fixture.port.refund(caller(), { claims: [{ ...one, rollback_id: `rr_${n}` }] });
  };
  const round = async (n: number) => {
    const [first, second] = [ids[n % 3]!, ids[(n + 1) % 3]!];
    if (n % 3 === 0) return redeem(n, first);
    const session = `race-${n % 40}`;
    const ttlMs = n % 5 === 0 ? 20 : 60_000;
    const refused = await sessions.hold(session, [first, second], { credits: 20 + (n % 5) * 60, ttlMs });
    if (refused.length === 0) ends.held += 1;
    if (n % 7 === 0) await sessions.release(first, session);
    else await redeem(n, second, session);
    if (n % 2 === 0) await sessions.hold(session, []);
  };
  const worker = async () => {
    for (let n = work.pop(); n !== undefined; n = work.pop()) await round(n);
  };
  await Promise.all(Array.from({ length: 50 }, worker));
  expect(await Promise.all(ids.map(overdrawn))).toEqual([[], [], []]);
  expect(Object.values(ends).every((count) => count > 0)).toBe(true);
});

it('holds leave generated vouchers what they are', async () => {
  const created = await fixture.call('POST', '/v1/campaigns', {
    name: 'held codes',
    campaign_type: 'DISCOUNT_COUPONS',
    vouchers_count: 1,
    voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
  });
  const { body } = await fixture.call('GET', `/v1/vouchers?campaign_id=${created.body.id}`);
  const [voucher] = body.vouchers;
  await sessions.hold('g', [voucher.id]);
  expect((await fixture.call('GET', `/v1/vouchers/${voucher.code}`)).body).toEqual(voucher);
  expect(await uses(voucher.id)).toBe(1);
});

it('folds every voucher again to the state it has', async () => {
  expect(await fixture.events.verifyState()).toEqual([]);
});
