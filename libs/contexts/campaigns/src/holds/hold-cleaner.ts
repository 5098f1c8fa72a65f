import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Periodic } from '@scrip/service';
import { InternalContexts } from '@scrip/tasks';
import type { DataSource } from 'typeorm';
import { forgetUncounted, vouchersWithExpiredHolds } from './hold.table';
import { VoucherHolds } from './voucher-holds';

const everyMs = 60_000;
const vouchersPerPage = 100;
const pagesPerRound = 50;
/** Claims that use a hold up are settled long before. */
const deadlineMs = 10_000;

/** Takes expired holds out of vouchers that no call uses: what is left would only take room. Bounded per round; holds do not rely on it.
 *  Machine time: when rows go; business time decides again. */
@Injectable()
export class HoldCleaner implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly rounds = new Periodic({ name: HoldCleaner.name, everyMs, run: () => this.clean() });

  constructor(
    @InjectDataSource('campaigns') private readonly dataSource: DataSource,
    private readonly holds: VoucherHolds,
    private readonly contexts: InternalContexts,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.rounds.stop();
  }

  /** One round: pages of vouchers, the longest expired first, until none is left or the round is over. */
  async clean(before: Date = new Date()): Promise<void> {
    for (let page = 0; page < pagesPerRound; page += 1) {
      const found = await vouchersWithExpiredHolds(this.dataSource, before, vouchersPerPage);
      let gone = 0;
      for (const projectId of new Set(found.map(({ project_id }) => project_id))) {
        const ids = found.flatMap((one) => (one.project_id === projectId ? [one.voucher_id] : []));
        gone += await this.cleanIn(projectId, ids, before);
      }
      if (gone === 0) return;
    }
  }

  private async cleanIn(projectId: string, ids: readonly string[], before: Date): Promise<number> {
    const of = await this.contexts.of(projectId);
    const context = of && { ...of, deadlineAt: Date.now() + deadlineMs };
    const dropped = context ? await this.holds.dropExpired(context, ids) : 0;
    const uncounted = { projectId, vouchers: ids, all: !context };
    return dropped + (await forgetUncounted(this.dataSource, uncounted, before));
  }
}
