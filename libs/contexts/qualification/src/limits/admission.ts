import { lockKeys } from '@scrip/edge';
import type { NewStream, RowChange } from '@scrip/event-store';
import type { RedemptionEvent } from '@scrip/contracts/qualification';
import type { EntityManager } from 'typeorm';
import type { CountedRecording, Recording, RecordingEnd, RefusedInstead } from '../recording/recording';
import { type Addition, additionsOf, objectsOf } from './counter';
import { additionRows, keptScopes, lockCounters, readCounters } from './counter.table';
import { type Limit, Tally, countersOf } from './limit';

/** What admission makes of a batch, by the index of the member. */
export interface Admitted {
  /** Changes of counters, for members that are recorded. */
  rows: Map<number, RowChange[]>;
  /** What is recorded in place of a redemption that would pass a limit. */
  refused: Map<number, RefusedInstead>;
}

const nobody: Admitted = { rows: new Map(), refused: new Map() };

/** The objects that a recording counts for. */
export const objectsCountedBy = ({ counted }: Recording): string[] =>
  counted?.redemption.counts.redeemables.flatMap(objectsOf) ?? [];

const assertKept = (limits: readonly Limit[], active: ReadonlySet<string>): void => {
  for (const { scope } of limits) {
    if (!active.has(`${scope.object} ${scope.counted_by}`))
      throw new Error(`a limit reads ${scope.object} by ${scope.counted_by}, which is not counted`);
  }
};

/** The limits of what applies: a request may have named more. */
const limitsOfApplied = ({ redemption, limits }: CountedRecording): Limit[] =>
  limits.filter(({ object_id }) =>
    redemption.counts.redeemables.some((redeemed) => redeemed.object_id === object_id),
  );

/** Admits the redemptions of a batch, of one project, one after another: the counters of all are locked in key order,
 *  so no other transaction changes them before this one ends. Members whose idempotency key another execution has taken
 *  are not counted. Source: architecture §8 step 3, Limits. */
export const admit = async (
  manager: EntityManager,
  members: readonly Recording[],
  ends: readonly RecordingEnd[],
): Promise<Admitted> => {
  const counted = members.flatMap(({ counted: own, key }, index) =>
    own && ends[index] === 'recorded' ? [{ ...own, limits: limitsOfApplied(own), key, index }] : [],
  );
  if (counted.length === 0) return nobody;
  const projectId = members[0]!.context.project.id;
  const scopes = await keptScopes(manager, projectId, members.flatMap(objectsCountedBy));
  const active = new Set(
    scopes
      .filter(({ state }) => state === 'ACTIVE')
      .map(({ object, counted_by }) => `${object} ${counted_by}`),
  );
  for (const { limits } of counted) assertKept(limits, active);
  if (scopes.length === 0) return nobody;
  const mine = await lockKeys(
    manager,
    counted.map(({ key }) => key && key.row),
  );
  const own = counted.filter((_, index) => mine[index]);
  const additions = own.map(({ redemption }) => additionsOf(redemption, scopes));
  const wanted = own.flatMap(({ redemption, limits }) => countersOf(redemption, limits));
  const locked = await lockCounters(manager, projectId, [
    ...additions.flat().map(({ key }) => key),
    ...wanted.map(({ key }) => key),
  ]);
  const since = await readCounters(
    manager,
    projectId,
    wanted.filter((one) => one.since !== null),
  );
  const tally = new Tally(new Map([...locked, ...since]));
  const admitted: Admitted = { rows: new Map(), refused: new Map() };
  // All know the limits of each other's counters: what one adds, the next one sees.
  const limits = own.flatMap((member) => member.limits);
  for (const [n, { index, redemption, limits: ownLimits, refused }] of own.entries()) {
    const violation = tally.admit(redemption, ownLimits, limits);
    if (violation) admitted.refused.set(index, refused(violation));
    else admitted.rows.set(index, additionRows(projectId, additions[n] as Addition[]));
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
