import { UniqueViolation } from '@scrip/event-store';
import { Fault, internalContext } from '@scrip/kernel';
import { projectOf } from '@scrip/testing';
import { PublishingLanes } from './publishing-lanes';
import type { Publishing, Tried, Try } from './publication-try';
import type { PublishingAtOnce } from './publishing-at-once';
import type { PublishingTransaction } from './publishing-transaction';

interface Asked {
  customer?: string;
  source?: string;
  campaign?: string | null;
  voucher?: string;
  count?: number;
  patient?: boolean;
  deadlineAt?: number;
}

const tryOf = (id: string, asked: Asked = {}): Try => {
  const { customer = `cust_${id}`, source = null, campaign = 'camp_1', voucher = null, count = 1 } = asked;
  const publishing = {
    id,
    customer_id: customer,
    request: { source: { campaign, count }, source_id: source },
    campaign: campaign === null ? null : { id: campaign },
    voucherId: voucher,
  } as unknown as Publishing;
  return {
    context: {
      ...internalContext(projectOf()),
      ...(asked.deadlineAt ? { deadlineAt: asked.deadlineAt } : {}),
    },
    publishing,
    supply: { patient: asked.patient ?? false, codes: [] },
  };
};

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

const neverAtOnce = { run: async () => null } as unknown as PublishingAtOnce;

/** Lanes over transactions that wait until they are let go; `begun` lists what each of them runs, in the order of their begin. */
const heldLanes = (
  fails: (ids: readonly string[]) => unknown = () => undefined,
  atOnce: PublishingAtOnce = neverAtOnce,
) => {
  const begun: string[][] = [];
  const ends: (() => void)[] = [];
  const run = async (tries: readonly Try[]): Promise<Tried[]> => {
    const ids = tries.map(({ publishing }) => publishing.id);
    begun.push(ids);
    await new Promise<void>((resolve) => ends.push(resolve));
    const error = fails(ids);
    if (error) throw error;
    return ids.map((earlier) => ({ earlier }));
  };
  const lanes = new PublishingLanes(atOnce, { run } as unknown as PublishingTransaction);
  const endAll = async () => {
    for (const end of ends.splice(0)) end();
    await turn();
    await turn();
  };
  return { run: (id: string, asked?: Asked) => lanes.run(tryOf(id, asked)), begun, endAll };
};

it('lets what arrives while a transaction runs share the next one', async () => {
  const { run, begun, endAll } = heldLanes();
  const answers = [run('a'), run('b')];
  await turn();
  answers.push(run('c'), run('d'));
  await turn();
  expect(begun).toEqual([['a', 'b']]);
  await endAll();
  expect(begun).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  await endAll();
  expect(await Promise.all(answers)).toEqual(['a', 'b', 'c', 'd'].map((earlier) => ({ earlier })));
  void run('e');
  await turn();
  expect(begun[2]).toEqual(['e']);
});

it('keeps the transactions of two campaigns apart', async () => {
  const { run, begun } = heldLanes();
  void run('a', { campaign: 'camp_1' });
  void run('b', { campaign: 'camp_2' });
  await turn();
  expect(begun).toEqual([['a'], ['b']]);
});

it.each([
  ['a customer', { customer: 'cust_1' }],
  ['a source id', { source: 'order-1' }],
])('has %s once in a transaction, in the order of the calls', async (_, same) => {
  const { run, begun, endAll } = heldLanes();
  void run('a', same);
  void run('b', same);
  void run('c', same);
  void run('d');
  await turn();
  await endAll();
  await endAll();
  expect(begun).toEqual([['a', 'd'], ['b'], ['c']]);
});

it('writes at most 64 codes together, and more where one call asks for them', async () => {
  const { run, begun, endAll } = heldLanes();
  void run('a', { count: 40 });
  void run('b', { count: 40 });
  void run('c', { count: 24 });
  await turn();
  await endAll();
  expect(begun).toEqual([['a', 'c'], ['b']]);
});

it.each([
  ['waits for codes that others hold', { patient: true }],
  ['names a voucher', { voucher: 'v_1' }],
  ['belongs to no campaign', { campaign: null }],
] as const)('runs a try at once and by itself that %s', async (_, alone) => {
  const { run, begun } = heldLanes();
  void run('a');
  await turn();
  void run('b', alone);
  expect(begun).toEqual([['a'], ['b']]);
});

it('does not publish for a caller whose deadline passed while it waited', async () => {
  const { run, begun, endAll } = heldLanes();
  void run('a');
  await turn();
  const late = run('b', { deadlineAt: 1 });
  const answered = expect(late).rejects.toMatchObject({ kind: 'deadline' });
  void run('c');
  await endAll();
  await answered;
  expect(begun).toEqual([['a'], ['c']]);
});

it('looks no further once a transaction is full, and keeps the order of the others', async () => {
  const { run, begun, endAll } = heldLanes();
  void run('a', { count: 64 });
  for (const id of ['b', 'c', 'd']) void run(id, { count: 32 });
  await turn();
  await endAll();
  await endAll();
  expect(begun).toEqual([['a'], ['b', 'c'], ['d']]);
});

it('tries each by itself after an error of one, which no other caller sees', async () => {
  const violation = new UniqueViolation({ kind: 'unique', constraint: 'publications_source_id' });
  const { run, begun, endAll } = heldLanes((ids) => (ids.includes('b') ? violation : undefined));
  const answers = Promise.allSettled([run('a'), run('b'), run('c')]);
  await turn();
  await endAll();
  await endAll();
  expect(begun).toEqual([['a', 'b', 'c'], ['a'], ['b'], ['c']]);
  expect(await answers).toEqual([
    { status: 'fulfilled', value: { earlier: 'a' } },
    { status: 'rejected', reason: violation },
    { status: 'fulfilled', value: { earlier: 'c' } },
  ]);
});

it('tells all of a lost connection, after which any of them may be written', async () => {
  const lost = new Fault('unavailable', 'PostgreSQL did not answer (lost)', {
    cause: Object.assign(new Error('Connection terminated'), { code: 'ECONNRESET' }),
  });
  const { run, begun, endAll } = heldLanes(() => lost);
  const answers = Promise.allSettled([run('a'), run('b')]);
  await turn();
  await endAll();
  expect((await answers).map((answer) => (answer as PromiseRejectedResult).reason)).toEqual([lost, lost]);
  expect(begun).toEqual([['a', 'b']]);
});

describe('what can be published by one statement', () => {
  const atOnce = (run: (ids: readonly string[]) => unknown) =>
    ({
      run: async (tries: readonly Try[]) => run(tries.map(({ publishing }) => publishing.id)),
    }) as unknown as PublishingAtOnce;

  it('goes without a transaction', async () => {
    const answers = atOnce((ids) => ids.map((earlier) => ({ earlier })));
    const { run, begun } = heldLanes(undefined, answers);
    expect(await Promise.all([run('a'), run('b')])).toEqual([{ earlier: 'a' }, { earlier: 'b' }]);
    expect(begun).toEqual([]);
  });

  it('goes by a transaction each, after an error of one', async () => {
    const fails = atOnce(() => {
      throw new UniqueViolation({ kind: 'unique', constraint: 'publications_source_id' });
    });
    const { run, begun, endAll } = heldLanes(undefined, fails);
    const answers = Promise.all([run('a'), run('b')]);
    await turn();
    await turn();
    await endAll();
    expect(await answers).toEqual([{ earlier: 'a' }, { earlier: 'b' }]);
    expect(begun).toEqual([['a'], ['b']]);
  });
});
