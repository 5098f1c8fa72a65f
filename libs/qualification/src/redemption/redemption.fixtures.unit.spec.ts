import type { RedemptionEvent } from '@scrip/contracts';
import { newestSchemaVersion, upcast } from '@scrip/event-store';
import failedV1 from './fixtures/redemption-failed.v1.json';
import rollbackFailedV1 from './fixtures/redemption-rollback-failed.v1.json';
import rollbackStartedV1 from './fixtures/redemption-rollback-started.v1.json';
import rolledBackV1 from './fixtures/redemption-rolled-back.v1.json';
import succeededV1 from './fixtures/redemption-succeeded.v1.json';
import { type RedemptionState, redemptionAggregate } from './redemption.aggregate';

// Written by released code; never to be changed. A new schema version adds a file.
const stored = [succeededV1, failedV1, rollbackStartedV1, rolledBackV1, rollbackFailedV1];

const { evolve, upcasters } = redemptionAggregate;

/** Folds the stored events of these types, in this order. */
const folded = (...types: RedemptionEvent['type'][]): RedemptionState | undefined =>
  types.reduce<RedemptionState | undefined>((state, type) => {
    const { schema_version, data } = stored.find((event) => event.type === type)!;
    return evolve(state, { type, data: upcast(upcasters, type, schema_version, data) } as RedemptionEvent);
  }, undefined);

test('there is a fixture of each newest version', () => {
  const types: RedemptionEvent['type'][] = [
    'RedemptionSucceeded',
    'RedemptionFailed',
    'RedemptionRollbackStarted',
    'RedemptionRolledBack',
    'RedemptionRollbackFailed',
  ];
  for (const type of types) {
    const schema_version = newestSchemaVersion(upcasters, type);
    expect(stored).toContainEqual(expect.objectContaining({ type, schema_version }));
  }
});

test('a stored redemption and its rollback are read as they were meant', () => {
  expect(folded('RedemptionSucceeded')).toMatchObject({
    redemption: { id: 'r_1', status: 'SUCCEEDED', order: { id: 'ord_1', total_amount: 1_800 } },
    claims: { outcome_id: 'r_1', vouchers: [{ voucher_id: 'v_1' }], order: { discount_amount: 200 } },
    rollback: null,
  });
  const started = folded('RedemptionSucceeded', 'RedemptionRollbackStarted');
  expect(started?.rollback).toMatchObject({ rollback: { id: 'rr_1', redemption: 'r_1' }, finished: false });
  const rolledBack = folded('RedemptionSucceeded', 'RedemptionRollbackStarted', 'RedemptionRolledBack');
  expect(rolledBack).toMatchObject({
    redemption: { status: 'ROLLED_BACK', order: { total_amount: 2_000 } },
    rollback: { rollback: { id: 'rr_1' }, finished: true },
  });
});

test('a failed rollback leaves the stored redemption as it was', () => {
  expect(folded('RedemptionSucceeded', 'RedemptionRollbackFailed')).toEqual(folded('RedemptionSucceeded'));
});

test('a stored failed attempt is read as it was meant', () => {
  expect(folded('RedemptionFailed')).toMatchObject({
    redemption: { id: 'rf_1', result: 'FAILURE', failure_code: 'quantity_exceeded' },
    claims: null,
  });
});
