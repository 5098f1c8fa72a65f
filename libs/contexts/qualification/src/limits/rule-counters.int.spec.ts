import { newId } from '@scrip/kernel';
import type { RuledObjectType, WantedAssignment } from '@scrip/contracts/qualification';
import { AssignmentHandlers } from '../assignment/assignment.handlers';
import type { QualificationFixture } from '../qualification.fixture';
import { call } from '../redeemables.fixture';
import { RuleHandlers } from '../rule/rule.handlers';
import { LimitCounters } from './limit-counters';
import { activate, countedOfEach, redeem } from './limited-calls.fixture';
import { type LimitsFixture, assignRule, drift, startLimits, storedRule } from './limits.fixture';

let fixture: LimitsFixture;
let one: QualificationFixture;
let other: QualificationFixture;

beforeAll(async () => {
  fixture = await startLimits('rule_counters');
  ({ one, other } = fixture);
});

afterAll(() => fixture.stop());

afterEach(async () => {
  await fixture.settled();
  expect(await drift(one)).toEqual([]);
});

const body = (...names: string[]) => ({
  name: 'Limits',
  rules: Object.fromEntries(
    names.map((name, index) => [index + 1, { name, conditions: { $less_than_or_equal: [3] } }]),
  ),
});

const rule = (...names: string[]): Promise<string> => storedRule(one, body(...names));

const wanted = (
  rule_id: string,
  type: RuledObjectType,
  related_object_id: string,
  campaign_id: string | null = null,
): WantedAssignment => ({
  id: newId('asgm_'),
  rule_id,
  related_object_type: type,
  related_object_id,
  campaign_id,
});

/** Scopes of an object, with the number of executions that counted them. */
const scopesOf = (object: string) =>
  one.dataSource.query<object[]>(
    'SELECT counted_by, state, attempt FROM limit_scopes WHERE object = $1 ORDER BY counted_by',
    [object],
  );

const touched = (name: string, customer: string) => ({
  counters: [
    {
      key: { object: `voucher:v_${name}-0`, counted_by: 'customer' as const, subject: customer },
      since: null,
      campaignId: `camp_${name}`,
    },
  ],
  budgets: [],
});

/** How often the customer who redeemed the first code of a campaign has done so, as a request reads it. */
const read = async (name: string): Promise<number[]> => {
  const [{ customer } = { customer: '' }] = await one.dataSource.query<{ customer: string }[]>(
    'SELECT customer_id AS customer FROM redemptions WHERE related_object_id = $1',
    [`v_${name}-0`],
  );
  const { counted } = await other.get(LimitCounters).read(call(), touched(name, customer));
  return [...counted.values()].map(({ redemptions }) => redemptions);
};

describe('a rule that limits', () => {
  it('each incentive of a campaign counts each by itself, from the redemptions that exist', async () => {
    const { codes } = fixture.campaign('inc', 2);
    for (const code of [codes[0]!, codes[0]!, codes[1]!]) await redeem(one, code, 'ada');
    await assignRule(one, await rule('redemption.count.per_customer'), 'campaign', 'camp_inc');
    expect(await scopesOf('incentives:camp_inc')).toEqual([
      { counted_by: 'customer', state: 'ACTIVE', attempt: 1 },
    ]);
    expect(await countedOfEach(one, 'incentives:camp_inc/voucher:v_inc-0')).toEqual([2]);
    expect(await countedOfEach(one, 'incentives:camp_inc/voucher:v_inc-1')).toEqual([1]);
    expect(await read('inc')).toEqual([2]);
    expect(await scopesOf('voucher:v_inc-0')).toEqual([]);
  });

  it('is counted for what it holds for when it is changed', async () => {
    const { codes } = fixture.campaign('changed');
    const id = await rule();
    await redeem(one, codes[0]!, 'ada');
    await assignRule(one, id, 'campaign', 'camp_changed');
    expect(await scopesOf('campaign:camp_changed')).toEqual([]);
    await one.get(RuleHandlers).update(call(), id, body('campaign.redemptions.customers_count.daily'));
    expect(await countedOfEach(one, 'campaign:camp_changed')).toEqual([1]);
  });

  it('an object that is about to be created counts nothing but its campaign', async () => {
    fixture.campaign('fresh');
    const id = await rule('redemption.count.per_customer', 'campaign.redemptions.count');
    const assignment = wanted(id, 'voucher', 'v_fresh', 'camp_fresh');
    await one.get(AssignmentHandlers).assignAll(call(), [assignment]);
    expect(await scopesOf('voucher:v_fresh')).toEqual([
      { counted_by: 'customer', state: 'ACTIVE', attempt: 0 },
    ]);
    expect(await scopesOf('campaign:camp_fresh')).toEqual([
      { counted_by: 'all', state: 'ACTIVE', attempt: 1 },
    ]);
  });

  it('an object whose creation is repeated is counted, since it may have been redeemed', async () => {
    const id = await rule();
    const assignment = wanted(id, 'voucher', 'v_twice');
    await one.get(AssignmentHandlers).assignAll(call(), [assignment]);
    await one.get(RuleHandlers).update(call(), id, body());
    await one.dataSource.query(`DELETE FROM limit_scopes WHERE object = 'voucher:v_twice'`);
    const limited = await rule('redemption.count.per_customer');
    await one.dataSource.query('UPDATE rule_assignments SET rule_id = $1 WHERE id = $2', [
      limited,
      assignment.id,
    ]);
    await one.get(AssignmentHandlers).assignAll(call(), [{ ...assignment, rule_id: limited }]);
    expect(await scopesOf('voucher:v_twice')).toMatchObject([{ attempt: 1 }]);
  });

  it('is never read before its counters are complete, whatever stopped in between', async () => {
    const { codes } = fixture.campaign('lazy');
    await fixture.inBoth(4, (process) => redeem(process, codes[0]!, 'ada'));
    expect(await read('lazy')).toEqual([4]);
    expect(await scopesOf('voucher:v_lazy-0')).toHaveLength(1);
    const killed = fixture.campaign('killed');
    await fixture.inBoth(4, (process) => redeem(process, killed.codes[0]!, 'ada'));
    await one.dataSource.query(
      `INSERT INTO limit_scopes (project_id, object, counted_by, state, attempt, lease_until)
       VALUES ('proj_1', 'incentives:camp_killed', 'customer', 'COUNTING', 3, now() - interval '1 second')`,
    );
    expect(await read('killed')).toEqual([4]);
    expect(await scopesOf('voucher:v_killed-0')).toEqual([]);
  });

  it('is assigned and changed while fifty callers redeem, and misses none of them', async () => {
    const { codes } = fixture.campaign('racing', 5);
    await redeem(one, codes[0]!, 'ada-0');
    const id = await rule('campaign.redemptions.count');
    const redeemed = fixture.inBoth(50, (process, index) =>
      redeem(process, codes[index % 5]!, `ada-${index % 7}`),
    );
    await assignRule(one, id, 'campaign', 'camp_racing');
    await one
      .get(RuleHandlers)
      .update(call(), id, body('redemption.count.per_customer', 'campaign.redemptions.count'));
    await redeemed;
    expect(await scopesOf('incentives:camp_racing')).toHaveLength(1);
  });
});

it('counts all objects of a rule by one look at what was redeemed', async () => {
  for (const name of ['many-1', 'many-2']) await redeem(one, fixture.campaign(name).codes[0]!, 'ada');
  const id = await rule();
  await assignRule(one, id, 'campaign', 'camp_many-1');
  await assignRule(one, id, 'campaign', 'camp_many-2');
  const snapshots = jest.spyOn(one.dataSource, 'createQueryRunner');
  await one.get(RuleHandlers).update(call(), id, body('campaign.redemptions.count'));
  const statements = snapshots.mock.calls.length;
  snapshots.mockRestore();
  await activate(one, 'campaign:camp_many-1', 'all');
  expect(await scopesOf('campaign:camp_many-2')).toMatchObject([{ attempt: 1 }]);
  expect(statements).toBeGreaterThan(0);
});
