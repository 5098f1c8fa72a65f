import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { InjectMetrics, type Metrics, Periodic } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { forgetOldOutcomes } from './outcome.table';
import { InFlightRedemptions } from './in-flight-redemptions';

const everyMs = 3_600_000;

/** Forgets verdicts that no owner can ask for any more, and measures how long redemptions are under way. */
@Injectable()
export class OutcomeKeeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly rounds: Periodic;

  constructor(
    @InjectDataSource('qualification') dataSource: DataSource,
    @InjectMetrics() metrics: Metrics,
    inFlight: InFlightRedemptions,
  ) {
    const run = () => forgetOldOutcomes(dataSource.manager);
    this.rounds = new Periodic({ name: OutcomeKeeper.name, everyMs, run });
    metrics.sampled(
      'scrip_redemption_under_way_oldest_seconds',
      'Age of the oldest redemption of this process that has claims and no verdict',
      [],
      () => [{ value: inFlight.oldestSeconds() }],
    );
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.rounds.stop();
  }
}
