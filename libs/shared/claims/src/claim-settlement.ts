import { Logger } from '@nestjs/common';
import type { ObjectVerdict } from '@scrip/contracts/claims';
import type { RequestContext } from '@scrip/kernel';
import type { ClaimEffect } from './claim-effect';
import type { LostClaim } from './claim.table';
import type { SettledSignal } from './settled-signal';

/** Verdicts carried out together: bounds the statements, and with them what one page holds in memory. */
const verdictsPerPage = 500;

/** Carries verdicts out: confirms RECORDED claims, reverts ABANDONED ones. */
export class ClaimSettlement {
  private readonly logger = new Logger(ClaimSettlement.name);

  constructor(
    private readonly owner: string,
    private readonly effect: Pick<ClaimEffect<unknown, unknown>, 'confirm' | 'revert'>,
    private readonly settled: SettledSignal,
    private readonly countLost: (labels: { state: string }) => void,
  ) {}

  /** Idempotent. Continues after a claim that cannot be settled, and throws the first error at the end.
   *  Source: architecture §8. */
  async settle(context: RequestContext, verdicts: readonly ObjectVerdict[]): Promise<void> {
    const failures: unknown[] = [];
    for (let from = 0; from < verdicts.length; from += verdictsPerPage) {
      const page = verdicts.slice(from, from + verdictsPerPage);
      const recorded = page.filter(({ verdict }) => verdict === 'RECORDED');
      const abandoned = page.filter(({ verdict }) => verdict === 'ABANDONED');
      const ends = await Promise.allSettled([
        this.confirm(context, recorded),
        abandoned.length > 0 ? this.effect.revert(context, abandoned) : null,
      ]);
      for (const end of ends) if (end.status === 'rejected') failures.push(end.reason);
      for (const { object_id } of page) this.settled.wake(context.project.id, object_id);
    }
    if (failures.length > 0) throw failures[0];
  }

  private async confirm(context: RequestContext, recorded: readonly ObjectVerdict[]): Promise<void> {
    if (recorded.length === 0) return;
    for (const lost of await this.effect.confirm(context, recorded)) this.tell(context, lost);
  }

  /** A RECORDED claim that is unknown or reverted is a defect of the protocol: the redemption stands without what it
   *  took. */
  private tell({ project }: RequestContext, { redemption_id, claim_id, object_id, state }: LostClaim): void {
    this.countLost({ state });
    this.logger.error(
      `${this.owner}: redemption ${redemption_id} of project ${project.id} is recorded, ` +
        `but its claim ${claim_id} on ${object_id} is ${state}`,
    );
  }
}
