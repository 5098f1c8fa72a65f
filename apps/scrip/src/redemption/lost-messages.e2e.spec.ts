import type { ClaimsRequest } from '@scrip/contracts/claims';
import { type QualificationPort, qualificationPort } from '@scrip/contracts/qualification';
import { Fault, internalContext, newId } from '@scrip/kernel';
import { portToken } from '@scrip/rpc';
import { waitUntil, projectOf } from '@scrip/testing';
import { type RedemptionFixture, bootRedemption } from './redemption.fixture';
import type { Answer, Redeemed } from './shop.fixture';

let fixture: RedemptionFixture;

beforeAll(async () => {
  fixture = await bootRedemption();
});

afterEach(() => jest.restoreAllMocks());
afterAll(() => fixture.close());

const context = () => ({
  ...internalContext(projectOf({ id: 'proj_demo' })),
  deadlineAt: Date.now() + 20_000,
});

const voucherIdOf = async (code: string): Promise<string> =>
  (await fixture.get(`/v1/vouchers/${code}`)).body.id as string;

/** A claim on one use of a code, by a redemption that is never recorded. */
const useOf = async (code: string): Promise<ClaimsRequest> => ({
  redemption_id: newId('r_'),
  claims: [{ claim_id: newId('clm_'), object_id: await voucherIdOf(code), asks: { uses: 1 } }],
  at_refusal: 'STOP',
});

/** Lets a claim be older than it is, as no test waits for that; younger by a negative number. */
const aged = ({ claim_id }: { claim_id: string }, seconds: number): Promise<unknown> =>
  fixture.rows(
    'campaigns',
    `UPDATE claims SET claimed_at = claimed_at - $2::int * interval '1 second' WHERE claim_id = $1`,
    [claim_id, seconds],
  );

const hour = 3_600;

const freeAgain = (code: string): Promise<unknown> =>
  waitUntil(async () => (await fixture.redeemedQuantity(code)) === 0, {
    what: 'the use to be given back',
  });

it('takes a claim again whose answer was lost, and holds one use', async () => {
  const code = await fixture.newCode(1);
  const { claim } = fixture.campaigns;
  jest.spyOn(fixture.campaigns, 'claim').mockImplementationOnce(async (...args) => {
    await claim.apply(fixture.campaigns, args);
    // However long it takes until the claim is taken again, its owner does not ask for the verdict before.
    await aged(args[1].claims[0]!, -hour);
    throw new Fault('unavailable', 'the answer was lost');
  });
  expect((await fixture.redeem(code, { order: { amount: 1000 } })).status).toBe(200);
  await fixture.settled();
  expect(await fixture.redeemedQuantity(code)).toBe(1);
  expect((await fixture.redeem(code)).body.key).toBe('quantity_exceeded');
});

it('answers 503 when an owner asked for the verdict first, and leaves the use to the next caller', async () => {
  const code = await fixture.newCode(1);
  const qualification = fixture.shape.of('campaigns').get<QualificationPort>(portToken(qualificationPort), {
    strict: false,
  });
  const { claim } = fixture.campaigns;
  jest.spyOn(fixture.campaigns, 'claim').mockImplementationOnce(async (...args) => {
    const claimed = await claim.apply(fixture.campaigns, args);
    const { redemption_id, claims } = args[1];
    const { claim_id } = claims[0]!;
    expect(
      await qualification.resolveOutcomes(context(), { claims: [{ redemption_id, claim_id }] }),
    ).toMatchObject([{ redemption_id, claim_id, verdict: 'ABANDONED' }]);
    return claimed;
  });
  expect((await fixture.redeem(code)).status).toBe(503);
  await fixture.settled();
  expect(await fixture.redeemedQuantity(code)).toBe(0);
  expect((await fixture.redeem(code)).status).toBe(200);
});

it('gives a use back after 30 seconds when the coordinator died between claim and record', async () => {
  const code = await fixture.newCode(1);
  const dead = await useOf(code);
  expect(await fixture.campaigns.claim(context(), dead)).toMatchObject([
    { granted: { voucher: { redemption: { redeemed_quantity: 1 } } } },
  ]);
  await aged(dead.claims[0]!, 30);
  await freeAgain(code);
  expect((await fixture.redeem(code)).status).toBe(200);
});

it('refuses a claim that arrives after it was replaced', async () => {
  const code = await fixture.newCode(2);
  const { claim } = fixture.campaigns;
  let arrive = (): void => undefined;
  const onItsWay = new Promise<void>((resolve) => (arrive = resolve));
  let late: ReturnType<typeof claim> | undefined;
  jest.spyOn(fixture.campaigns, 'claim').mockImplementationOnce((...args) => {
    late = onItsWay.then(() =>
      claim.apply(fixture.campaigns, [{ ...args[0], deadlineAt: Infinity }, args[1]]),
    );
    return late;
  });
  expect((await fixture.redeem(code)).status).toBe(200);
  arrive();
  expect(await late).toMatchObject([{ refusal: { refused: 'claim_abandoned' } }]);
  await fixture.settled();
  expect(await fixture.redeemedQuantity(code)).toBe(1);
});

it('does not redeem after a coordinator slept for 40 seconds with its claim', async () => {
  const code = await fixture.newCode(1);
  const { claim } = fixture.campaigns;
  const sleep = async (claim_id: string): Promise<void> => {
    await aged({ claim_id }, 40);
    await waitUntil(
      async () => {
        const [row] = await fixture.rows<{ state: string }>(
          'campaigns',
          'SELECT state FROM claims WHERE claim_id = $1',
          [claim_id],
        );
        return row?.state === 'REVERTED';
      },
      { what: 'the owner to ask and to give the use back' },
    );
  };
  let sleeping: Promise<void> | undefined;
  const claims = jest.spyOn(fixture.campaigns, 'claim').mockImplementation(async (...args) => {
    if (sleeping) {
      // Another try of the coordinator, which sleeps as well.
      await sleeping;
      return claim.apply(fixture.campaigns, args);
    }
    const claimed = claim.apply(fixture.campaigns, args);
    sleeping = claimed.then(() => sleep(args[1].claims[0]!.claim_id));
    await sleeping;
    return claimed;
  });
  expect((await fixture.redeem(code)).status).toBe(503);
  await sleeping;
  claims.mockRestore();
  await fixture.settled();
  expect(await fixture.redeemedQuantity(code)).toBe(0);
  expect((await fixture.redeem(code)).status).toBe(200);
});

it('refuses nobody for good because of a use that no redemption may have in the end', async () => {
  const code = await fixture.newCode(1);
  const dead = await useOf(code);
  await fixture.campaigns.claim(context(), dead);
  await aged(dead.claims[0]!, -hour);
  // Its coordinator is gone. While the claim is young its redemption may live: come again.
  expect(await fixture.redeem(code)).toMatchObject({ status: 400, body: { key: 'multiple_requests' } });
  await aged(dead.claims[0]!, hour + 10);
  // Then the owner asks for its verdict before it refuses the next one.
  expect((await fixture.redeem(code)).status).toBe(200);
  expect(await fixture.redeemedQuantity(code)).toBe(1);
});

it('confirms a recorded use within a minute when its settlement was lost', async () => {
  const code = await fixture.newCode(1);
  const settle = jest.spyOn(fixture.campaigns, 'settle').mockRejectedValue(new Fault('unavailable', 'away'));
  const settleOrder = jest
    .spyOn(fixture.customers, 'settle')
    .mockRejectedValue(new Fault('unavailable', 'away'));
  const { status, body } = await fixture.redeem(code, { order: { amount: 1000 } });
  expect(status).toBe(200);
  settle.mockRestore();
  settleOrder.mockRestore();
  await fixture.settled();
  expect(await fixture.redeemedQuantity(code)).toBe(1);
  // The rollback must find everything confirmed.
  expect((await fixture.post(`/v1/redemptions/${body.redemptions[0]!.id}/rollback`, {})).status).toBe(200);
  expect(await fixture.redeemedQuantity(code)).toBe(0);
});

it('refuses a claim that arrives after its revert', async () => {
  const code = await fixture.newCode(1);
  const late = await useOf(code);
  const { redemption_id, claims } = late;
  const { claim_id, object_id } = claims[0]!;
  await fixture.campaigns.settle(context(), {
    verdicts: [{ redemption_id, claim_id, object_id, verdict: 'ABANDONED' }],
  });
  expect(await fixture.campaigns.claim(context(), late)).toMatchObject([
    { refusal: { refused: 'claim_abandoned' } },
  ]);
  expect(await fixture.redeemedQuantity(code)).toBe(0);
});

it('rolls back at once, before the settlement has arrived', async () => {
  const code = await fixture.newCode(1);
  const settle = jest.spyOn(fixture.campaigns, 'settle').mockRejectedValue(new Fault('unavailable', 'away'));
  const { body } = await fixture.redeem(code);
  expect((await fixture.post(`/v1/redemptions/${body.redemptions[0]!.id}/rollback`, {})).status).toBe(200);
  settle.mockRestore();
  expect(await fixture.redeemedQuantity(code)).toBe(0);
});

describe('an Idempotency-Key', () => {
  const said = ({ status, body }: Answer<Redeemed>) => ({ status, body });

  it('redeems once, however often it is sent', async () => {
    const code = await fixture.newCode(null);
    const key = { 'idempotency-key': newId('key_') };
    const first = await fixture.redeem(code, {}, key);
    expect(first.status).toBe(200);
    expect(said(await fixture.redeem(code, {}, key))).toEqual(said(first));
    expect(await fixture.redeemedQuantity(code)).toBe(1);
    expect((await fixture.redeem(code, { metadata: {} }, key)).status).toBe(422);
  });

  it('sent twice at once redeems once', async () => {
    const code = await fixture.newCode(null);
    const key = { 'idempotency-key': newId('key_') };
    const answers = await Promise.all(Array.from({ length: 10 }, () => fixture.redeem(code, {}, key)));
    const ids = answers.filter(({ status }) => status === 200).map(({ body }) => body.redemptions[0]!.id);
    expect(new Set(ids).size).toBe(1);
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(await fixture.redeemedQuantity(code)).toBe(1);
  });

  it('keeps a refusal, with one failed redemption', async () => {
    const code = await fixture.newCode(0);
    const key = { 'idempotency-key': newId('key_') };
    const first = await fixture.redeem(code, {}, key);
    expect(first).toMatchObject({
      status: 400,
      body: { key: 'quantity_exceeded', resource_type: 'redemption' },
    });
    expect(said(await fixture.redeem(code, {}, key))).toEqual(said(first));
    const { body } = await fixture.get<{ total: number }>(
      `/v1/redemptions?filters[voucher_code][conditions][$is]=${code}`,
    );
    expect(body.total).toBe(1);
  });

  it('goes on after an execution that nobody could answer', async () => {
    const code = await fixture.newCode(1);
    const key = { 'idempotency-key': newId('key_') };
    const { claim } = fixture.campaigns;
    const lost = jest.spyOn(fixture.campaigns, 'claim').mockImplementation(async (...args) => {
      await claim.apply(fixture.campaigns, args);
      throw new Fault('unavailable', 'the answer was lost');
    });
    expect((await fixture.redeem(code, {}, key)).status).toBe(503);
    lost.mockRestore();
    const again = await fixture.redeem(code, {}, key);
    expect(again.status).toBe(200);
    await fixture.settled();
    expect(await fixture.redeemedQuantity(code)).toBe(1);
  });

  it('goes on after an execution that left a draft of the order', async () => {
    const code = await fixture.newCode(null);
    const first = await fixture.redeem(code, { order: { source_id: newId('order-'), amount: 1000 } });
    const { id } = (first.body as unknown as { order: { id: string } }).order;
    const key = { 'idempotency-key': newId('key_') };
    // As a process leaves it that is killed after its claims: no owner hears of the end.
    const unsettled = jest
      .spyOn(fixture.customers, 'settle')
      .mockRejectedValue(new Fault('unavailable', 'away'));
    const { claim } = fixture.customers;
    const lost = jest.spyOn(fixture.customers, 'claim').mockImplementation(async (...args) => {
      await claim.apply(fixture.customers, args);
      throw new Fault('unavailable', 'the answer was lost');
    });
    expect((await fixture.redeem(code, { order: { id } }, key)).status).toBe(503);
    lost.mockRestore();
    expect(await fixture.redeem(code, { order: { id } }, key)).toMatchObject({
      status: 200,
      body: { order: { id, total_discount_amount: 20 } },
    });
    unsettled.mockRestore();
  });

  it('goes on after others were at work', async () => {
    const code = await fixture.newCode(1);
    const key = { 'idempotency-key': newId('key_') };
    const dead = await useOf(code);
    await fixture.campaigns.claim(context(), dead);
    await aged(dead.claims[0]!, -hour);
    expect(await fixture.redeem(code, {}, key)).toMatchObject({
      status: 400,
      body: { key: 'multiple_requests' },
    });
    await aged(dead.claims[0]!, hour + 10);
    expect((await fixture.redeem(code, {}, key)).status).toBe(200);
    expect(await fixture.redeemedQuantity(code)).toBe(1);
  });
});
