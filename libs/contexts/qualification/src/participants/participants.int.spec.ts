import type { Participant } from '@scrip/contracts/claims';
import { Fault, isRefused, randomIds } from '@scrip/kernel';
import { keyRow } from '../key-row.fixture';
import { Outcomes } from '../outcomes/outcomes';
import { type QualificationFixture, startQualification } from '../qualification.fixture';
import { atNextCommit, cut } from '../interrupted-commit.fixture';
import { amount, call, redeemable } from '../redeemables.fixture';
import { RedeemHandlers } from '../redemption/redeem.handlers';
import type { RedeemablesRequest } from '../request/redeemables-request';
import { RollbackHandlers } from '../rollback/rollback.handlers';
import { RollbackResumer } from '../rollback/rollback-resumer';
import { SettlementPusher } from '../settlement/settlement';
import { FakeCredits, creditsKind, creditsParticipant } from './credits.fixture';
import { Participants } from './participants';
import { RedeemableKinds } from './redeemable-kinds';

let fixture: QualificationFixture;
let credits: FakeCredits;

beforeAll(async () => {
  fixture = await startQualification('participants');
  // Rounds run when a test says so.
  await fixture.get(RollbackResumer).onApplicationShutdown();
  credits = new FakeCredits();
  fixture.get(Participants).register(creditsParticipant(credits));
  fixture.get(RedeemableKinds).register(creditsKind);
});

afterAll(() => fixture.stop());

const usesPrice = 1_000;

interface Owner {
  /** Creates something that can be redeemed so many times for an order of 1,000. */
  add(id: string, uses: number): void;
  request(id: string): RedeemablesRequest;
  /** How many times it was redeemed. */
  redeemed(id: string): number;
  port(): Participant;
  relatedId(id: string): string;
  refusal: string;
}

let orders = 0;
const order = (value = usesPrice) => ({ source_id: `order-${(orders += 1)}`, amount: value });

const owners: Record<string, Owner> = {
  'vouchers of campaigns': {
    add: (id, uses) =>
      fixture.campaigns.add(
        redeemable(id, { discount: amount(usesPrice), redemption: { quantity: uses, redeemed_quantity: 0 } }),
      ),
    request: (id) => ({ redeemables: [{ object: 'voucher', id }], order: order() }),
    redeemed: (id) => fixture.campaigns.redeemed(id),
    port: () => fixture.campaigns as unknown as Participant,
    relatedId: (id) => `v_${id.toLowerCase()}`,
    refusal: 'quantity_exceeded',
  },
  'the credits of an owner that redeeming has never heard of': {
    add: (id, uses) => credits.balances.set(id, uses * usesPrice),
    request: (id) => ({ redeemables: [{ object: 'promotion_tier', id }], order: order() }),
    redeemed: (id) => (initial.get(id)! - credits.balances.get(id)!) / usesPrice,
    port: () => credits as unknown as Participant,
    relatedId: (id) => id,
    refusal: 'quantity_exceeded',
  },
};

const initial = new Map<string, number>();

const redeem = (request: RedeemablesRequest, key: Parameters<RedeemHandlers['redeem']>[2] = null) =>
  fixture.get(RedeemHandlers).redeem(call(), request, key);

const drained = () => fixture.get(SettlementPusher).drained();

const successes = async (relatedId: string): Promise<{ id: string }[]> =>
  fixture.dataSource.query(
    `SELECT id FROM redemptions WHERE related_object_id = $1 AND result = 'SUCCESS' ORDER BY id`,
    [relatedId],
  );

describe.each(Object.entries(owners))('%s', (name, owner) => {
  const prefix = name.startsWith('vouchers') ? 'V' : 'C';
  const added = (id: string, uses: number): string => {
    const own = `${prefix}${id}`;
    owner.add(own, uses);
    initial.set(own, uses * usesPrice);
    return own;
  };

  it('are redeemed ten times by fifty callers where ten are there', async () => {
    const id = added('TEN', 10);
    const answers = await Promise.all(Array.from({ length: 50 }, () => redeem(owner.request(id))));
    const refused = answers.filter(isRefused);
    expect(refused.map((one) => one.refused)).toEqual(Array(40).fill(owner.refusal));
    await drained();
    expect(owner.redeemed(id)).toBe(10);
    expect(await successes(owner.relatedId(id))).toHaveLength(10);
    const rows = [...fixture.customers.orders.values()].filter(({ order: { redemptions } }) =>
      Object.values(redemptions).some((entry) => entry.related_object_id === owner.relatedId(id)),
    );
    expect(rows.map(({ order: { total_amount } }) => total_amount)).toEqual(Array(10).fill(0));
  });

  it('are claimed again under another id, which replaces the first, when an answer was lost', async () => {
    const id = added('LOST', 1);
    const port = owner.port();
    const taken = port.claim;
    const requests: { claim_id: string; replaces: string[] }[] = [];
    const claim = jest.spyOn(port, 'claim').mockImplementation(async (context, request) => {
      requests.push(...request.claims.map(({ claim_id, replaces = [] }) => ({ claim_id, replaces })));
      const claimed = await taken(context, request);
      if (requests.length === 1) throw new Fault('unavailable', 'the answer was lost');
      return claimed;
    });
    expect(await redeem(owner.request(id))).toMatchObject({ redemptions: [{ status: 'SUCCEEDED' }] });
    claim.mockRestore();
    const [first, second] = requests;
    expect(second!.claim_id).not.toBe(first!.claim_id);
    expect(second!.replaces).toEqual([first!.claim_id]);
    await drained();
    expect(owner.redeemed(id)).toBe(1);
  });

  it('are given back when no answer ever comes', async () => {
    const id = added('DEAF', 1);
    const port = owner.port();
    const taken = port.claim;
    const claim = jest.spyOn(port, 'claim').mockImplementation(async (context, request) => {
      await taken(context, request);
      throw new Fault('unavailable', 'the answer was lost');
    });
    await expect(redeem(owner.request(id))).rejects.toBeInstanceOf(Fault);
    claim.mockRestore();
    await drained();
    expect(owner.redeemed(id)).toBe(0);
    expect(await successes(owner.relatedId(id))).toEqual([]);
  });

  it('are given back when the owner had the redemption abandoned before it was recorded', async () => {
    const id = added('LATE', 1);
    const port = owner.port();
    const taken = port.claim;
    const claim = jest.spyOn(port, 'claim').mockImplementationOnce(async (context, request) => {
      const claimed = await taken(context, request);
      await fixture.get(Outcomes).resolve([request.redemption_id]);
      return claimed;
    });
    await expect(redeem(owner.request(id))).rejects.toMatchObject({ kind: 'unavailable' });
    claim.mockRestore();
    await drained();
    expect(owner.redeemed(id)).toBe(0);
  });

  it('are redeemed once when the process dies between claim and record and the command is repeated', async () => {
    const id = added('DIED', 1);
    const dead = await keyRow(fixture.dataSource, `died-${prefix}`);
    const push = jest.spyOn(fixture.get(SettlementPusher), 'push').mockImplementation(() => undefined);
    const port = owner.port();
    const taken = port.claim;
    const claim = jest.spyOn(port, 'claim').mockImplementation(async (context, request) => {
      await taken(context, request);
      throw new Fault('unavailable', 'the process died here');
    });
    await expect(redeem(owner.request(id), dead)).rejects.toBeInstanceOf(Fault);
    claim.mockRestore();
    push.mockRestore();
    expect(owner.redeemed(id)).toBe(1); // provisional, and the owner was not told
    const [held] = [...(owner.port() as unknown as FakeCredits).claims.rows.entries()].slice(-1);
    const { redemption_id, object_id } = held![1];
    const verdicts = [{ redemption_id, claim_id: held![0], object_id, verdict: 'ABANDONED' as const }];
    expect(await fixture.get(Outcomes).resolve([redemption_id])).toMatchObject([{ verdict: 'ABANDONED' }]);
    await owner.port().settle(call(), { verdicts });
    const again = await keyRow(fixture.dataSource, `died-${prefix}`, { resumed: true });
    expect(await redeem(owner.request(id), again)).toMatchObject({ redemptions: [{ status: 'SUCCEEDED' }] });
    await drained();
    expect(owner.redeemed(id)).toBe(1);
    expect(await successes(owner.relatedId(id))).toHaveLength(1);
  });

  it('are given back when the connection is lost before COMMIT arrives', async () => {
    const id = added('NEVER', 1);
    atNextCommit((client, send) => {
      cut(client);
      return send();
    });
    await expect(redeem(owner.request(id))).rejects.toBeInstanceOf(Fault);
    await drained();
    expect([owner.redeemed(id), (await successes(owner.relatedId(id))).length]).toEqual([0, 0]);
  });

  it('come back by a rollback, also when the owner was away at first', async () => {
    const id = added('BACK', 1);
    const answer = (await redeem(owner.request(id))) as { redemptions: [{ id: string }] };
    await drained();
    expect(owner.redeemed(id)).toBe(1);
    const refund = jest.spyOn(owner.port(), 'refund').mockRejectedValueOnce(new Fault('unavailable', 'away'));
    const rollBack = fixture.get(RollbackHandlers).rollBack(call(), answer.redemptions[0].id, {}, randomIds);
    await expect(rollBack).rejects.toBeInstanceOf(Fault);
    refund.mockRestore();
    expect(await fixture.get(RollbackResumer).resume(0)).toBe(1);
    expect(owner.redeemed(id)).toBe(0);
  });
});

it('stores what an unknown owner answered as it is, with the redemption', async () => {
  credits.balances.set('ANSWER', 1_500);
  const answer = (await redeem({
    redeemables: [{ object: 'promotion_tier', id: 'ANSWER' }],
    order: order(),
  })) as { redemptions: [{ id: string }] };
  expect(answer.redemptions[0]).toMatchObject({ amount: 1_000, related_object_id: 'ANSWER' });
  const [{ data } = { data: null }] = await fixture.events.readStream(
    'redemption',
    'proj_1',
    answer.redemptions[0].id,
  );
  expect(data).toMatchObject({
    claims: {
      redeemables: [{ participant: 'credits', object_id: 'ANSWER', answer: { taken: 1_000, balance: 500 } }],
    },
  });
  expect(await fixture.events.verifyState()).toEqual([]);
});

it('records a redemption that nothing has to be claimed for', async () => {
  fixture.get(RedeemableKinds).register({
    ...creditsKind,
    calculable: ({ id }) => ({ id, incentive: { discount: amount(100) } }),
    asks: () => null,
  });
  credits.balances.set('FREE', 0);
  const claim = jest.spyOn(credits, 'claim');
  const redeemed = await redeem({ redeemables: [{ object: 'promotion_tier', id: 'FREE' }] });
  fixture.get(RedeemableKinds).register(creditsKind);
  expect(redeemed).toMatchObject({ redemptions: [{ status: 'SUCCEEDED', related_object_id: 'FREE' }] });
  expect(claim).not.toHaveBeenCalled();
  claim.mockRestore();
  const [{ id }] = (redeemed as { redemptions: [{ id: string }] }).redemptions;
  expect(await fixture.get(RollbackHandlers).rollBack(call(), id, {}, randomIds)).toMatchObject({
    status: 'SUCCEEDED',
  });
});
