import type { Check, Finding } from './check';
import { claimChecks } from './checks/claim.checks';
import { consumerChecks } from './checks/consumer.checks';
import { voucherCount } from './checks/count.checks';
import { orderChecks } from './checks/order.checks';
import { redemptionChecks } from './checks/redemption.checks';
import { webhookChecks } from './checks/webhook.checks';
import type { Databases } from './databases';
import { type OpenRows, reading } from './sorted-rows';

/** What one check came to. */
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

/** Compares what the contexts have stored about the same things: claims, verdicts, redemptions, counts, orders, public
 *  events, sendouts, readers. Reads only, in snapshots, and takes what was written in the last `settleSeconds` as under
 *  way. Works in both shapes; memory does not grow with what is compared. Throws what PostgreSQL answers. */
export const reconcile = (databases: Databases, settleSeconds: number): Promise<CheckResult[]> =>
  reading(databases, async (openRows) => {
    const checks = [
      ...claimChecks(settleSeconds),
      ...redemptionChecks(),
      voucherCount,
      ...orderChecks(),
      ...webhookChecks(settleSeconds),
      ...consumerChecks(settleSeconds),
    ];
    const results: CheckResult[] = [];
    for (const check of checks) results.push(await runCheck(check, openRows));
    return results;
  });

/** Differences of all checks together. */
export const differencesIn = (results: readonly CheckResult[]): number =>
  results.reduce((sum, { differences }) => sum + differences, 0);
