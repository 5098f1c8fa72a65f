import type { RedemptionSnapshot } from '@scrip/contracts/qualification';
import { notFound, refuse } from '@scrip/kernel';
import { type RedemptionState, evolveRedemption } from '../redemption/redemption.aggregate';
import { voucherOf } from '../redeemables.fixture';
import { type RollBack, decideRollback, rolledBack, undoneBy } from './rollback.decider';

const redemption: RedemptionSnapshot = {
  id: 'r_1',
  object: 'redemption',
  date: '2026-03-31T22:30:00.000Z', // 1 April in Warsaw
  customer_id: 'cust_1',
  tracking_id: 'track_1',
  metadata: null,
  redemption: null,
  result: 'SUCCESS',
  status: 'SUCCEEDED',
  related_object_type: 'voucher',
  related_object_id: 'v_a',
  channel: { channel_type: 'API', channel_id: 'app_1' },
  order: null,
  voucher: voucherOf('A'),
};

const stateOf = (
  more: Partial<RedemptionSnapshot> = {},
  rollback: RedemptionState['rollback'] = null,
): RedemptionState => ({
  redemption: { ...redemption, ...more },
  claims: null,
  rollback,
});

const command: RollBack = {
  takesStacks: false,
  childRollbackId: (index) => `rr_1_${index}`,
  rollbackId: 'rr_1',
  failureId: 'rrf_1',
  now: new Date('2026-04-02T10:00:00.000Z'),
  startedAt: new Date('2026-04-02T10:00:00.250Z'),
  mode: 'WITHOUT_ORDER',
  timezone: 'Europe/Warsaw',
  reason: 'mistake',
  tracking_id: null,
  metadata: null,
  channel: { channel_type: 'API', channel_id: 'app_2' },
  customerId: null,
  unknownCustomer: null,
  unfit: null,
  order: null,
};

const rollbackOf = (id: string, finished: boolean): RedemptionState['rollback'] => ({
  rollback: { ...redemption, id, object: 'redemption_rollback' },
  started_at: '2026-04-01T00:00:00.000Z',
  finished,
});

describe('a rollback, reference 03 §9', () => {
  it('starts with everything its end needs', () => {
    expect(decideRollback(command, stateOf())).toMatchObject({
      kind: 'started',
      event: {
        type: 'RedemptionRollbackStarted',
        data: {
          started_at: '2026-04-02T10:00:00.250Z', // machine time
          rollback: {
            id: 'rr_1',
            object: 'redemption_rollback',
            date: '2026-04-02T10:00:00.000Z',
            redemption: 'r_1',
            customer_id: 'cust_1',
            tracking_id: null,
            reason: 'mistake',
            result: 'SUCCESS',
            status: 'SUCCEEDED',
            channel: { channel_id: 'app_2' },
          },
        },
      },
    });
  });

  it.each<[string, Partial<RedemptionSnapshot>, string | null, string | null]>([
    ['of a visitor that of the redemption', { customer_id: null }, null, 'track_1'],
    ['of a visitor the one that was sent', { customer_id: null }, 'track_2', 'track_2'],
    ['of a customer none, sent or stored', {}, 'track_2', null],
  ])('stores a tracking id: %s', (_, of, sent, stored) => {
    const decision = decideRollback({ ...command, tracking_id: sent }, stateOf(of));
    expect(decision).toMatchObject({ event: { data: { rollback: { tracking_id: stored } } } });
    const rollback = { ...rollbackOf('rr_1', false)!.rollback, ...of };
    const returned = { voucher: null, order: null, campaign: null, transaction: null };
    const ended = rolledBack(stateOf(of), rollback, returned).data;
    const kept = of.customer_id === null ? 'track_1' : null;
    expect([ended.redemption.tracking_id, ended.rollback.tracking_id]).toEqual([kept, kept]);
  });

  it('tells what limits counted of the redemption, which they do no longer', () => {
    const counts = { day: '2026-03-31', redeemables: [] };
    const begun = (state: RedemptionState) => decideRollback(command, state);
    expect(begun({ ...stateOf(), counts })).toHaveProperty('event.data.counts', counts);
    expect(begun(stateOf())).toHaveProperty('event.data.counts', null);
  });

  it.each<[string, RedemptionState, Partial<RollBack>, string, string]>([
    [
      'of a child',
      stateOf({ redemption: 'r_0' }),
      {},
      'invalid_redemption_parent',
      'You can rollback only a redemption that does not have parent redemption.',
    ],
    [
      'of a parent',
      stateOf({ stacked: ['r_2'] }),
      {},
      'invalid_redemption',
      'You can rollback only a single redemption. Use different endpoint for stacked redemption.',
    ],
    [
      'during another one',
      stateOf({}, rollbackOf('rr_0', false)),
      {},
      'multiple_requests',
      'Another rollback of this redemption is in progress.',
    ],
    [
      'for somebody else',
      stateOf(),
      { customerId: 'cust_2' },
      'invalid_customer',
      'Customer is not related with redemption.',
    ],
    [
      'for somebody unknown',
      stateOf(),
      { customerId: '' },
      'invalid_customer',
      'Customer is not related with redemption.',
    ],
    [
      'of another order',
      stateOf(),
      { order: { id: 'ord_2' } },
      'invalid_order',
      'Order is not related with redemption.',
    ],
    [
      'of a failed redemption',
      stateOf({ result: 'FAILURE', status: 'FAILED' }),
      {},
      'invalid_redemption',
      'A failed redemption cannot be rolled back.',
    ],
    [
      'with metadata that the schema refuses',
      stateOf(),
      { unfit: refuse('metadata_validation_failed', 'till: must be a string') },
      'metadata_validation_failed',
      'till: must be a string',
    ],
  ])('is refused %s, and the refusal is kept without being announced', (_, state, more, refused, details) => {
    expect(decideRollback({ ...command, ...more }, state)).toMatchObject({
      kind: 'refused',
      announced: false,
      refusal: { refused, details, resourceId: 'rrf_1', resourceType: 'redemption_rollback' },
      failure: { id: 'rrf_1', result: 'FAILURE', failure_code: refused, failure_message: details },
    });
  });

  it('for a customer that nobody has is refused with that customer, and kept', () => {
    const unknownCustomer = notFound('customer', 'cust_0');
    expect(decideRollback({ ...command, unknownCustomer }, stateOf())).toMatchObject({
      kind: 'refused',
      refusal: { refused: 'not_found', resourceId: 'cust_0', resourceType: 'customer' },
      failure: { id: 'rrf_1', failure_code: 'not_found' },
    });
  });

  it('is refused for what was done before it is refused for what is sent', () => {
    const sent = { unknownCustomer: notFound('customer', 'cust_0'), unfit: refuse('invalid_payload', '') };
    expect(decideRollback({ ...command, ...sent }, stateOf({}, rollbackOf('rr_0', true)))).toMatchObject({
      refusal: { refused: 'already_rolled_back' },
    });
  });

  it('is refused and announced when the redemption was rolled back before', () => {
    expect(
      decideRollback(command, stateOf({ status: 'ROLLED_BACK' }, rollbackOf('rr_0', true))),
    ).toMatchObject({
      kind: 'refused',
      announced: true,
      refusal: {
        refused: 'already_rolled_back',
        details: 'Redemption has been already rolled back.',
        resourceId: 'rrf_1',
        resourceType: 'redemption_rollback',
      },
      failure: {
        id: 'rrf_1',
        result: 'FAILURE',
        status: 'FAILED',
        failure_code: 'already_rolled_back',
        order: null,
      },
    });
  });

  it.each([
    ['2026-07-01T21:59:59.000Z', 'started'], // still 1 July in Warsaw
    ['2026-07-01T22:00:00.000Z', 'refused'],
  ])('of a redemption of 1 April is, at %s, %s', (now, kind) => {
    const decision = decideRollback({ ...command, now: new Date(now) }, stateOf());
    expect(decision.kind).toBe(kind);
    if (decision.kind === 'refused') {
      expect(decision).toMatchObject({
        announced: true,
        refusal: { refused: 'invalid_redemption', details: 'Redemption is older than 3 months.' },
      });
    }
  });

  it.each([true, false])('that finds itself goes on (finished: %s)', (finished) => {
    expect(decideRollback(command, stateOf({}, rollbackOf('rr_1', finished)))).toEqual({
      kind: 'resumed',
      finished,
    });
  });
});

describe('a rollback of a stack, reference 03 §9', () => {
  const parent = stateOf({
    id: 'r_0',
    related_object_type: 'redemption',
    related_object_id: 'r_0',
    voucher: null,
    stacked: ['r_1', 'r_2'],
  });
  const child = (id: string) => stateOf({ id, redemption: 'r_0', related_object_id: `v_${id}` });
  const takingStacks = { ...command, takesStacks: true };
  const started = () => {
    const decision = decideRollback(takingStacks, parent);
    if (decision.kind !== 'started') throw new Error(decision.kind);
    return decision.event.data;
  };

  it('starts with an id for the rollback of each child', () => {
    expect(started().rollback).toMatchObject({
      id: 'rr_1',
      redemption: 'r_0',
      related_object_type: 'redemption',
      related_object_id: 'r_0',
      stacked: ['rr_1_0', 'rr_1_1'],
    });
  });

  it('takes singles too, which have no children', () => {
    const decision = decideRollback(takingStacks, stateOf());
    expect(decision).toMatchObject({ kind: 'started', event: { data: { rollback: { redemption: 'r_1' } } } });
    expect(decision).not.toHaveProperty('event.data.rollback.stacked');
  });

  it('is refused on a child', () => {
    expect(decideRollback(takingStacks, child('r_1'))).toMatchObject({
      kind: 'refused',
      announced: false,
      refusal: {
        refused: 'invalid_redemption_parent',
        details: 'You can rollback only a redemption that does not have parent redemption.',
      },
    });
  });

  it('gives each child a rollback of its own, in the words of the request', () => {
    const state = { ...parent, rollback: { ...started(), finished: false } };
    const [first, ...children] = undoneBy(state, [child('r_1'), child('r_2')]);
    expect(first.rollback.id).toBe('rr_1');
    expect(children.map(({ rollback }) => rollback)).toMatchObject([
      { id: 'rr_1_0', redemption: 'r_1', related_object_id: 'v_r_1', reason: 'mistake', voucher: {} },
      { id: 'rr_1_1', redemption: 'r_2', related_object_id: 'v_r_2', reason: 'mistake', voucher: {} },
    ]);
    for (const { rollback } of children) expect(rollback).not.toHaveProperty('stacked');
  });

  it('shows the credits that came back as negative', () => {
    const spent = { ...redemption, amount: 300 };
    const returned = { voucher: null, order: null, campaign: null, transaction: null };
    const state = { redemption: spent, claims: null, rollback: null };
    expect(rolledBack(state, redemption, returned).data.rollback.amount).toBe(-300);
    expect(rolledBack({ ...state, redemption }, redemption, returned).data.rollback).not.toHaveProperty(
      'amount',
    );
  });

  it('tells the order as it stands now once; a redeemed child keeps its step', () => {
    const step = { id: 'ord_1', total_amount: 900 } as RedemptionSnapshot['order'];
    const after = { id: 'ord_1', total_amount: 1000 } as RedemptionSnapshot['order'];
    const end = (state: RedemptionState) =>
      rolledBack({ ...state, redemption: { ...state.redemption, order: step } }, redemption, {
        voucher: null,
        order: after,
        campaign: null,
        transaction: null,
      }).data;
    const folded = (state: RedemptionState) =>
      evolveRedemption(
        { ...state, redemption: { ...state.redemption, order: step } },
        { type: 'RedemptionRolledBack', data: end(state) },
      );
    for (const state of [child('r_1'), parent]) {
      expect(end(state)).toMatchObject({ redemption: { status: 'ROLLED_BACK' }, rollback: { order: after } });
      expect(end(state).redemption).not.toHaveProperty('order');
      expect(folded(state)?.rollback?.rollback.order).toEqual(after);
    }
    expect(folded(child('r_1'))?.redemption.order).toEqual(step);
    expect(folded(parent)?.redemption.order).toEqual(after);
  });
});
