import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type QualificationPort, qualificationPort } from '@scrip/contracts';
import { InjectPort } from '@scrip/rpc';
import type { Clock } from '@scrip/kernel';
import { InjectClock, InjectMetrics, Metrics } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { ProjectContexts } from '../project-context';
import { forgetReverted } from './claim.rows';
import { ClaimSettlement, type NamedClaim } from './claim-settlement';

const everyMs = 1_000;
/** From this age on the verdict is looked for, in case nobody brings it. */
const overdueAfterSeconds = 2;
/** From this age on the redemption is taken for interrupted: the verdict is asked for. Source: architecture §8.4. */
const interruptedAfterSeconds = 30;
const pageSize = 1_000;
const forgetEveryMs = 3_600_000;
const forgetPageSize = 5_000;

interface Overdue {
  project_id: string;
  redemption_id: string;
  interrupted: boolean;
}

/** Ends what a crashed coordinator left behind: each second looks for the verdicts on provisional claims, and asks for
 *  those on claims older than 30 seconds, by the database's clock. */
@Injectable()
export class SettlementLoop implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(SettlementLoop.name);
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> = Promise.resolve();
  private stopping = false;
  private forgetAtMs = 0;

  constructor(
    @InjectDataSource('campaigns') private readonly dataSource: DataSource,
    @InjectPort(qualificationPort) private readonly qualification: QualificationPort,
    @InjectMetrics() metrics: Metrics,
    @InjectClock() private readonly clock: Clock,
    private readonly contexts: ProjectContexts,
    private readonly settlement: ClaimSettlement,
  ) {
    metrics.sampled(
      'scrip_campaigns_claim_age_seconds',
      'Age of the oldest provisional claim on a voucher.',
      [],
      async () => [{ value: await this.oldestAgeSeconds() }],
    );
  }

  onApplicationBootstrap(): void {
    this.scheduleNext();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.timer);
    await this.round;
  }

  /** One round: pages of at most 1,000 redemptions until none is left. A project whose claims cannot be settled keeps
   *  nobody else waiting; the first error is thrown at the end. */
  async settleOverdue(): Promise<void> {
    let after = { project_id: '', redemption_id: '' };
    const failures: unknown[] = [];
    for (;;) {
      const page = await this.overdueAfter(after);
      const last = page.at(-1);
      if (!last || this.stopping) break;
      for (const projectId of new Set(page.map(({ project_id }) => project_id))) {
        await this.settle(
          projectId,
          page.filter(({ project_id }) => project_id === projectId),
        ).catch((error: unknown) => failures.push(error));
      }
      after = last;
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Forgets claims that were reverted long ago, in pages. */
  async forgetReverted(pageOf: number = forgetPageSize): Promise<void> {
    let forgotten = pageOf;
    while (forgotten === pageOf && !this.stopping) {
      forgotten = await forgetReverted(this.dataSource.manager, pageOf);
    }
  }

  private scheduleNext(): void {
    if (this.stopping) return;
    this.timer = setTimeout(() => {
      this.round = this.settleOverdue()
        .catch((error: unknown) => this.logger.warn(`settling overdue claims failed: ${String(error)}`))
        .then(() => this.forgetHourly())
        .catch((error: unknown) => this.logger.warn(`forgetting reverted claims failed: ${String(error)}`))
        .finally(() => this.scheduleNext());
    }, everyMs);
    this.timer.unref();
  }

  private async forgetHourly(): Promise<void> {
    const nowMs = this.clock.now().getTime();
    if (nowMs < this.forgetAtMs) return;
    this.forgetAtMs = nowMs + forgetEveryMs;
    await this.forgetReverted();
  }

  private overdueAfter({ project_id, redemption_id }: Omit<Overdue, 'interrupted'>): Promise<Overdue[]> {
    return this.dataSource.query<Overdue[]>(
      `SELECT project_id, redemption_id, min(claimed_at) < now() - make_interval(secs => $1) AS interrupted FROM claims
       WHERE state = 'PROVISIONAL' AND claimed_at < now() - make_interval(secs => $2)
         AND (project_id, redemption_id) > ($3, $4)
       GROUP BY project_id, redemption_id ORDER BY project_id, redemption_id LIMIT $5`,
      [interruptedAfterSeconds, overdueAfterSeconds, project_id, redemption_id, pageSize],
    );
  }

  private async settle(projectId: string, overdue: readonly Overdue[]): Promise<void> {
    const context = await this.contexts.of(projectId);
    if (!context) {
      this.logger.warn(`claims of project ${projectId}, which does not exist`);
      return;
    }
    const idsOf = (interrupted: boolean): string[] =>
      overdue.filter((one) => one.interrupted === interrupted).map(({ redemption_id }) => redemption_id);
    const [young, old] = [idsOf(false), idsOf(true)];
    const outcomes = [
      ...(young.length > 0 ? await this.qualification.readOutcomes(context, { redemption_ids: young }) : []),
      ...(old.length > 0 ? await this.qualification.resolveOutcomes(context, { redemption_ids: old }) : []),
    ];
    const claims = await this.dataSource.query<NamedClaim[]>(
      `SELECT redemption_id, claim_id, redeemable_id AS voucher_id FROM claims
       WHERE project_id = $1 AND redemption_id = ANY($2) AND state = 'PROVISIONAL'`,
      [projectId, outcomes.map(({ redemption_id }) => redemption_id)],
    );
    await this.settlement.settle(context, outcomes, claims);
  }

  private async oldestAgeSeconds(): Promise<number> {
    const [row] = await this.dataSource.query<{ age: number }[]>(
      `SELECT coalesce(extract(epoch FROM now() - min(claimed_at)), 0)::float8 AS age FROM claims WHERE state = 'PROVISIONAL'`,
    );
    return row?.age ?? 0;
  }
}
