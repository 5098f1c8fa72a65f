import { lockKeys } from '@scrip/edge';
import type { NewStream, RowChange } from '@scrip/event-store';
import type { RedemptionEvent } from '@scrip/contracts/qualification';
import { budgetsAllow } from '@scrip/order-preview';
import type { EntityManager } from 'typeorm';
import type { MayCount, RefusedInstead } from './counted-recording';
import { CountedSums, KeptCounters } from './counted-sums';
import { additionsOf, budgetKeyOf, objectsOf, unitsOf } from './counter';
import { additionRows, keptScopes, lockCounters, readCounters } from './counter.table';

/** What admission makes of a batch, by the index of the member. */
export interface Admitted {
  /** Changes of counters, for members that are recorded. */
  rows: Map<number, RowChange[]>;
  /** What is recorded in place of a redemption that limits or budgets do not allow. */
  refused: Map<number, RefusedInstead>;
}

const nobody: Admitted = { rows: new Map(), refused: new Map() };

/** The objects of scopes that a recording counts for. */
export const objectsCountedBy = ({ counted }: MayCount): string[] =>
  counted?.redemption.counts.redeemables.flatMap(objectsOf) ?? [];

/** Whether a recording reads or changes counters, whatever scopes are kept. */
export const readsCounters = ({ counted }: MayCount): boolean =>
  counted !== undefined && (counted.counters.length > 0 || counted.units.length > 0);

/** Admits the redemptions of a batch, of one project, one after another: the counters of all are locked in key order,
 *  so no other transaction changes them before this one ends, and each member is judged with what the members before it
 *  leave. Members that are not open, and those whose idempotency key another execution has taken, are not counted.
 *  Source: architecture §8 step 3, Limits. */
export const admit = async (
  manager: EntityManager,
  members: readonly MayCount[],
  isOpen: (index: number) => boolean,
): Promise<Admitted> => {
  const counted = members.flatMap(({ counted: own, key }, index) =>
    own && isOpen(index) ? [{ ...own, key, index }] : [],
  );
  if (counted.length === 0) return nobody;
  const projectId = members[0]!.context.project.id;
  const scopes = await keptScopes(manager, projectId, members.flatMap(objectsCountedBy));
  const kept = new KeptCounters(scopes.filter(({ state }) => state === 'ACTIVE'));
  const counting = counted.map((member) => ({
    ...member,
    reads: member.counters.map((touched) => ({ touched, key: kept.keyOf(touched) })),
    additions: [...additionsOf(member.redemption, scopes), ...unitsOf(member.redemption)],
  }));
  if (counting.every(({ additions }) => additions.length === 0)) return nobody;
  const mine = await lockKeys(
    manager,
    counting.map(({ key }) => key && key.row),
  );
  const own = counting.filter((_, index) => mine[index]);
  const reads = own.flatMap((member) => member.reads);
  const locked = await lockCounters(manager, projectId, [
    ...own.flatMap(({ additions }) => additions.map(({ key }) => key)),
    ...reads.map(({ key }) => key),
  ]);
  const ofPeriods = reads.flatMap(({ key, touched: { since } }) => (since === null ? [] : [{ key, since }]));
  const sums = new CountedSums(
    new Map([...locked, ...(await readCounters(manager, projectId, ofPeriods))]),
    reads,
  );
  const admitted: Admitted = { rows: new Map(), refused: new Map() };
  for (const { index, redemption, reads: ownReads, units, additions, judge, refused } of own) {
    const used = ({ budget }: (typeof units)[number]): number =>
      sums.of(budgetKeyOf(budget, redemption.customer_id), null).units;
    const violation = budgetsAllow(units, used) ? judge(sums.readBy(ownReads)) : 'budgets';
    if (violation) admitted.refused.set(index, refused(violation));
    else {
      sums.count(additions);
      admitted.rows.set(index, additionRows(projectId, additions));
    }
  }
  return admitted;
};

/** A recorded member's streams with the changes of its counters. */
export const withCounters = (
  [first, ...others]: readonly NewStream<RedemptionEvent>[],
  rows: readonly RowChange[] = [],
): NewStream<RedemptionEvent>[] =>
  first && rows.length > 0
    ? [{ ...first, rows: [...(first.rows ?? []), ...rows] }, ...others]
    : [...(first ? [first] : []), ...others];
