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

/** Answers in a row, each within so many milliseconds, after which the system counts as warm; it may take `waitMs`. */
const warm = { answers: 20, withinMs: 250, waitMs: 180_000 };

/** Waits until groups have joined and code is compiled: right after their start many processes keep a small machine busy, and what
 *  comes then piles up. */
const untilWarm = async (caller: Caller, code: string): Promise<void> => {
  const body = { redeemables: [{ object: 'voucher', id: code }], order: { amount: 10_000 } };
  let inTime = 0;
  const isWarm = async (): Promise<boolean> => {
    const [startedAt, before] = [performance.now(), inTime];
    inTime = 0; // also where the call throws
    await caller.ask('POST', '/v1/validations', body);
    if (performance.now() - startedAt <= warm.withinMs) inTime = before + 1;
    return inTime >= warm.answers;
  };
  await waitUntil(isWarm, { what: 'quick answers', timeoutMs: warm.waitMs, intervalMs: 100 });
};

const prepareLoad = async (caller: Caller, rate: number): Promise<Experiment> => {
  const deliveries = await Deliveries.subscribe(caller);
  const codes = await prepareCodes(caller);
  await untilWarm(caller, codes.unlimited[0] as string);
  return { codes, load: new Load(caller, codes, rate), deliveries };
};

/** Subscribes, makes codes, and begins with the load. */
export const beginLoad = async (caller: Caller, { rate }: Pick<RunOptions, 'rate'>): Promise<Experiment> => {
  const experiment = await prepareLoad(caller, rate);
  experiment.load.start();
  return experiment;
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

/** Prepares all loads, and begins with them once all are ready: no call of a preparation waits behind a load. */
export const beginAllLoads = async (caller: Caller, { rate }: Pick<RunOptions, 'rate'>): Promise<Loads> => {
  const loads = {
    experiment: await prepareLoad(caller, rate),
    vouchers: await VoucherLoad.prepare(caller, rate),
    decisions: await DecisionLoad.prepare(caller, rate),
    sessions: await SessionLoad.prepare(caller, rate),
  };
  for (const load of [loads.experiment.load, loads.vouchers, loads.decisions, loads.sessions]) load.start();
  return loads;
};

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
