import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Outcome } from '@scrip/contracts/claims';
import type { ProjectContext } from '@scrip/kernel';
import { InjectMetrics, type Metrics } from '@scrip/service';
import type { SentClaim } from '../claiming/claim-ledger';
import { verdictsOn } from '../outcomes/verdicts';
import { Participants } from '../participants/participants';
import { OwnerQueue } from './owner-queue';

/** An outcome and every claim that an owner may hold under its redemption, those with lost answers included. */
export interface Settlement {
  project: ProjectContext;
  requestId: string;
  outcome: Outcome;
  claims: readonly SentClaim[];
}

/** Tells the owners of claims how their redemptions ended, at once, in batches, while no caller waits. Each owner has a
 *  queue of its own, so that a slow one delays no other. What gets lost here (a crash, a full queue, an owner that is
 *  away) the owners ask for themselves. Source: architecture §8 step 4. */
@Injectable()
export class SettlementPusher implements OnApplicationShutdown {
  private readonly lost: (labels: Record<string, string>, count: number) => void;
  private readonly queues = new Map<string, OwnerQueue>();

  constructor(
    private readonly participants: Participants,
    @InjectMetrics() metrics: Metrics,
  ) {
    this.lost = metrics.counter('scrip_settlements_lost_total', 'Verdicts that were not pushed', [
      'cause',
      'owner',
    ]);
  }

  /** Never throws, never waits. */
  push({ project, requestId, outcome, claims }: Settlement): void {
    const { redemption_id } = outcome;
    for (const owner of new Set(claims.map(({ participant }) => participant))) {
      const own = claims.filter(({ participant }) => participant === owner);
      const keys = own.map(({ claim_id }) => ({ redemption_id, claim_id }));
      const verdicts = verdictsOn([outcome], keys).map((verdict, index) => ({
        ...verdict,
        object_id: own[index]!.object_id,
      }));
      this.queueOf(owner).push({ project, requestId, verdicts });
    }
  }

  /** Everything that was pushed so far has been handed over. */
  async drained(): Promise<void> {
    await Promise.all([...this.queues.values()].map((queue) => queue.drained()));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.drained();
  }

  private queueOf(owner: string): OwnerQueue {
    const known = this.queues.get(owner);
    if (known) return known;
    const queue = new OwnerQueue(owner, this.participants.named(owner).port, this.lost);
    this.queues.set(owner, queue);
    return queue;
  }
}
