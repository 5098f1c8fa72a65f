import { type EventStore, eventStoreToken } from '@scrip/event-store';
import { rounds, testedShape, waitUntil } from '@scrip/testing';
import { type RedemptionFixture, bootRedemption } from './redemption.fixture';

const longMs = 900_000;

let fixture: RedemptionFixture;

beforeAll(async () => {
  fixture = await bootRedemption();
});

beforeEach(() =>
  waitUntil(async () => (await fixture.get('/v1/redemptions?limit=1')).status === 200, {
    what: 'the services to reach each other',
  }),
);
afterAll(() => fixture.close());

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

const results = async (code: string): Promise<Record<string, number>> => {
  const rows = await fixture.rows<{ result: string; count: number }>(
    'qualification',
    'SELECT result, count(*)::int AS count FROM redemptions WHERE voucher_code = $1 GROUP BY result',
    [code],
  );
  return Object.fromEntries(rows.map(({ result, count }) => [result, count]));
};

/** A round that takes longer may have calls that waited for a connection as long as they may, and were answered 503. Between
 *  services, which all run in this process, a round may also be answered 503 at once: one that stands still for over a second is
 *  taken for gone until it is reached again. */
const patienceMs = 4_000;

/** Answers of callers who redeem at once. `late`: those of 503, which only a machine that is too busy may have. */
const redeemAtOnce = async (callers: number, code: string, more?: object) => {
  const startedAt = performance.now();
  const answers = await times(callers, () => fixture.redeem(code, more));
  const mayBeLate = performance.now() - startedAt > patienceMs || testedShape() === 'distributed';
  const late = mayBeLate ? answers.filter(({ status }) => status === 503).length : 0;
  return {
    late,
    redeemed: answers.filter(({ status }) => status === 200).length,
    refusals: answers.flatMap(({ status, body }) =>
      status === 200 || (mayBeLate && status === 503) ? [] : [body.key],
    ),
  };
};

it('gives 50 callers of a limit of 10 ten redemptions; the others are told, and recorded as failed', async () => {
  const code = await fixture.newCode(10);
  const { late, redeemed, refusals } = await redeemAtOnce(50, code, { order: { amount: 1000 } });
  expect(refusals.filter((key) => key !== 'quantity_exceeded' && key !== 'multiple_requests')).toEqual([]);
  await fixture.settled();
  const { SUCCESS = 0, FAILURE = 0 } = await results(code);
  expect(await fixture.redeemedQuantity(code)).toBe(SUCCESS);
  if (late === 0) expect([redeemed, SUCCESS, FAILURE]).toEqual([10, 10, 40]);
  else expect(SUCCESS).toBeLessThanOrEqual(10);
});

it(
  'gives 200 callers of a last use exactly one redemption, round after round',
  async () => {
    let exactRounds = 0;
    for (let round = 0; round < rounds(100); round += 1) {
      const code = await fixture.newCode(1);
      const { late, redeemed, refusals } = await redeemAtOnce(200, code);
      const unexpected = refusals.filter((key) => key !== 'quantity_exceeded' && key !== 'multiple_requests');
      expect(unexpected).toEqual([]);
      await fixture.settled();
      const { SUCCESS = 0, FAILURE = 0 } = await results(code);
      expect(await fixture.redeemedQuantity(code)).toBe(SUCCESS);
      if (late === 0) expect([redeemed, SUCCESS, FAILURE]).toEqual([1, 1, 199]);
      else expect(SUCCESS).toBeLessThanOrEqual(1);
      if (late === 0) exactRounds += 1;
    }
    expect(exactRounds).toBeGreaterThan(0);
  },
  longMs,
);

it(
  'redeems and rolls back in a race without drift',
  async () => {
    const code = await fixture.newCode(null);
    const redeem = async (): Promise<string> => (await fixture.redeem(code)).body.redemptions[0]!.id;
    const rollBack = (id: string) => fixture.post(`/v1/redemptions/${id}/rollback`, {});
    let open = await redeem();
    for (let round = 0; round < rounds(1_000); round += 1) {
      const [next, first, second] = await Promise.all([redeem(), rollBack(open), rollBack(open)]);
      expect([first.status, second.status].sort()).toEqual([200, 400]);
      open = next;
    }
    expect((await rollBack(open)).status).toBe(200);
    await fixture.settled();
    expect(await fixture.redeemedQuantity(code)).toBe(0);
  },
  longMs,
);

it('counts an unlimited code exactly', async () => {
  const code = await fixture.newCode(null);
  const answers = await times(64, async () => {
    const statuses: number[] = [];
    for (let round = 0; round < rounds(10); round += 1) statuses.push((await fixture.redeem(code)).status);
    return statuses;
  });
  expect(answers.flat().every((status) => status === 200)).toBe(true);
  expect(await fixture.redeemedQuantity(code)).toBe(answers.flat().length);
  expect(await results(code)).toEqual({ SUCCESS: answers.flat().length });
});

it('never leaves state that its events do not tell', async () => {
  for (const context of ['campaigns', 'customers', 'qualification'] as const) {
    const store = fixture.shape.of(context).get<EventStore>(eventStoreToken(context), { strict: false });
    expect(await store.verifyState()).toEqual([]);
  }
});
