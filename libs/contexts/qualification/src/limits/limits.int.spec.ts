import { Fault, isRefused, randomIds } from '@scrip/kernel';
import { defaultStackingSettings } from '@scrip/order-calculation';
import { rounds } from '@scrip/testing';
import { keyRow } from '../key-row.fixture';
import { Outcomes } from '../outcomes/outcomes';
import type { QualificationFixture } from '../qualification.fixture';
import { atNextCommit, cut } from '../interrupted-commit.fixture';
import { call } from '../redeemables.fixture';
import { RollbackHandlers } from '../rollback/rollback.handlers';
import { ValidateHandlers } from '../validation/validate.handlers';
import { ProjectSettings } from '../evaluation/project-settings';
import {
  activate,
  counted,
  countedOfEach,
  idOf,
  keysOf,
  redeem,
  request,
  rollBack,
} from './limited-calls.fixture';
import { type LimitsFixture, drift, startLimits } from './limits.fixture';

let fixture: LimitsFixture;
let one: QualificationFixture;
let other: QualificationFixture;

beforeAll(async () => {
  fixture = await startLimits('limits');
  ({ one, other } = fixture);
});

afterAll(() => fixture.stop());

afterEach(async () => {
  await fixture.settled();
  expect(await drift(one)).toEqual([]);
});

describe('a limit', () => {
  it('of ten admits ten of fifty callers in two processes, and the others’ claims are given back', async () => {
    const { object, codes } = await fixture.limited('ten', 10, { codes: 5 });
    const answers = await fixture.inBoth(50, (process, index) => redeem(process, codes[index % 5]!));
    expect(keysOf(answers)).toEqual(Array(40).fill('redemption_rules_violated'));
    expect(await counted(one, object)).toBe(10);
    await fixture.settled();
    expect(codes.reduce((sum, code) => sum + one.campaigns.redeemed(code), 0)).toBe(10);
    const [failed] = await one.dataSource.query<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM redemptions WHERE failure_code = 'redemption_rules_violated' AND voucher_code = ANY($1)`,
      [codes],
    );
    expect(failed).toEqual({ count: 40 });
    const standing = await one.dataSource.query<object[]>(
      `SELECT redemption_id FROM redemption_outcomes o WHERE verdict = 'RECORDED'
         AND NOT EXISTS (SELECT FROM redemptions r WHERE r.id = o.redemption_id)`,
    );
    expect(standing).toEqual([]);
  });

  it('per customer and campaign admits two of each, whatever the code', async () => {
    const { object, codes } = await fixture.limited('each', 2, {
      rule: 'campaign.redemptions.customers_count',
      codes: 3,
    });
    const answers = await fixture.inBoth(50, (process, index) =>
      redeem(process, codes[index % 3]!, `each-${index % 5}`),
    );
    expect(keysOf(answers)).toHaveLength(40);
    expect(await countedOfEach(one, object)).toEqual([2, 2, 2, 2, 2]);
  });

  it('per customer needs a customer', async () => {
    const { codes } = await fixture.limited('named', 1, { rule: 'campaign.redemptions.customers_count' });
    expect(await redeem(one, codes[0]!)).toMatchObject({ refused: 'missing_customer' });
  });

  it('of money refuses the discount that does not fit as a whole', async () => {
    const { codes } = await fixture.limited('money', 250, { rule: 'campaign.orders.amount_discounted' });
    const answers = await fixture.inBoth(10, (process) => redeem(process, codes[0]!));
    expect(keysOf(answers)).toHaveLength(8);
  });

  it('since a day counts no earlier ones', async () => {
    const { object, codes } = await fixture.limited('daily', 2, { rule: 'campaign.redemptions.count.daily' });
    one.clock.moveTo('2026-06-14T21:59:59.000Z'); // the 14th in Warsaw
    await redeem(one, codes[0]!);
    one.clock.moveTo('2026-06-14T22:00:00.000Z');
    const answers = await Promise.all([1, 2, 3].map(() => redeem(one, codes[0]!)));
    one.clock.moveTo('2026-06-15T10:00:00.000Z');
    expect(keysOf(answers)).toEqual(['redemption_rules_violated']);
    expect(await counted(one, object)).toBe(3);
  });

  it('shows in a validation, which reserves nothing', async () => {
    const { codes } = await fixture.limited('shown', 1);
    const validate = () => one.get(ValidateHandlers).validate(call(), request(codes));
    expect(await validate()).toMatchObject({ valid: true });
    expect(keysOf([await redeem(one, codes[0]!)])).toEqual([]);
    expect(await validate()).toMatchObject({ valid: false });
  });

  it('that is reached is stored as the answer of a keyed command', async () => {
    // The counter is full only when the redemption is recorded: as if others had been quicker.
    const { codes } = await fixture.limited('keyed', 1);
    const row = await keyRow(one.dataSource, 'limited');
    const claim = jest.spyOn(one.campaigns, 'claim').mockImplementationOnce(async (context, asked) => {
      claim.mockRestore();
      await redeem(other, codes[0]!);
      return one.campaigns.claim(context, asked);
    });
    const answer = await redeem(one, codes[0]!, undefined, row);
    expect(answer).toMatchObject({ refused: 'redemption_rules_violated' });
    expect(await row.stored()).toMatchObject({ status: 400, body: { key: 'redemption_rules_violated' } });
  });

  it('counts no command whose key another execution has answered', async () => {
    const { object, codes } = await fixture.limited('taken', 1);
    const row = await keyRow(one.dataSource, 'taken');
    await one.dataSource.query(`UPDATE idempotency_keys SET status = 200, body = '{}' WHERE key = 'taken'`);
    const ends = await Promise.all([redeem(one, codes[0]!, undefined, row), redeem(one, codes[0]!)]);
    expect(keysOf(ends)).toEqual(['idempotency_key_in_use']);
    expect(await counted(one, object)).toBe(1);
  });
});

describe('PARTIAL redeeming', () => {
  const settings = { ...defaultStackingSettings, redeemables_application_mode: 'PARTIAL' as const };

  it('goes on without what a limit refuses, also where the race for it is lost at the record', async () => {
    const { object, codes } = await fixture.limited('partly', 10);
    const free = fixture.campaign('free');
    const spies = [one, other].map((process) =>
      jest.spyOn(process.get(ProjectSettings), 'stackingOf').mockResolvedValue(settings),
    );
    const answers = await fixture.inBoth(50, (process) => redeem(process, [codes[0]!, free.codes[0]!]));
    for (const spy of spies) spy.mockRestore();
    expect(keysOf(answers)).toEqual([]);
    const redeemed = answers.map((answer) => (answer as { redemptions: object[] }).redemptions.length);
    expect(redeemed.filter((count) => count === 2)).toHaveLength(10);
    expect(redeemed.filter((count) => count === 1)).toHaveLength(40);
    expect(await counted(one, object)).toBe(10);
    await fixture.settled();
    expect([one.campaigns.redeemed(codes[0]!), one.campaigns.redeemed(free.codes[0]!)]).toEqual([10, 50]);
  });

  it('counts redeemables of one request one after another', async () => {
    const { object, codes } = await fixture.limited('twice', 1, { codes: 2 });
    const spy = jest.spyOn(one.get(ProjectSettings), 'stackingOf').mockResolvedValue(settings);
    const answer = await redeem(one, codes);
    spy.mockRestore();
    expect(answer).toMatchObject({
      redemptions: [{ status: 'SUCCEEDED' }],
      inapplicable_redeemables: [{ id: 'twice-1', result: { error: { key: 'redemption_rules_violated' } } }],
    });
    expect(await counted(one, object)).toBe(1);
  });
});

describe('a connection that is lost at COMMIT', () => {
  const cutBefore: Parameters<typeof atNextCommit>[0] = (client, send) => {
    cut(client);
    return send();
  };
  const cutAfter: Parameters<typeof atNextCommit>[0] = async (client, send) => {
    await send();
    cut(client);
    throw new Error('Connection terminated unexpectedly');
  };

  it.each(['before', 'after'] as const)('%s it arrives: counters say what stands', async (when) => {
    const { object, codes } = await fixture.limited(`lost-${when}`, 1);
    atNextCommit(when === 'after' ? cutAfter : cutBefore);
    const first = await redeem(one, codes[0]!).catch((error: unknown) => error as Fault);
    expect(first instanceof Fault).toBe(when === 'before');
    expect(await counted(one, object)).toBe(when === 'after' ? 1 : undefined);
    const next = await redeem(other, codes[0]!);
    expect(isRefused(next)).toBe(when === 'after');
  });

  it('after a refusal by a limit was recorded: the caller gets that refusal', async () => {
    const { codes } = await fixture.limited('lost-refusal', 1);
    const claim = jest.spyOn(one.campaigns, 'claim').mockImplementationOnce(async (context, asked) => {
      claim.mockRestore();
      await redeem(other, codes[0]!);
      atNextCommit(cutAfter);
      return one.campaigns.claim(context, asked);
    });
    expect(await redeem(one, codes[0]!)).toMatchObject({ refused: 'redemption_rules_violated' });
  });
});

describe('a rollback', () => {
  it('lets the counters fall at once, and makes room for the next', async () => {
    const { object, codes } = await fixture.limited('back', 1);
    const id = idOf(await redeem(one, codes[0]!));
    await fixture.settled();
    expect(await rollBack(one, id)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await counted(one, object)).toBe(0);
    expect(isRefused(await redeem(other, codes[0]!))).toBe(false);
  });

  it('lets them fall once, however many race for it', async () => {
    const { object, codes } = await fixture.limited('back-once', 5);
    const id = idOf(await redeem(one, codes[0]!));
    await fixture.settled();
    const ends = await Promise.allSettled(
      [...Array(6)].map((_, index) => rollBack(index % 2 ? one : other, id)),
    );
    expect(ends.filter((end) => end.status === 'fulfilled' && !isRefused(end.value))).toHaveLength(1);
    expect(await counted(one, object)).toBe(0);
  });

  it('of a stack lets the counters of all its redeemables fall', async () => {
    const { object, codes } = await fixture.limited('stack', 2, { codes: 2 });
    const answer = (await redeem(one, codes)) as { parent_redemption: { id: string } };
    await fixture.settled();
    expect(await counted(one, object)).toBe(2);
    await one.get(RollbackHandlers).rollBackStack(call(), answer.parent_redemption.id, {}, randomIds);
    expect(await counted(one, object)).toBe(0);
  });

  it('racing redemptions leaves no drift', async () => {
    const { object, codes } = await fixture.limited('race', 3, {
      rule: 'campaign.redemptions.customers_count',
      codes: 2,
    });
    await activate(one, object, 'all');
    let live = 0;
    await fixture.inBoth(8, async (process, caller) => {
      for (let round = 0; round < rounds(1_000) / 8; round += 1) {
        const redeemed = await redeem(process, codes[round % 2]!, `race-${caller % 4}`);
        if (isRefused(redeemed)) continue;
        live += 1;
        const end = await rollBack(caller % 3 ? process : other, idOf(redeemed)).catch(() => null);
        if (end && !isRefused(end)) live -= 1;
      }
    });
    expect(await counted(one, object)).toBe(live);
  });
});

it('costs what is not limited nothing but the look for counters, in the statement that records', async () => {
  const { codes } = fixture.campaign('unlimited');
  const transaction = jest.spyOn(one.dataSource, 'transaction');
  expect(isRefused(await redeem(one, codes[0]!))).toBe(false);
  expect(transaction).not.toHaveBeenCalled();
  transaction.mockRestore();
});

it('records no redemption that an owner abandoned, and does not count it', async () => {
  const { object, codes } = await fixture.limited('abandoned', 5);
  const claim = jest.spyOn(one.campaigns, 'claim').mockImplementationOnce(async (context, asked) => {
    claim.mockRestore();
    const claimed = await one.campaigns.claim(context, asked);
    await one.get(Outcomes).resolve([asked.redemption_id]);
    return claimed;
  });
  await expect(redeem(one, codes[0]!)).rejects.toBeInstanceOf(Fault);
  expect(await counted(one, object)).toBeUndefined();
});

it('folds to what is stored', async () => {
  expect(await one.events.verifyState()).toEqual([]);
});
