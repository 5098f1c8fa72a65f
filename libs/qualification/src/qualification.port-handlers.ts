import { Injectable } from '@nestjs/common';
import type { LogPage, LogQuery, Outcome, QualificationPort } from '@scrip/contracts';
import { type EventStore, InjectEventStore } from '@scrip/event-store';
import type { RequestContext } from '@scrip/kernel';
import { Outcomes } from './outcomes/outcomes';

/** What owners of claims and rebuilders of projections ask. Source: architecture §7. */
@Injectable()
export class QualificationPortHandlers implements QualificationPort {
  constructor(
    private readonly outcomes: Outcomes,
    @InjectEventStore('qualification') private readonly events: EventStore,
  ) {}

  resolveOutcomes(_: RequestContext, { redemption_ids }: { redemption_ids: string[] }): Promise<Outcome[]> {
    return this.outcomes.resolveKindly(redemption_ids);
  }

  readOutcomes(_: RequestContext, { redemption_ids }: { redemption_ids: string[] }): Promise<Outcome[]> {
    return this.outcomes.read(redemption_ids);
  }

  async readLog(_: RequestContext, { aggregate, after, limit }: LogQuery): Promise<LogPage> {
    return { events: await this.events.readLog({ after, limit, aggregates: [aggregate] }) };
  }
}
