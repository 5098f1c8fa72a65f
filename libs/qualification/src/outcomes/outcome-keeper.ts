import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { InjectMetrics, type Metrics } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { forgetOldOutcomes } from './outcome-table';
import { UnderWay } from './under-way';

const everyMs = 3_600_000;

/** Forgets verdicts that nobody can ask for any more, and measures how long redemptions are under way. */
@Injectable()
export class OutcomeKeeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(OutcomeKeeper.name);
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @InjectDataSource('qualification') private readonly dataSource: DataSource,
    @InjectMetrics() metrics: Metrics,
    underWay: UnderWay,
  ) {
    metrics.sampled(
      'scrip_redemption_under_way_oldest_seconds',
      'Age of the oldest redemption of this process that has claims and no verdict',
      [],
      () => [{ value: underWay.oldestSeconds() }],
    );
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      forgetOldOutcomes(this.dataSource.manager).catch((error: unknown) =>
        this.logger.warn(`old verdicts stay for now: ${String(error)}`),
      );
    }, everyMs).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }
}
