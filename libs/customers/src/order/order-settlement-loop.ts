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

const askedTogether = (page: readonly OpenClaim[]): [OpenClaim, ...OpenClaim[]][] => {
  const groups = new Map<string, [OpenClaim, ...OpenClaim[]]>();
  for (const claim of page) {
    const key = `${claim.overdue} ${claim.project_id}`;
    const group = groups.get(key);
    if (group) group.push(claim);
    else groups.set(key, [claim]);
  }
  return [...groups.values()];
};

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

  /** One round: every provisional claim is asked about once. A project whose claims cannot be settled keeps nobody else
   *  waiting; the first error is thrown at the end. */
  async settleAll(): Promise<void> {
    const failures: unknown[] = [];
    for (let after: OpenClaimCursor | null = null; ;) {
      const page = await this.table.open({ limit: pageSize, minAgeSeconds, overdueSeconds, after });
      for (const claims of askedTogether(page)) {
        await this.settle(claims).catch((error: unknown) => failures.push(error));
      }
      const last = page.at(-1);
      if (!last || page.length < pageSize || this.stopped) break;
      after = last;
    }
    if (failures.length > 0) throw failures[0];
  }

  /** `claims`: of one project, all of them overdue or none. */
  private async settle(claims: [OpenClaim, ...OpenClaim[]]): Promise<void> {
    const [first] = claims;
    const context = this.contextOf(first);
    await (first.overdue ? this.verdicts.askFor(context, claims) : this.verdicts.readFor(context, claims));
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
    // Claims stay as they are and the next round asks again: nothing is lost but time.
    await this.settleAll().catch((error: unknown) => this.warn('order claims could not be settled', error));
    await this.forget().catch((error: unknown) => this.warn('reverted order claims stay for now', error));
  }

  private warn(what: string, error: unknown): void {
    this.logger.warn(`${what}: ${error instanceof Error ? error.message : String(error)}`);
  }

  private async forget(): Promise<void> {
    const nowMs = this.clock.now().getTime();
    if (nowMs < this.forgetAtMs) return;
    this.forgetAtMs = nowMs + forgetEveryMs;
    await this.table.forgetReverted();
  }
}
