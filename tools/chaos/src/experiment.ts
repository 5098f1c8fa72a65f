import type { Databases } from '@scrip/reconcile';
import { waitUntil } from '@scrip/testing';
import { untilSettled } from './checks/settled';
import { compareDecisions } from './checks/stored-decisions';
import { compareWithStored, recordedRedemptions } from './checks/stored-redemptions';
import { compareSessions } from './checks/stored-sessions';
import { compareVouchers, openImports } from './checks/stored-vouchers';
import { DecisionLoad } from './load/decision-load';
import { Deliveries } from './load/deliveries';
import { type Codes, Load, prepareCodes } from './load/load';
import type { Told } from './load/told';
import { isExpected } from './load/told';
import { SessionLoad } from './load/session-load';
import { VoucherLoad } from './load/voucher-load';
import { type Figure, type RunOptions, atMost, none, told as toldFigure } from './scenario';
import type { Caller } from './shape/caller';

/** Something that runs, with load on it and a receiver of its webhooks. */
export interface Experiment {
  codes: Codes;
  load: Load;
  deliveries: Deliveries;
}

/** Subscribes, makes codes, and begins with the load. */
export const beginLoad = async (caller: Caller, { rate }: Pick<RunOptions, 'rate'>): Promise<Experiment> => {
  const deliveries = await Deliveries.subscribe(caller);
  const codes = await prepareCodes(caller);
  const load = new Load(caller, codes, rate);
  load.start();
  return { codes, load, deliveries };
};

const answersOf = (told: Told): string =>
  [...told.answers]
    .sort(([, a], [, b]) => b - a)
    .map(([answer, count]) => `${answer}: ${count}`)
    .join(', ');

/** Ends the load and holds what callers were told against what is stored and what was delivered, once nothing differs
 *  any more, or after `settleSeconds`. */
export const endAndCompare = async (
  { load, deliveries }: Experiment,
  databases: () => Databases,
  settleSeconds: number,
  tell: (line: string) => void,
): Promise<Figure[]> => {
  const told = await load.stop();
  tell('load ended, reconciling');
  const undelivered = async (): Promise<number> => {
    const { redemptions } = deliveries.summary();
    return (await recordedRedemptions(databases())).filter((id) => !redemptions.has(id)).length;
  };
  const settled = await untilSettled(databases(), settleSeconds, async () => (await undelivered()) === 0);
  for (const line of settled.details) tell(line);
  const { recorded, lost, doubled } = await compareWithStored(databases(), told);
  const { repeatedSendouts, repeatedEvents } = deliveries.summary();
  const others = told.otherThan(isExpected);
  return [
    toldFigure('redemptions recorded', recorded),
    toldFigure(
      'acknowledged / refused / unknown to callers',
      (['acknowledged', 'refused', 'unknown'] as const).map((end) => told.count(end)).join(' / '),
    ),
    toldFigure('answers', answersOf(told)),
    none('lost: told, but not stored', lost),
    none('doubled: recorded beyond what was told', doubled),
    {
      what: 'answers other than 2xx, 503 and expected refusals',
      measured: others.length === 0 ? 0 : others.join(', '),
      bar: '0',
      isMet: others.length === 0,
    },
    none('differences between contexts (npm run reconcile)', settled.differences),
    none('recorded, but webhook never received', await undelivered()),
    none('public events sent under two sendouts', repeatedEvents),
    toldFigure('deliveries repeated under the same id', repeatedSendouts),
    atMost('lag 0 and everything settled after the end', settled.afterSeconds, settleSeconds, 's'),
  ];
};

/** How long imports may take to end after the load, ms. */
const importsEndWithinMs = 60_000;

/** All loads beside each other: redemptions, what vouchers are needed for, stacks and limits, and sessions. */
export interface Loads {
  experiment: Experiment;
  vouchers: VoucherLoad;
  decisions: DecisionLoad;
  sessions: SessionLoad;
}

/** Begins with all loads. */
export const beginAllLoads = async (caller: Caller, options: Pick<RunOptions, 'rate'>): Promise<Loads> => ({
  experiment: await beginLoad(caller, options),
  vouchers: await VoucherLoad.begin(caller),
  decisions: await DecisionLoad.begin(caller),
  sessions: await SessionLoad.begin(caller),
});

/** As `endAndCompare`, of all loads. */
export const endAllAndCompare = async (
  { experiment, vouchers, decisions, sessions }: Loads,
  databases: () => Databases,
  settleSeconds: number,
  tell: (line: string) => void,
): Promise<Figure[]> => {
  const [toldOfVouchers, toldOfDecisions, toldOfSessions] = await Promise.all([
    vouchers.stop(),
    decisions.stop(),
    sessions.stop(),
  ]);
  const figures = await endAndCompare(experiment, databases, settleSeconds, tell);
  await waitUntil(async () => (await openImports(databases())) === 0, {
    what: 'the end of imports',
    timeoutMs: importsEndWithinMs,
  });
  return [
    ...figures,
    ...(await compareVouchers(databases(), toldOfVouchers)),
    ...(await compareDecisions(databases(), toldOfDecisions)),
    ...(await compareSessions(databases(), toldOfSessions)),
  ];
};
