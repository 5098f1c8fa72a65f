import { type EventStore, eventStoreToken } from '@scrip/event-store';
import { rounds, waitUntil } from '@scrip/testing';
import { type RedemptionFixture, bootRedemption } from './redemption.fixture';
import { answered } from './shop.fixture';

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

/** Answers of callers who redeem at once. One that is answered 503 calls again, as shops do: on a busy machine a call may wait for a
 *  connection longer than it may, and between services, which all run in this process, one that stands still for over a second is
 *  taken for gone until it is reached again. */
const redeemAtOnce = async (callers: number, code: string, more?: object) => {
  let calls = 0;
  const redeem = (key: Record<string, string>) => {
    calls += 1;
    return fixture.redeem(code, more, key);
  };
  const answers = await times(callers, () => answered(redeem));
  return {
    redeemed: answers.filter(({ status }) => status === 200).length,
    repeated: calls - callers,
    refusals: answers.flatMap(({ status, body }) => (status === 200 ? [] : [body.key])),
  };
};

/** One of each refusal. A key keeps no `multiple_requests`: where its answer was late, the repeated call is refused once more. */
const expectFailures = (found: number, refused: number, repeated: number): void => {
  expect(found).toBeGreaterThanOrEqual(refused);
  expect(found).toBeLessThanOrEqual(refused + repeated);
};

it('gives 50 callers of a limit of 10 ten redemptions; the others are told, and recorded as failed', async () => {
  const code = await fixture.newCode(10);
  const { redeemed, repeated, refusals } = await redeemAtOnce(50, code, { order: { amount: 1000 } });
  expect(refusals.filter((key) => key !== 'quantity_exceeded' && key !== 'multiple_requests')).toEqual([]);
  await fixture.settled();
  const { SUCCESS = 0, FAILURE = 0 } = await results(code);
  expect(await fixture.redeemedQuantity(code)).toBe(SUCCESS);
  expect([redeemed, SUCCESS]).toEqual([10, 10]);
  expectFailures(FAILURE, 40, repeated);
});

it(
  'gives 200 callers of a last use exactly one redemption, round after round',
  async () => {
    for (let round = 0; round < rounds(100); round += 1) {
      const code = await fixture.newCode(1);
      const { redeemed, repeated, refusals } = await redeemAtOnce(200, code);
      const unexpected = refusals.filter((key) => key !== 'quantity_exceeded' && key !== 'multiple_requests');
      expect(unexpected).toEqual([]);
      await fixture.settled();
      const { SUCCESS = 0, FAILURE = 0 } = await results(code);
      expect(await fixture.redeemedQuantity(code)).toBe(SUCCESS);
      expect([redeemed, SUCCESS]).toEqual([1, 1]);
      expectFailures(FAILURE, 199, repeated);
    }
  },
  longMs,
);

it(
  'redeems and rolls back in a race without drift',
  async () => {
    const code = await fixture.newCode(null);
    const redeem = async (): Promise<string> =>
      (await answered((key) => fixture.redeem(code, {}, key))).body.redemptions[0]!.id;
    const rollBack = (id: string) =>
      answered((key) => fixture.post(`/v1/redemptions/${id}/rollback`, {}, key));
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
    for (let round = 0; round < rounds(10); round += 1)
      statuses.push((await answered((key) => fixture.redeem(code, {}, key))).status);
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
