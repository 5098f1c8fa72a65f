import { isRefused, randomIds } from '@scrip/kernel';
import { keyRow } from '../key-row.fixture';
import type { QualificationFixture } from '../qualification.fixture';
import { holdNextCommit } from '../interrupted-commit.fixture';
import { call } from '../redeemables.fixture';
import { RedeemHandlers } from '../redemption/redeem.handlers';
import { RollbackHandlers } from '../rollback/rollback.handlers';
import type { CounterScope } from './counter';
import { ScopeActivation } from './scope-activation';

let orders = 0;

/** A request for an order of its own. */
export const request = (codes: readonly string[], customer?: string) => ({
  redeemables: codes.map((id) => ({ object: 'voucher' as const, id })),
  order: { source_id: `limited-${(orders += 1)}`, amount: 1_000 },
  ...(customer === undefined ? {} : { customer: { source_id: customer } }),
});

export const redeem = (
  process: QualificationFixture,
  codes: string | readonly string[],
  customer?: string,
  key: Parameters<RedeemHandlers['redeem']>[2] = null,
) => process.get(RedeemHandlers).redeem(call(), request([codes].flat(), customer), key);

/** Records a redemption in a transaction, as keyed commands are, whose COMMIT waits for the release. */
export const heldAtCommit = async (
  process: QualificationFixture,
  code: string,
  key: string,
): Promise<{ release: () => Promise<object> }> => {
  const row = await keyRow(process.dataSource, key);
  const commit = holdNextCommit();
  const redeemed = redeem(process, code, undefined, row);
  await commit.arrived;
  return {
    release: () => {
      commit.release();
      return redeemed;
    },
  };
};

export const rollBack = (process: QualificationFixture, id: string) =>
  process.get(RollbackHandlers).rollBack(call(), id, {}, randomIds);

export const activate = (
  process: QualificationFixture,
  object: string,
  counted_by: CounterScope['counted_by'],
) => process.get(ScopeActivation).activate(call(), [{ object, counted_by }]);

/** The keys of the refusals among the answers. */
export const keysOf = (answers: readonly object[]): string[] =>
  answers.flatMap((answer) => (isRefused(answer) ? [answer.refused] : []));

export const idOf = (answer: object): string =>
  (answer as { redemptions: [{ id: string }] }).redemptions[0].id;

const countersOf = async (
  { dataSource }: QualificationFixture,
  object: string,
  countedBy: CounterScope['counted_by'],
): Promise<number[]> => {
  const rows = await dataSource.query<{ redemptions: number }[]>(
    `SELECT redemptions::int FROM limit_counters
     WHERE object = $1 AND counted_by = $2 AND day = '-infinity' ORDER BY 1`,
    [object, countedBy],
  );
  return rows.map(({ redemptions }) => redemptions);
};

/** How often something of the object is redeemed now, by its counter. */
export const counted = async (process: QualificationFixture, object: string): Promise<number | undefined> =>
  (await countersOf(process, object, 'all'))[0];

/** The same for each customer, in ascending order. */
export const countedOfEach = (process: QualificationFixture, object: string): Promise<number[]> =>
  countersOf(process, object, 'customer');
