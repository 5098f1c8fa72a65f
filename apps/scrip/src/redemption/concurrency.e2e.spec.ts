import { type EventStore, eventStoreToken } from '@scrip/event-store';
import { type RedemptionFixture, bootRedemption } from './redemption.fixture';

/** Share of the full rounds to run, for machines in a hurry. */
const scale = Number(process.env.SCRIP_TEST_SCALE ?? '1');
const rounds = (full: number): number => Math.max(1, Math.round(full * scale));

const longMs = 900_000;

let fixture: RedemptionFixture;

beforeAll(async () => {
  fixture = await bootRedemption();
});

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

it('gives 50 callers of a limit of 10 ten redemptions; the others are told, and recorded as failed', async () => {
  const code = await fixture.newCode(10);
  const answers = await times(50, () => fixture.redeem(code, { order: { amount: 1000 } }));
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.map(({ status, body }) => [status, body.key])).toEqual(
    Array(40).fill([400, 'quantity_exceeded']),
  );
  await fixture.settled();
  expect(await fixture.redeemedQuantity(code)).toBe(10);
  expect(await results(code)).toEqual({ SUCCESS: 10, FAILURE: 40 });
});

it(
  'gives 200 callers of a last use exactly one redemption, round after round',
  async () => {
    for (let round = 0; round < rounds(100); round += 1) {
      const code = await fixture.newCode(1);
      const answers = await times(200, () => fixture.redeem(code));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const others = answers.filter(({ status }) => status !== 200).map(({ body }) => body.key);
      expect(others.every((key) => key === 'quantity_exceeded' || key === 'multiple_requests')).toBe(true);
      expect(await results(code)).toEqual({ SUCCESS: 1, FAILURE: 199 });
    }
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
