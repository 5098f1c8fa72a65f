import { Injectable } from '@nestjs/common';
import type { Outcome, QualificationPort } from '@scrip/contracts';
import type { RequestContext } from '@scrip/kernel';
import { Outcomes } from './outcomes/outcomes';

/** What owners of claims ask. Source: architecture §7. */
@Injectable()
export class QualificationPortHandlers implements QualificationPort {
  constructor(private readonly outcomes: Outcomes) {}

  resolveOutcomes(_: RequestContext, { redemption_ids }: { redemption_ids: string[] }): Promise<Outcome[]> {
    return this.outcomes.resolveKindly(redemption_ids);
  }

  readOutcomes(_: RequestContext, { redemption_ids }: { redemption_ids: string[] }): Promise<Outcome[]> {
    return this.outcomes.read(redemption_ids);
  }
}
