import { Injectable } from '@nestjs/common';
import { Fault, halfForEach, SharedBudget } from '@scrip/kernel';
import { textOfKey } from './campaign-key';
import { isLost } from '../commits/repeating';
import { campaignKeyOf, countOf, type Tried, type Try } from './publication-try';
import { PublishingAtOnce } from './publishing-at-once';
import { PublishingTransaction } from './publishing-transaction';

/** Codes of one transaction, unless one try asks for more: it must not write for longer than 200 ms. */
const codesTogether = 64;

/** Tries that wait, of all projects; one project has at most half. */
const waitingMax = 20_000;

interface Waiting {
  one: Try;
  resolve: (tried: Tried) => void;
  reject: (error: unknown) => void;
}

/** Tries that wait for others may wait for long, and a named code is one row: both go by themselves. */
const goesAlone = ({ publishing: { campaign, voucherId }, supply }: Try): boolean =>
  campaign === null || voucherId !== null || supply.patient;

/** The tries that go next, taken out of `waiting`: each customer and each source id once. */
const takeNext = (waiting: Waiting[]): Waiting[] => {
  const [taken, left] = [[] as Waiting[], [] as Waiting[]];
  const named = new Set<string>();
  let codes = 0;
  let looked = 0;
  for (const each of waiting) {
    if (codes >= codesTogether) break;
    looked += 1;
    const { customer_id, request } = each.one.publishing;
    const names = [
      `customer ${customer_id}`,
      ...(request.source_id === null ? [] : [`source ${request.source_id}`]),
    ];
    const fits = codes === 0 || codes + countOf(each.one) <= codesTogether;
    if (fits && !names.some((name) => named.has(name))) {
      codes += countOf(each.one);
      taken.push(each);
    } else left.push(each);
    // Also of those that are left: the next call of a customer does not overtake the one before.
    for (const name of names) named.add(name);
  }
  waiting.splice(0, looked, ...left);
  return taken;
};

/** Whether the caller still waits for an answer; who was told of none is not published behind its back. */
const isInTime = ({ one, reject }: Waiting): boolean => {
  // Machine time: deadlines of calls are.
  const inTime = Date.now() < one.context.deadlineAt;
  if (!inTime) reject(new Fault('deadline', 'the publication waited for too long'));
  return inTime;
};

/** Runs tries of publications, at once where that is possible, else by a transaction. Those of one campaign that arrive while others of it run
 *  go together next; a lone caller never waits for company, and one whose deadline has passed meanwhile is not published. After an error
 *  other than a lost connection each try goes by a transaction of its own, so that an error reaches only the caller that caused it.
 *  Source: ADR 148, ADR 150. */
@Injectable()
export class PublishingLanes {
  /** What waits, by campaign, of those that have a transaction under way or about to begin. */
  private readonly lanes = new Map<string, Waiting[]>();
  private readonly budget = new SharedBudget(halfForEach(waitingMax));

  constructor(
    private readonly atOnce: PublishingAtOnce,
    private readonly transaction: PublishingTransaction,
  ) {}

  /** Throws as `PublishingTransaction.run` does, and `Fault` `overloaded` where too many wait, `deadline` after the call's. */
  async run(one: Try): Promise<Tried> {
    if (goesAlone(one)) return (await this.transaction.run([one]))[0]!;
    const leave = this.budget.take(one.context.project.id);
    if (!leave) throw new Fault('overloaded', 'too many publications wait');
    try {
      return await new Promise<Tried>((resolve, reject) => this.add({ one, resolve, reject }));
    } finally {
      leave();
    }
  }

  private add(waiting: Waiting): void {
    const key = textOfKey(campaignKeyOf(waiting.one));
    const lane = this.lanes.get(key);
    if (lane) {
      lane.push(waiting);
      return;
    }
    const opened = [waiting];
    this.lanes.set(key, opened);
    // Those that arrive in the same turn of the event loop go along.
    setImmediate(() => void this.runLane(key, opened));
  }

  private async runLane(key: string, lane: Waiting[]): Promise<void> {
    while (lane.length > 0) {
      const next = takeNext(lane).filter(isInTime);
      if (next.length > 0) await this.runTogether(next);
    }
    this.lanes.delete(key);
  }

  private async runTogether(members: readonly Waiting[]): Promise<void> {
    try {
      const tries = members.map(({ one }) => one);
      const tried = (await this.atOnce.run(tries)) ?? (await this.transaction.run(tries));
      members.forEach(({ resolve }, index) => resolve(tried[index]!));
    } catch (error) {
      if (members.length === 1 || isLost(error)) for (const { reject } of members) reject(error);
      else await Promise.all(members.map((member) => this.runByItself(member)));
    }
  }

  private async runByItself({ one, resolve, reject }: Waiting): Promise<void> {
    await this.transaction.run([one]).then(([tried]) => resolve(tried!), reject);
  }
}
