import { Logger } from '@nestjs/common';
import { Periodic } from '@scrip/service';
import type { ClaimEffect } from './claim-effect';
import { type ClaimTable, type OverdueClaim, firstOverdue } from './claim.table';
import { type Verdicts, claimsPerQuestion } from './verdicts';

const everyMs = 1_000;
/** From this age on the standing verdict is read, in case it was never pushed. */
const overdueSeconds = 2;
/** From this age on the redemption is taken for interrupted: its verdict is asked for. Source: architecture §8. */
const interruptedSeconds = 30;
const questionMs = 10_000;
const forgetEveryMs = 3_600_000;
const forgottenPerPage = 5_000;

/** Settles what a crashed coordinator left behind: each second reads the verdicts on overdue claims, and asks for those on
 *  interrupted ones; deletes old reverted claims each hour. */
export class SettlementLoop {
  private readonly logger = new Logger(SettlementLoop.name);
  private readonly rounds = new Periodic({ name: SettlementLoop.name, everyMs, run: () => this.run() });
  private stopping = false;
  private forgetAtMs = 0;

  constructor(
    private readonly owner: string,
    private readonly table: ClaimTable,
    private readonly effect: Pick<ClaimEffect<unknown, unknown>, 'contextOf'>,
    private readonly verdicts: Verdicts,
  ) {}

  start(): void {
    this.rounds.start();
  }

  /** Waits for the round under way. */
  stop(): Promise<void> {
    this.stopping = true;
    return this.rounds.stop();
  }

  /** One round: pages of at most 1,000 claims until none is left. A project whose claims cannot be settled keeps no other
   *  waiting; the first error is thrown at the end. */
  async settleOverdue(): Promise<void> {
    const failures: unknown[] = [];
    for (let after = firstOverdue; !this.stopping;) {
      const limits = { overdueSeconds, interruptedSeconds, limit: claimsPerQuestion };
      const page = await this.table.overdueAfter(after, limits);
      const last = page.at(-1);
      if (!last) break;
      for (const projectId of new Set(page.map(({ project_id }) => project_id))) {
        const claims = page.filter(({ project_id }) => project_id === projectId);
        await this.settle(projectId, claims).catch((error: unknown) => failures.push(error));
      }
      after = last;
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Deletes claims that were reverted long ago, in pages. */
  async forgetReverted(perPage: number = forgottenPerPage): Promise<void> {
    let forgotten = perPage;
    while (forgotten === perPage && !this.stopping) forgotten = await this.table.forgetReverted(perPage);
  }

  private async settle(projectId: string, claims: readonly OverdueClaim[]): Promise<void> {
    const of = await this.effect.contextOf(projectId);
    if (!of) return this.warn('claims of a project that does not exist', projectId);
    const context = { ...of, deadlineAt: Date.now() + questionMs };
    const interrupted = claims.filter((claim) => claim.interrupted);
    const young = claims.filter((claim) => !claim.interrupted);
    const ends = await Promise.allSettled([
      this.verdicts.read(context, young),
      this.verdicts.ask(context, interrupted),
    ]);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  private async run(): Promise<void> {
    // Claims stay as they are and the next round asks again.
    await this.settleOverdue().catch((error: unknown) => this.warn('overdue claims stay for now', error));
    if (Date.now() < this.forgetAtMs) return;
    this.forgetAtMs = Date.now() + forgetEveryMs;
    await this.forgetReverted().catch((error: unknown) => this.warn('reverted claims stay for now', error));
  }

  private warn(what: string, about: unknown): void {
    this.logger.warn(`${this.owner}: ${what}: ${about instanceof Error ? about.message : String(about)}`);
  }
}
