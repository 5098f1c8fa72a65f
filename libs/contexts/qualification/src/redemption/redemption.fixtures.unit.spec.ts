import { upcast } from '@scrip/kernel';
import { FrozenEvents } from '@scrip/testing';
import { join } from 'node:path';
import rollbackFailedV1 from './fixtures/redemption-rollback-failed.v1.json';
import rollbackFailedV2 from './fixtures/redemption-rollback-failed.v2.json';
import rollbackStartedV1 from './fixtures/redemption-rollback-started.v1.json';
import rollbackStartedV2 from './fixtures/redemption-rollback-started.v2.json';
import rollbackStartedV3 from './fixtures/redemption-rollback-started.v3.json';
import rolledBackV1 from './fixtures/redemption-rolled-back.v1.json';
import rolledBackV2 from './fixtures/redemption-rolled-back.v2.json';
import succeededV1 from './fixtures/redemption-succeeded.v1.json';
import succeededV2 from './fixtures/redemption-succeeded.v2.json';
import succeededV3 from './fixtures/redemption-succeeded.v3.json';
import succeededV4 from './fixtures/redemption-succeeded.v4.json';
import succeededV5 from './fixtures/redemption-succeeded.v5.json';
import { redemptionAggregate } from './redemption.aggregate';

const frozen = new FrozenEvents(join(__dirname, 'fixtures'), redemptionAggregate);

const { upcasters } = redemptionAggregate;

test('events of each version of each type are frozen', () => {
  expect(
    frozen.problems([
      'RedemptionSucceeded',
      'RedemptionFailed',
      'RedemptionRollbackStarted',
      'RedemptionRolledBack',
      'RedemptionRollbackFailed',
    ]),
  ).toEqual([]);
});

test('a stored redemption and its rollback are read as they were meant', () => {
  expect(frozen.folded('RedemptionSucceeded')).toMatchObject({
    redemption: { id: 'r_1', status: 'SUCCEEDED', order: { id: 'ord_1', total_amount: 1_800 } },
    claims: {
      outcome_id: 'r_1',
      redeemables: [{ participant: 'campaigns', object_id: 'v_1' }],
      order: { difference: { discount_amount: 200 } },
    },
    rollback: null,
  });
  const started = frozen.folded('RedemptionSucceeded', 'RedemptionRollbackStarted');
  expect(started?.rollback).toMatchObject({ rollback: { id: 'rr_1', redemption: 'r_1' }, finished: false });
  const rolledBack = frozen.folded(
    'RedemptionSucceeded',
    'RedemptionRollbackStarted',
    'RedemptionRolledBack',
  );
  expect(rolledBack).toMatchObject({
    redemption: { status: 'ROLLED_BACK', order: { total_amount: 2_000 } },
    rollback: { rollback: { id: 'rr_1' }, finished: true },
  });
});

test('a rollback of a release that recorded no mode has WITH_ORDER, a newer one its own', () => {
  const upcasted = ({ type, schema_version, data }: typeof rollbackStartedV1) =>
    upcast(upcasters, type, schema_version, data) as { rollback: { rollback_order_mode: string } };
  expect(upcasted(rollbackStartedV1).rollback.rollback_order_mode).toBe('WITH_ORDER');
  expect(upcasted(rollbackStartedV2).rollback.rollback_order_mode).toBe('WITHOUT_ORDER');
});

test('a rollback of a release that did not tell what limits give back tells nothing of it', () => {
  const { type, schema_version, data } = rollbackStartedV2;
  expect(upcast(upcasters, type, schema_version, data)['counts']).toBeNull();
  expect(rollbackStartedV3.data.counts).toEqual(succeededV4.data.counts);
});

test('a rollback under way in a stored row of such a release has WITH_ORDER too', () => {
  const { rollback, ...state } = frozen.folded('RedemptionSucceeded', 'RedemptionRollbackStarted')!;
  const older = { ...rollback, rollback: rollbackStartedV1.data.rollback };
  expect(redemptionAggregate.fromRow!({ state: { ...state, rollback: older } })).toEqual({
    ...state,
    rollback,
  });
});

test('refused rollbacks of a release that kept only announced ones are announced', () => {
  const announced = ({ type, schema_version, data }: typeof rollbackFailedV1) =>
    upcast(upcasters, type, schema_version, data)['announced'];
  expect(announced(rollbackFailedV1)).toBe(true);
  expect(announced(rollbackFailedV2)).toBe(false);
});

test('a redemption of a release that knew discount amounts only did that much to its order', () => {
  const order = {
    claim_id: 'clm_2',
    order_id: 'ord_1',
    discount_amount: 200,
    items_discount_amounts: [0, 30],
  };
  const difference = { discount_amount: 200, items: [{ index: 1, discount_amount: 30 }] };
  const older = { ...succeededV1.data, claims: { ...succeededV1.data.claims, order } };
  expect(upcast(upcasters, 'RedemptionSucceeded', 1, older)['claims']).toMatchObject({
    order: { claim_id: 'clm_2', difference },
  });
  const { fromRow } = redemptionAggregate;
  const row = { redemption: older.redemption, claims: older.claims, rollback: null };
  expect(fromRow!({ state: row })?.claims?.order).toEqual({
    claim_id: 'clm_2',
    order_id: 'ord_1',
    difference,
  });
});

test('all versions of a redemption and of its rollback are read alike', () => {
  const read = ({ type, schema_version, data }: { type: string; schema_version: number; data: object }) =>
    upcast(upcasters, type, schema_version, data as Record<string, unknown>);
  expect(read(succeededV1)['claims']).toEqual(read(succeededV3)['claims']);
  expect(read(succeededV2)).toEqual(read(succeededV3));
  expect(read(succeededV3)).toEqual(read(succeededV4));
  const { units: _, ...counts } = succeededV5.data.counts;
  expect(read(succeededV4)).toEqual({ ...succeededV5.data, counts });
  const state = { ...succeededV2.data, rollback: null };
  expect(redemptionAggregate.fromRow!({ state })?.claims).toEqual(succeededV3.data.claims);
  expect(read(rolledBackV1)).toEqual(read(rolledBackV2));
});

test('limits count nothing of older stacks, nor of a redemption once its rollback has begun', () => {
  const { redemption } = succeededV3.data;
  const counts = (more: object) =>
    upcast(upcasters, 'RedemptionSucceeded', 3, {
      ...succeededV3.data,
      redemption: { ...redemption, ...more },
    })['counts'];
  expect(counts({})).toEqual(succeededV4.data.counts);
  expect([counts({ stacked: ['r_2'] }), counts({ redemption: 'r_0' })]).toEqual([null, null]);
  expect(frozen.folded('RedemptionSucceeded')).toHaveProperty('counts');
  expect(frozen.folded('RedemptionSucceeded', 'RedemptionRollbackStarted')).not.toHaveProperty('counts');
});

test('a failed rollback leaves the stored redemption as it was', () => {
  expect(frozen.folded('RedemptionSucceeded', 'RedemptionRollbackFailed')).toEqual(
    frozen.folded('RedemptionSucceeded'),
  );
});

test('a stored failed redemption is read as it was meant', () => {
  expect(frozen.folded('RedemptionFailed')).toMatchObject({
    redemption: { id: 'rf_1', result: 'FAILURE', failure_code: 'quantity_exceeded' },
    claims: null,
  });
});
