import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type AuthPort, authPort } from '@scrip/contracts/auth';
import { internalContext, isRefused, newRequestId } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import { InjectMetrics, type Metrics, Periodic } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { RedemptionReads } from '../redemption/redemption.reads';
import { RetryTimes } from './retry-times';
import { RollbackFinisher } from './rollback-finisher';

interface Unfinished {
  project_id: string;
  id: string;
  since: string;
}

const everyMs = 2_000;
/** Younger ones still have a caller's process working on them. */
const minimumAgeSeconds = 15;
const perPage = 50;
const atOnce = 8;
const roundMs = 10_000;
const callTimeoutMs = 10_000;

const keyOf = ({ project_id, id }: Unfinished): string => `${project_id}\n${id}`;

/** Finishes rollbacks whose process died, or whose refunds failed, in between. A rollback that cannot be finished waits
 *  longer each time and delays no other. Source: architecture §8 Rollback.
 *  Machine time: when to try again. */
@Injectable()
export class RollbackResumer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(RollbackResumer.name);
  private readonly retryTimes = new RetryTimes();
  private readonly rounds: Periodic;

  constructor(
    @InjectDataSource('qualification') private readonly dataSource: DataSource,
    @InjectPort(authPort) private readonly auth: AuthPort,
    @InjectMetrics() metrics: Metrics,
    private readonly redemptions: RedemptionReads,
    private readonly rollbacks: RollbackFinisher,
  ) {
    this.rounds = new Periodic({ name: RollbackResumer.name, everyMs, run: () => this.resume() });
    metrics.sampled(
      'scrip_rollback_unfinished_oldest_seconds',
      'Age of the oldest rollback that was started and is not finished; 0 where there is none',
      [],
      async () => [{ value: await this.oldestSeconds() }],
    );
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.rounds.stop();
  }

  /** One round over rollbacks of at least that age, oldest first, for about 10 s; what failed lately is passed
   *  over, so the next round reaches what this one did not. Returns how many it finished. */
  async resume(minimumAge: number = minimumAgeSeconds): Promise<number> {
    const untilMs = Date.now() + roundMs;
    let finished = 0;
    let page: Unfinished[] = [];
    do {
      page = await this.pageAfter(page.at(-1), minimumAge);
      const due = page.filter((one) => this.retryTimes.isDue(keyOf(one), Date.now()));
      for (let first = 0; first < due.length; first += atOnce) {
        const ends = await Promise.all(due.slice(first, first + atOnce).map((one) => this.finish(one)));
        finished += ends.filter(Boolean).length;
      }
    } while (page.length === perPage && Date.now() < untilMs);
    return finished;
  }

  private pageAfter(after: Unfinished | undefined, minimumAge: number): Promise<Unfinished[]> {
    const { since, project_id, id } = after ?? { since: '-infinity', project_id: '', id: '' };
    return this.dataSource.query<Unfinished[]>(
      `SELECT project_id, id, rolling_back_since::text AS since FROM redemptions
       WHERE rolling_back_since <= now() - make_interval(secs => $1)
         AND (rolling_back_since, project_id, id) > ($2::timestamptz, $3, $4)
       ORDER BY rolling_back_since, project_id, id LIMIT $5`,
      [minimumAge, since, project_id, id, perPage],
    );
  }

  private async oldestSeconds(): Promise<number> {
    const [row] = await this.dataSource.query<{ seconds: number }[]>(
      `SELECT coalesce(extract(epoch FROM now() - min(rolling_back_since)), 0)::float8 AS seconds
       FROM redemptions WHERE rolling_back_since IS NOT NULL`,
    );
    return row!.seconds;
  }

  private async finish(one: Unfinished): Promise<boolean> {
    const { project_id, id } = one;
    const deadlineAt = Date.now() + callTimeoutMs;
    try {
      const call = { requestId: newRequestId(), deadlineAt, traceparent: null };
      const project = await this.auth.loadProject(call, { project_id });
      if (isRefused(project)) throw new Error(`project ${project_id}: ${project.refused}`);
      const context = { ...internalContext(project), deadlineAt };
      const state = await this.redemptions.redemption(context, id);
      if (state?.rollback) await this.rollbacks.finish(context, state);
      this.retryTimes.forget(keyOf(one));
      return true;
    } catch (error) {
      this.retryTimes.noteFailure(keyOf(one), Date.now());
      this.logger.warn(`rollback of ${id} is still unfinished: ${String(error)}`);
      return false;
    }
  }
}
