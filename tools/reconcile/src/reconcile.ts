import type { Check, Finding } from './check';
import { claimChecks } from './checks/claim.checks';
import { consumerChecks } from './checks/consumer.checks';
import { holdChecks, voucherCount } from './checks/count.checks';
import { orderChecks } from './checks/order.checks';
import { redemptionChecks } from './checks/redemption.checks';
import { type Listener, listeners, webhookChecks } from './checks/webhook.checks';
import type { Databases } from './databases';
import { type OpenRows, reading } from './sorted-rows';

/** The result of one check. */
export interface CheckResult {
  name: string;
  compared: number;
  differences: number;
  /** The first few of them. */
  examples: Finding[];
}

const examplesMax = 5;

const runCheck = async (check: Check, openRows: OpenRows): Promise<CheckResult> => {
  const result: CheckResult = { name: check.name, compared: 0, differences: 0, examples: [] };
  for await (const finding of check.run(openRows)) {
    result.compared += 1;
    if (finding.problem === null) continue;
    result.differences += 1;
    if (result.examples.length < examplesMax) result.examples.push(finding);
  }
  return result;
};

const listenersIn = async (openRows: OpenRows): Promise<Listener[]> => {
  const rows = await openRows(listeners);
  const found: Listener[] = [];
  for await (const { key } of rows) found.push(JSON.parse(key) as Listener);
  await rows.close();
  return found;
};

/** Compares what the contexts have stored about the same things: claims, verdicts, redemptions, counts, holds, orders,
 *  public events, sendouts, readers. Reads only, in snapshots, and treats what was written in the last
 *  `settleSeconds` as in progress. Works in both shapes; memory does not grow with what is compared. Throws errors of
 *  PostgreSQL. */
export const reconcile = (databases: Databases, settleSeconds: number): Promise<CheckResult[]> =>
  reading(databases, async (openRows) => {
    const checks = [
      ...claimChecks(settleSeconds),
      ...redemptionChecks(),
      voucherCount,
      ...holdChecks,
      ...orderChecks(),
      ...webhookChecks(settleSeconds, await listenersIn(openRows)),
      ...consumerChecks(settleSeconds),
    ];
    const results: CheckResult[] = [];
    for (const check of checks) results.push(await runCheck(check, openRows));
    return results;
  });

/** Differences of all checks together. */
export const differencesIn = (results: readonly CheckResult[]): number =>
  results.reduce((sum, { differences }) => sum + differences, 0);
