import { Fault, isRefused } from '@scrip/kernel';
import { InFlightRedemptions } from '../outcomes/in-flight-redemptions';
import { Outcomes } from '../outcomes/outcomes';
import { type QualificationFixture, startQualification } from '../qualification.fixture';
import { redeemable } from '../redeemables.fixture';
import { redeemingOn, vouchers } from './redeeming.fixture';

let fixture: QualificationFixture;
const { redeem, drained, rows, recorded } = redeemingOn(() => fixture);

beforeAll(async () => {
  fixture = await startQualification('redeem_attempts');
});

afterAll(() => fixture.stop());

describe('a claim whose answer was lost', () => {
  it('is taken again under another id, which replaces the first', async () => {
    fixture.campaigns.add(redeemable('ONCE', { redemption: { quantity: 1, redeemed_quantity: 0 } }));
    const taken = fixture.campaigns.claim;
    const claim = jest.spyOn(fixture.campaigns, 'claim').mockImplementationOnce(async (context, request) => {
      await taken(context, request);
      throw new Fault('unavailable', 'the answer was lost');
    });
    const answer = await redeem({ redeemables: vouchers('ONCE') });
    claim.mockRestore();
    expect(answer).toMatchObject({ redemptions: [{ voucher: { redemption: { redeemed_quantity: 1 } } }] });
    await drained();
    expect(fixture.campaigns.redeemed('ONCE')).toBe(1);
    const states = [...fixture.campaigns.claims.rows.values()].filter(
      ({ object_id }) => object_id === 'v_once',
    );
    expect(states.map(({ state }) => state)).toEqual(['REVERTED', 'CONFIRMED']);
    const [outcome] = await rows<{ claims: string[] }>(
      'SELECT claims FROM redemption_outcomes WHERE redemption_id = $1',
      states[0]!.redemption_id,
    );
    expect(outcome!.claims).toHaveLength(1); // the replaced one is never listed
  });

  it('is abandoned when no answer ever comes, and what was taken is reverted', async () => {
    fixture.campaigns.add(redeemable('DEAF'));
    const taken = fixture.campaigns.claim;
    const claim = jest.spyOn(fixture.campaigns, 'claim').mockImplementation(async (context, request) => {
      await taken(context, request);
      throw new Fault('unavailable', 'the answer was lost');
    });
    await expect(redeem({ redeemables: vouchers('DEAF') })).rejects.toThrow(Fault);
    claim.mockRestore();
    await drained();
    expect(fixture.campaigns.redeemed('DEAF')).toBe(0);
    expect(
      (await recorded('SUCCEEDED')).filter(({ related_object_id }) => related_object_id === 'v_deaf'),
    ).toEqual([]);
  });
});

it('reverts what was claimed before an owner refused', async () => {
  fixture.campaigns.add(
    redeemable('FREE'),
    redeemable('LAST', { redemption: { quantity: 1, redeemed_quantity: 0 } }),
  );
  const loaded = fixture.campaigns.load;
  const load = jest.spyOn(fixture.campaigns, 'load').mockImplementationOnce(async (context, request) => {
    const found = await loaded(context, request);
    await redeem({ redeemables: vouchers('LAST') }); // another redemption takes the last use in between
    return found;
  });
  const refusal = await redeem({ redeemables: vouchers('FREE', 'LAST') });
  load.mockRestore();
  expect(refusal).toMatchObject({ refused: 'quantity_exceeded', redeemable_id: 'LAST' });
  await drained();
  expect([fixture.campaigns.redeemed('FREE'), fixture.campaigns.redeemed('LAST')]).toEqual([0, 1]);
  expect(fixture.campaigns.claims.count('PROVISIONAL')).toBe(0);
});

it('answers 503, and redeems nothing, when an owner had the redemption abandoned before it was recorded', async () => {
  fixture.campaigns.add(redeemable('LATE'));
  const taken = fixture.campaigns.claim;
  const claim = jest.spyOn(fixture.campaigns, 'claim').mockImplementationOnce(async (context, request) => {
    const claimed = await taken(context, request);
    const outcomes = await fixture.get(Outcomes).resolve([request.redemption_id]);
    expect(outcomes).toMatchObject([{ verdict: 'ABANDONED' }]);
    return claimed;
  });
  await expect(redeem({ redeemables: vouchers('LATE') })).rejects.toMatchObject({ kind: 'unavailable' });
  claim.mockRestore();
  await drained();
  expect(fixture.campaigns.redeemed('LATE')).toBe(0);
  expect(
    (await recorded('SUCCEEDED')).filter(({ related_object_id }) => related_object_id === 'v_late'),
  ).toEqual([]);
});

it('gives an owner who asks too early the verdict of the redemption under way', async () => {
  fixture.campaigns.add(redeemable('ASKED'));
  const taken = fixture.campaigns.claim;
  const inFlight = fixture.get(InFlightRedemptions);
  const { settled } = inFlight;
  // The owner waits as long as the redemption takes, on a machine of whatever speed.
  const patience = jest
    .spyOn(inFlight, 'settled')
    .mockImplementation((ids, waitMs = 60_000) => settled.call(inFlight, ids, waitMs));
  let answered: Promise<unknown> | undefined;
  const claim = jest.spyOn(fixture.campaigns, 'claim').mockImplementationOnce(async (context, request) => {
    answered = fixture.get(Outcomes).resolveAfterWaiting([request.redemption_id]);
    // An answer that does not wait comes before the claim.
    await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, 100))]);
    return taken(context, request);
  });
  expect(isRefused(await redeem({ redeemables: vouchers('ASKED') }))).toBe(false);
  claim.mockRestore();
  expect(await answered).toMatchObject([{ verdict: 'RECORDED' }]);
  patience.mockRestore();
});

describe('many at once', () => {
  it('redeems a limit of 10 ten times for 50 callers, and records the others as failed', async () => {
    fixture.campaigns.add(redeemable('TENUSES', { redemption: { quantity: 10, redeemed_quantity: 0 } }));
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => redeem({ redeemables: vouchers('TENUSES') })),
    );
    const refused = answers.filter(isRefused);
    expect(refused.map(({ refused: key }) => key)).toEqual(Array(40).fill('quantity_exceeded'));
    expect(new Set(refused.map(({ resourceId }) => resourceId)).size).toBe(40);
    await drained();
    expect(fixture.campaigns.redeemed('TENUSES')).toBe(10);
    const [count] = await rows<{ results: string[] }>(
      `SELECT array_agg(result ORDER BY result DESC) AS results FROM redemptions WHERE voucher_code = 'TENUSES'`,
    );
    expect(count!.results).toEqual([...Array(10).fill('SUCCESS'), ...Array(40).fill('FAILURE')]);
  });
});
