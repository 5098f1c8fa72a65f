import type { ClaimRequest, ClaimsRequest } from '@scrip/contracts/claims';
import { defaultStackingSettings } from '@scrip/order-calculation';
import { FakeCredits, creditsKind, creditsParticipant } from '../participants/credits.fixture';
import { Participants } from '../participants/participants';
import { RedeemableKinds } from '../participants/redeemable-kinds';
import { type QualificationFixture, startQualification } from '../qualification.fixture';
import { amount, call, redeemable } from '../redeemables.fixture';
import { RedeemHandlers } from './redeem.handlers';
import type { RedeemablesRequest } from '../request/redeemables-request';
import { SettlementPusher } from '../settlement/settlement';
import { ProjectSettings } from '../evaluation/project-settings';

let fixture: QualificationFixture;
let credits: FakeCredits;

beforeAll(async () => {
  fixture = await startQualification('claim_rounds');
  credits = new FakeCredits();
  fixture.get(Participants).register(creditsParticipant(credits));
  fixture.get(RedeemableKinds).register(creditsKind);
});

afterAll(() => fixture.stop());
afterEach(() => jest.restoreAllMocks());

const partially = () =>
  jest
    .spyOn(fixture.get(ProjectSettings), 'stackingOf')
    .mockResolvedValue({ ...defaultStackingSettings, redeemables_application_mode: 'PARTIAL' });

const redeem = async (request: RedeemablesRequest) => {
  const answer = await fixture.get(RedeemHandlers).redeem(call(), request);
  await fixture.get(SettlementPusher).drained();
  return answer;
};

const account = (id: string) => ({ object: 'promotion_tier' as const, id });
const voucher = (id: string) => ({ object: 'voucher' as const, id });

/** What the owner's load says next, though something else is true by now. */
const loadedBefore = (id: string, balance: number) =>
  jest.spyOn(credits, 'load').mockResolvedValueOnce([{ id, balance }]);

/** The claims that were sent to an owner, call by call. */
const sentTo = (owner: { claim: (context: never, request: ClaimsRequest) => Promise<unknown> }) => {
  const calls: ClaimRequest[][] = [];
  const { claim } = owner;
  jest.spyOn(owner, 'claim').mockImplementation((context, request) => {
    calls.push(request.claims);
    return claim(context, request);
  });
  return calls;
};

it('takes what an owner has left where its refusal says so, and replaces the order that was claimed with more', async () => {
  credits.balances.set('LESS', 500);
  loadedBefore('LESS', 1_500);
  const [claims, orders] = [sentTo(credits as never), sentTo(fixture.customers as never)];
  const answer = await redeem({
    redeemables: [account('LESS')],
    order: { source_id: 'less', amount: 1_000 },
  });
  expect(answer).toMatchObject({ redemptions: [{ amount: 500 }], order: { total_amount: 500 } });
  expect(claims.map(([claim]) => claim!.asks)).toEqual([{ credits: 1_000 }, { credits: 500 }]);
  expect(claims[1]![0]!.replaces).toEqual([]); // the first was refused: there is nothing to revert
  expect(orders.map(([claim]) => claim!.object_id)).toEqual([
    orders[0]![0]!.object_id,
    orders[0]![0]!.object_id,
  ]);
  expect(orders[1]![0]!.replaces).toEqual([orders[0]![0]!.claim_id]);
  expect(credits.balances.get('LESS')).toBe(0);
  expect(fixture.customers.claims.rows.get(orders[0]![0]!.claim_id)).toMatchObject({ state: 'REVERTED' });
  expect(fixture.customers.claims.rows.get(orders[1]![0]!.claim_id)).toMatchObject({ state: 'CONFIRMED' });
});

describe('of two redeemables, one that its owner refuses', () => {
  const both = async (suffix: string) => {
    fixture.campaigns.add(
      redeemable(`GOOD${suffix}`, { discount: amount(100) }),
      redeemable(`LAST${suffix}`, { redemption: { quantity: 1, redeemed_quantity: 1 } }),
    );
    return redeem({
      redeemables: [voucher(`GOOD${suffix}`), voucher(`LAST${suffix}`)],
      order: { amount: 1_000 },
    });
  };

  it('is left out where the project redeems partially, and the other keeps its claim', async () => {
    partially();
    const claims = sentTo(fixture.campaigns as never);
    const answer = await both('P');
    expect(answer).toMatchObject({
      redemptions: [{ related_object_id: 'v_goodp' }],
      inapplicable_redeemables: [{ id: 'LASTP', result: { error: { key: 'quantity_exceeded' } } }],
      order: { total_amount: 900 },
    });
    expect(answer).not.toHaveProperty('parent_redemption');
    expect(claims.map((sent) => sent.map(({ object_id }) => object_id))).toEqual([['v_goodp', 'v_lastp']]);
    expect([fixture.campaigns.redeemed('GOODP'), fixture.campaigns.redeemed('LASTP')]).toEqual([1, 1]);
  });

  it('is the answer otherwise, and nothing is redeemed', async () => {
    expect(await both('A')).toMatchObject({ refused: 'quantity_exceeded', redeemable_id: 'LASTA' });
    expect([fixture.campaigns.redeemed('GOODA'), fixture.campaigns.redeemed('LASTA')]).toEqual([0, 1]);
  });
});

it('gives back a claim that the next evaluation no longer wants', async () => {
  partially();
  fixture.campaigns.add(redeemable('FIRST', { redemption: { quantity: 1, redeemed_quantity: 1 } }));
  credits.balances.set('SPARE', 1_000);
  fixture.campaigns.add(redeemable('OTHER', { discount: amount(50) }));
  const answer = await redeem({
    redeemables: [voucher('FIRST'), account('SPARE'), voucher('OTHER')],
    order: { source_id: 'spare', amount: 1_000 },
  });
  // 10 % of FIRST went away, so the account pays more than was claimed first: that claim is replaced.
  expect(answer).toMatchObject({ order: { total_amount: 0 } });
  expect(credits.balances.get('SPARE')).toBe(0);
  expect(credits.claims.count('CONFIRMED')).toBe(2); // LESS and SPARE
  expect(credits.claims.count('PROVISIONAL')).toBe(0);
});

it('ends after three rounds with the refusal, however often the owner changes its mind', async () => {
  credits.balances.set('FLAKY', 10_000);
  let rounds = 0;
  jest.spyOn(credits, 'claim').mockImplementation(async (_, { claims: [claim] }) => {
    rounds += 1;
    const refusal = { refused: 'quantity_exceeded' as const, details: `round ${rounds}` };
    return [{ claim_id: claim!.claim_id, refusal, facts: { id: 'FLAKY', balance: 900 - rounds * 100 } }];
  });
  const refusal = await redeem({
    redeemables: [account('FLAKY')],
    order: { source_id: 'flaky', amount: 1_000 },
  });
  expect(refusal).toMatchObject({ refused: 'quantity_exceeded', details: 'round 3' });
  expect(rounds).toBe(3);
  expect([...fixture.customers.orders.values()].some(({ order }) => order.source_id === 'flaky')).toBe(false);
  expect(fixture.customers.claims.count('PROVISIONAL')).toBe(0);
});

it('does not ask again for exactly what an owner refused', async () => {
  credits.balances.set('BUSY', 1_000);
  const claims = sentTo(credits as never);
  jest.spyOn(credits, 'claim').mockImplementation(async (_, request) => {
    claims.push(request.claims);
    return request.claims.map(({ claim_id }) => ({
      claim_id,
      refusal: { refused: 'multiple_requests' },
      facts: { id: 'BUSY', balance: 1_000 },
    }));
  });
  const refusal = await redeem({
    redeemables: [account('BUSY')],
    order: { source_id: 'busy', amount: 1_000 },
  });
  expect(refusal).toMatchObject({ refused: 'multiple_requests', redeemable_id: 'BUSY' });
  expect(claims).toHaveLength(1);
});
