import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Outcome } from '@scrip/contracts/claims';
import type { DataSource } from 'typeorm';
import { readOutcomes, resolveOutcomes } from './outcome.table';
import { InFlightRedemptions } from './in-flight-redemptions';

/** Verdicts, for owners and for repeated commands. Source: architecture §8 step 4. */
@Injectable()
export class Outcomes {
  constructor(
    @InjectDataSource('qualification') private readonly dataSource: DataSource,
    private readonly inFlight: InFlightRedemptions,
  ) {}

  /** The binding verdict on each redemption: to ask is to insert ABANDONED where nothing stands. Those that this very
   *  process is about to decide are given a moment first. Never call it inside a transaction. */
  async resolveAfterWaiting(redemptionIds: readonly string[]): Promise<Outcome[]> {
    await this.inFlight.settled(redemptionIds);
    return this.resolve(redemptionIds);
  }

  /** As `resolveAfterWaiting`, without waiting: for callers that know that this process decides none of these redemptions. */
  resolve(redemptionIds: readonly string[]): Promise<Outcome[]> {
    return resolveOutcomes(this.dataSource.manager, redemptionIds);
  }

  /** The verdicts that stand by now. */
  read(redemptionIds: readonly string[]): Promise<Outcome[]> {
    return readOutcomes(this.dataSource.manager, [...new Set(redemptionIds)]);
  }
}
