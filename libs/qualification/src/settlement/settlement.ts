import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import {
  type CampaignsPort,
  type CustomersPort,
  type Outcome,
  campaignsPort,
  customersPort,
} from '@scrip/contracts';
import { type ProjectContext, internalContext } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import { InjectMetrics, type Metrics } from '@scrip/service';

/** A verdict and everything that was ever claimed under its redemption, lost answers included. */
export interface Settlement {
  project: ProjectContext;
  requestId: string;
  outcome: Outcome;
  vouchers: readonly { claim_id: string; voucher_id: string }[];
  orders: readonly { claim_id: string; order_id: string }[];
}

const waitingMax = 20_000;
const verdictsPerCall = 500;
const callTimeoutMs = 10_000;

/** What can travel in one call: the verdicts of a project. Giving uses back is told under the id of the request that
 *  had claimed them, so abandoned redemptions travel with those of their own request only; they are few, since claims
 *  that were refused need no verdict. */
const groupOf = ({ project, requestId, outcome }: Settlement): string =>
  outcome.verdict === 'RECORDED' ? project.id : `${project.id} ${requestId}`;

const grouped = (settlements: readonly Settlement[]): Settlement[][] => {
  const groups = new Map<string, Settlement[]>();
  for (const settlement of settlements) {
    const key = groupOf(settlement);
    const group = groups.get(key);
    if (group) group.push(settlement);
    else groups.set(key, [settlement]);
  }
  return [...groups.values()];
};

const claimsOf = <Claim extends { claim_id: string }>(
  settlements: readonly Settlement[],
  claims: (settlement: Settlement) => readonly Claim[],
) =>
  settlements.flatMap((settlement) =>
    claims(settlement).map((claim) => ({ redemption_id: settlement.outcome.redemption_id, ...claim })),
  );

/** Tells the owners of claims how their redemptions ended, at once, in batches, while nobody waits. What gets lost here
 *  (a crash, a full queue, an owner that is away) the owners ask for themselves. Source: architecture §8.4. */
@Injectable()
export class SettlementPusher implements OnApplicationShutdown {
  private readonly logger = new Logger(SettlementPusher.name);
  private readonly lost: (labels: Record<string, string>, count: number) => void;
  private waiting: Settlement[] = [];
  private draining: Promise<void> | undefined;

  constructor(
    @InjectPort(campaignsPort) private readonly campaigns: CampaignsPort,
    @InjectPort(customersPort) private readonly customers: CustomersPort,
    @InjectMetrics() metrics: Metrics,
  ) {
    this.lost = metrics.counter('scrip_settlements_lost_total', 'Verdicts that were not pushed', ['cause']);
  }

  /** Never throws, never waits. */
  push(settlement: Settlement): void {
    if (settlement.vouchers.length + settlement.orders.length === 0) return;
    if (this.waiting.length >= waitingMax) return this.lost({ cause: 'overloaded' }, 1);
    this.waiting.push(settlement);
    // In the next turn, so that a whole batch of verdicts travels together.
    this.draining ??= new Promise((resolve) => setImmediate(() => void this.drain().finally(resolve)));
  }

  /** Everything that was pushed so far has been handed over. */
  async drained(): Promise<void> {
    while (this.draining) await this.draining;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.drained();
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, verdictsPerCall);
      await Promise.all(grouped(batch).map((group) => this.tell(group)));
    }
    this.draining = undefined;
  }

  private async tell(settlements: readonly Settlement[]): Promise<void> {
    const { project, requestId } = settlements[0]!;
    const context = { ...internalContext(project, requestId), deadlineAt: Date.now() + callTimeoutMs };
    const outcomes = settlements.map(({ outcome }) => outcome);
    const vouchers = claimsOf(settlements, (settlement) => settlement.vouchers);
    const orders = claimsOf(settlements, (settlement) => settlement.orders);
    const told = await Promise.allSettled([
      vouchers.length > 0 ? this.campaigns.settle(context, { outcomes, claims: vouchers }) : null,
      orders.length > 0 ? this.customers.settle(context, { outcomes, claims: orders }) : null,
    ]);
    for (const end of told) {
      if (end.status === 'fulfilled') continue;
      this.lost({ cause: 'unavailable' }, settlements.length);
      this.logger.warn(
        `${settlements.length} verdicts not delivered, the owner will ask: ${String(end.reason)}`,
      );
    }
  }
}
