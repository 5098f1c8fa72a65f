import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type Clock, type RequestContext, internalContext } from '@scrip/kernel';
import { InjectClock, InjectMetrics, type Metrics } from '@scrip/service';
import { type OpenClaim, type OpenClaimCursor, OrderClaimTable } from './order-claim-table';
import { OrderVerdicts } from './order-verdicts';

const everyMs = 1_000;
/** As many as one question may name. */
const pageSize = 1_000;
/** Younger claims are usually settled by the coordinator before anybody looks. */
const minAgeSeconds = 1;
/** From this age on nobody is expected to settle a claim: its redemption is abandoned unless it is recorded. */
const overdueSeconds = 30;
const askWithinMs = 10_000;
const forgetEveryMs = 3_600_000;

/** Settles the claims that a crash left behind. Source: architecture §8.4. */
@Injectable()
export class OrderSettlementLoop implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(OrderSettlementLoop.name);
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> = Promise.resolve();
  private stopped = false;
  private forgetAtMs = 0;

  constructor(
    private readonly table: OrderClaimTable,
    private readonly verdicts: OrderVerdicts,
    @InjectClock() private readonly clock: Clock,
    @InjectMetrics() metrics: Metrics,
  ) {
    metrics.sampled(
      'scrip_order_claim_age_seconds',
      'Age of the oldest provisional order claim',
      [],
      async () => [{ value: await this.table.oldestOpenSeconds() }],
    );
  }

  onApplicationBootstrap(): void {
    this.schedule();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.round;
  }

  /** One round: every provisional claim is asked about once. Throws what asking throws. */
  async settleAll(): Promise<void> {
    for (let after: OpenClaimCursor | null = null; ;) {
      const page = await this.table.open({ limit: pageSize, minAgeSeconds, overdueSeconds, after });
      await this.settle(page);
      const last = page.at(-1);
      if (!last || page.length < pageSize || this.stopped) return;
      after = last;
    }
  }

  private async settle(page: readonly OpenClaim[]): Promise<void> {
    const overdue = page.filter((claim) => claim.overdue);
    const young = page.filter((claim) => !claim.overdue);
    if (overdue[0]) await this.verdicts.askFor(this.contextOf(overdue[0]), overdue);
    if (young[0]) await this.verdicts.readFor(this.contextOf(young[0]), young);
  }

  private contextOf({ context, claim_id }: OpenClaim): RequestContext {
    if (!context) throw new Error(`the provisional claim ${claim_id} has no context`);
    return { ...internalContext(context.project), deadlineAt: this.clock.now().getTime() + askWithinMs };
  }

  private schedule(): void {
    this.timer = setTimeout(() => {
      this.round = this.tick().finally(() => {
        if (!this.stopped) this.schedule();
      });
    }, everyMs).unref();
  }

  private async tick(): Promise<void> {
    try {
      await this.settleAll();
      await this.forget();
    } catch (error) {
      // Claims stay as they are and the next round asks again: nothing is lost but time.
      this.logger.warn(
        `order claims could not be settled: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  private async forget(): Promise<void> {
    const nowMs = this.clock.now().getTime();
    if (nowMs < this.forgetAtMs) return;
    this.forgetAtMs = nowMs + forgetEveryMs;
    await this.table.forgetReverted();
  }
}
