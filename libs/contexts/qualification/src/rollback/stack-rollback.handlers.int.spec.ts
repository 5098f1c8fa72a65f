import type { RedemptionEvent } from '@scrip/contracts/qualification';
import { Fault, derivedIds, isRefused, randomIds } from '@scrip/kernel';
import { RedemptionListHandlers } from '../listing/redemption-list.handlers';
import { RedemptionReads } from '../redemption/redemption.reads';
import { type QualificationFixture, startQualification } from '../qualification.fixture';
import { amount, call, redeemable } from '../redeemables.fixture';
import { RedeemHandlers } from '../redemption/redeem.handlers';
import type { RollbackRequest } from '../request/rollback-request';
import { SettlementPusher } from '../settlement/settlement';
import { type FinishedRollback, RollbackFinisher } from './rollback-finisher';
import { RollbackResumer } from './rollback-resumer';
import { RollbackHandlers } from './rollback.handlers';

interface Stack {
  parent: string;
  children: string[];
}

interface StackAnswer {
  rollbacks: { id: string }[];
  parent_rollback: { id: string };
  order: object;
}

let fixture: QualificationFixture;
let uses: number[];

const codes = ['B', 'A']; // not in the order in which owners take them
const usesNow = () => codes.map((code) => fixture.campaigns.redeemed(code));

beforeAll(async () => {
  fixture = await startQualification('stack_rollback');
  // Rounds run when a test says so.
  await fixture.get(RollbackResumer).onApplicationShutdown();
  fixture.campaigns.add(
    redeemable('A', { discount: amount(1000) }),
    redeemable('B', { discount: amount(500) }),
  );
});

beforeEach(() => {
  uses = usesNow();
});

afterEach(async () => {
  expect(usesNow()).toEqual(uses);
  expect(await fixture.events.verifyState()).toEqual([]);
});

afterAll(() => fixture.stop());

const redeem = async (named: string[], more: object = { order: { amount: 5000 } }) => {
  const redeemables = named.map((id) => ({ object: 'voucher' as const, id }));
  const answer = await fixture.get(RedeemHandlers).redeem(call(), { redeemables, ...more });
  await fixture.get(SettlementPusher).drained();
  return answer as { redemptions: { id: string }[]; parent_redemption?: { id: string } };
};

const redeemedStack = async (more?: object): Promise<Stack> => {
  const { redemptions, parent_redemption } = await redeem(codes, more);
  return { parent: parent_redemption!.id, children: redemptions.map(({ id }) => id) };
};

const rollBackStack = (id: string, request: RollbackRequest = {}, ids = randomIds) =>
  fixture.get(RollbackHandlers).rollBackStack(call(), id, request, ids);

const read = (id: string) => fixture.get(RedemptionListHandlers).read(call(), id);

const eventTypes = async (id: string): Promise<string[]> =>
  (await fixture.events.readStream('redemption', 'proj_1', id)).map(({ type }) => type);

const ended = async ({ parent, children }: Stack): Promise<number[]> =>
  Promise.all(
    [parent, ...children].map(
      async (id) => (await eventTypes(id)).filter((type) => type === 'RedemptionRolledBack').length,
    ),
  );

it('undoes a whole stack by one call to each owner', async () => {
  const stack = await redeemedStack({
    order: { amount: 5000 },
    customer: { source_id: 'alice', name: 'Al' },
  });
  const refund = jest.spyOn(fixture.campaigns, 'refund');
  const refundOrder = jest.spyOn(fixture.customers, 'refund');
  const answer = (await rollBackStack(stack.parent, {
    reason: 'mistake',
    metadata: { by: 'me' },
  })) as StackAnswer;
  const [children, parent] = [answer.rollbacks.map(({ id }) => id), answer.parent_rollback.id];
  const order = {
    status: 'CANCELED',
    amount: 5000,
    total_amount: 5000,
    redemptions: { [stack.parent]: { rollback_id: parent, rollback_stacked: children } },
  };
  const common = {
    object: 'redemption_rollback',
    reason: 'mistake',
    metadata: { by: 'me' },
    result: 'SUCCESS',
    status: 'SUCCEEDED',
    customer: { name: 'Al' },
    order,
  };
  expect(answer).toMatchObject({
    rollbacks: codes.map((code, index) => ({
      ...common,
      id: expect.stringMatching(/^rr_/),
      redemption: stack.children[index],
      related_object_type: 'voucher',
      related_object_id: `v_${code.toLowerCase()}`,
      voucher: { code, redemption: { redeemed_quantity: uses[index] } },
    })),
    parent_rollback: {
      ...common,
      id: expect.stringMatching(/^rr_/),
      redemption: stack.parent,
      related_object_type: 'redemption',
      related_object_id: stack.parent,
    },
    order,
  });
  expect(answer.parent_rollback).not.toHaveProperty('voucher');
  expect(answer).not.toHaveProperty('order.discount_amount');
  expect(refund.mock.calls.map(([, { claims }]) => claims.map(({ rollback_id }) => rollback_id))).toEqual([
    children,
  ]);
  expect(refundOrder).toHaveBeenCalledTimes(1);
  refund.mockRestore();
  refundOrder.mockRestore();
});

it('tells of each child and of the parent, and is found by reading each', async () => {
  const stack = await redeemedStack();
  const answer = (await rollBackStack(stack.parent)) as StackAnswer;
  expect(await eventTypes(stack.parent)).toEqual([
    'RedemptionSucceeded',
    'RedemptionRollbackStarted',
    'RedemptionRolledBack',
  ]);
  for (const [index, child] of stack.children.entries()) {
    const events = await fixture.events.readStream('redemption', 'proj_1', child);
    expect(events.map(({ type }) => type)).toEqual(['RedemptionSucceeded', 'RedemptionRolledBack']);
    const { data } = events[1] as unknown as Extract<RedemptionEvent, { type: 'RedemptionRolledBack' }>;
    expect(data.rollback).toMatchObject({ id: answer.rollbacks[index]!.id, redemption: child });
    expect(await read(child)).toMatchObject({
      status: 'ROLLED_BACK',
      result: 'SUCCESS',
      related_redemptions: { rollbacks: [{ id: answer.rollbacks[index]!.id }] },
    });
    expect(await read(answer.rollbacks[index]!.id)).toMatchObject({ redemption: child });
  }
  expect(await read(stack.parent)).toMatchObject({
    status: 'ROLLED_BACK',
    related_redemptions: { rollbacks: [{ id: answer.parent_rollback.id }], redemptions: [{}, {}] },
  });
  expect(await read(answer.parent_rollback.id)).toMatchObject({ redemption: stack.parent });
});

it('undoes a single redemption, which has no parent rollback', async () => {
  const [single] = (await redeem(['A'])).redemptions;
  const answer = (await rollBackStack(single!.id)) as StackAnswer;
  expect(answer).toMatchObject({
    rollbacks: [{ redemption: single!.id, voucher: { code: 'A' } }],
    order: { status: 'CANCELED', redemptions: { [single!.id]: { rollback_id: answer.rollbacks[0]!.id } } },
  });
  expect(Object.keys(answer)).toEqual(['rollbacks', 'order']);
});

it('has no order where the stack had none', async () => {
  const { parent } = await redeemedStack({});
  const answer = await rollBackStack(parent);
  expect(answer).toMatchObject({ rollbacks: [{ order: null }, {}], parent_rollback: { order: null } });
  expect(answer).not.toHaveProperty('order');
});

it('is refused on a child by both calls, and on a parent by the call for singles', async () => {
  const { parent, children } = await redeemedStack();
  const single = (id: string) => fixture.get(RollbackHandlers).rollBack(call(), id, {}, randomIds);
  const [child] = children;
  for (const refusal of [await rollBackStack(child!), await single(child!)]) {
    expect(refusal).toMatchObject({
      refused: 'invalid_redemption_parent',
      details: 'You can rollback only a redemption that does not have parent redemption.',
    });
  }
  expect(await single(parent)).toMatchObject({
    refused: 'invalid_redemption',
    details: 'You can rollback only a single redemption. Use different endpoint for stacked redemption.',
  });
  await rollBackStack(parent);
  expect(await rollBackStack(parent)).toMatchObject({
    refused: 'already_rolled_back',
    details: 'Redemption has been already rolled back.',
    resourceId: expect.stringMatching(/^rrf_/),
    resourceType: 'redemption_rollback',
  });
  expect(await rollBackStack('r_nothing')).toMatchObject({ refused: 'not_found' });
});

it('succeeds once for twenty callers', async () => {
  const stack = await redeemedStack();
  const answers = await Promise.all(Array.from({ length: 20 }, () => rollBackStack(stack.parent)));
  const refusals = answers.filter((answer) => isRefused(answer)).map(({ refused }) => refused);
  expect(refusals).toHaveLength(19);
  expect(refusals.every((key) => key === 'multiple_requests' || key === 'already_rolled_back')).toBe(true);
  expect(await ended(stack)).toEqual([1, 1, 1]);
});

describe('interrupted between its refunds', () => {
  const interrupted = async (ids = randomIds): Promise<Stack> => {
    const stack = await redeemedStack();
    const away = jest
      .spyOn(fixture.customers, 'refund')
      .mockRejectedValueOnce(new Fault('unavailable', 'away'));
    await expect(rollBackStack(stack.parent, {}, ids)).rejects.toBeInstanceOf(Fault);
    away.mockRestore();
    return stack;
  };

  it('is finished by somebody else', async () => {
    const stack = await interrupted();
    expect(await rollBackStack(stack.parent)).toMatchObject({ refused: 'multiple_requests' });
    for (const id of [stack.parent, ...stack.children]) {
      expect(await read(id)).toMatchObject({ status: 'SUCCEEDED' });
    }
    expect(await fixture.get(RollbackResumer).resume(0)).toBe(1);
    for (const id of [stack.parent, ...stack.children]) {
      expect(await read(id)).toMatchObject({ status: 'ROLLED_BACK' });
    }
    expect(await ended(stack)).toEqual([1, 1, 1]);
    expect(await fixture.get(RollbackResumer).resume(0)).toBe(0);
  });

  it('ends once when somebody else ends it in between, and both see the same end', async () => {
    const stack = await interrupted();
    const reader = fixture.get(RedemptionReads);
    const finisher = fixture.get(RollbackFinisher);
    const state = await reader.redemption(call(), stack.parent);
    const commit = reader.store.commitMany.bind(reader.store);
    let other: FinishedRollback | undefined;
    const late = jest.spyOn(reader.store, 'commitMany').mockImplementationOnce(async (...changes) => {
      other = await finisher.finish(call(), state!);
      return commit(...changes);
    });
    expect(await finisher.finish(call(), state!)).toEqual(other);
    late.mockRestore();
    expect(await ended(stack)).toEqual([1, 1, 1]);
  });

  it('and repeated under its ids answers the same rollbacks', async () => {
    const createdAt = new Date('2026-06-15T10:00:00.000Z');
    const ids = derivedIds({ createdAt, commandId: 'cmd-1', attempt: 1 });
    const { parent } = await interrupted(ids);
    const first = (await rollBackStack(parent, {}, ids)) as StackAnswer;
    expect(first.rollbacks).toHaveLength(2);
    expect(await rollBackStack(parent, {}, ids)).toEqual(first);
  });
});
