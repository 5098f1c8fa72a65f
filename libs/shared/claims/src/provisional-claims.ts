import type { RequestContext } from '@scrip/kernel';
import { LRUCache } from 'lru-cache';
import type { ClaimEffect, Contention } from './claim-effect';
import type { NewClaim, ProvisionalClaim } from './claim-state';
import type { Patience } from './patience';
import type { SettledSignal } from './settled-signal';
import type { Verdicts } from './verdicts';

/** One look belongs to many callers: it does not end with the deadline of the first. */
const stepMs = 10_000;

/** All that a look depends on. Texts are ids, which have no line breaks. */
const lookKey = ({ project }: RequestContext, { object_id, asks, replaces }: NewClaim): string =>
  [
    project.id,
    object_id,
    asks.credits,
    asks.points,
    asks.hold?.session,
    asks.order?.base_version,
    asks.order?.after,
    ...replaces,
  ].join('\n');

/** Deals with claims that are in a caller's way: waits for them, reads their verdicts, and asks for the verdicts of
 *  those that are too old to settle by themselves. */
export class ProvisionalClaims {
  private readonly looks = new Map<string, Promise<Contention['now']>>();
  private readonly recentlyRead: LRUCache<string, true>;
  /** Redemptions that wait for an answer of this process right now: alive, and never asked about. */
  private readonly alive = new Map<string, number>();

  constructor(
    private readonly effect: Pick<ClaimEffect<unknown, unknown>, 'contention'>,
    private readonly verdicts: Verdicts,
    private readonly settled: SettledSignal,
    private readonly patience: Patience,
  ) {
    this.recentlyRead = new LRUCache({ max: 10_000, ttl: patience.readAgainMs });
  }

  /** Runs a call of a redemption; meanwhile this process does not ask about that redemption. */
  async during<T>(redemptionId: string, call: () => Promise<T>): Promise<T> {
    this.alive.set(redemptionId, (this.alive.get(redemptionId) ?? 0) + 1);
    try {
      return await call();
    } finally {
      const calls = this.alive.get(redemptionId)! - 1;
      if (calls > 0) this.alive.set(redemptionId, calls);
      else this.alive.delete(redemptionId);
    }
  }

  /** When a caller who comes now has waited long enough, epoch milliseconds. */
  giveUpAtMs({ deadlineAt }: RequestContext): number {
    const now = Date.now();
    return now + Math.min(this.patience.waitMs, Math.max(0, (deadlineAt - now) / 2));
  }

  /** Looks once at what stands in a claim's way, and deals with it: callers who ask the same of one object share a look.
   *  Returns what was seen; after `held` some time has passed. */
  look(context: RequestContext, claim: NewClaim): Promise<Contention['now']> {
    const key = lookKey(context, claim);
    const running = this.looks.get(key);
    if (running) return running;
    const ofMany = { ...context, deadlineAt: Date.now() + stepMs };
    const look = this.lookAlone(ofMany, claim).finally(() => this.looks.delete(key));
    this.looks.set(key, look);
    return look;
  }

  /** Deals with claims that were seen on an object; returns after a while, or when some of them are settled. */
  async dealWith(context: RequestContext, objectId: string, by: readonly ProvisionalClaim[]): Promise<void> {
    const settled = this.settled.next(context.project.id, objectId, this.patience.lookAgainMs);
    const old = by.filter((claim) => this.isOld(claim));
    if (old.length > 0) return this.verdicts.ask(context, old);
    const key = `${context.project.id}\n${objectId}`;
    if (!this.recentlyRead.has(key)) {
      this.recentlyRead.set(key, true);
      await this.verdicts.read(context, by);
    }
    await settled;
  }

  /** Carries out the verdicts that stand on these claims, and asks for those on claims too old to be under way. Waits for
   *  no redemption. */
  async settleKnown(context: RequestContext, claims: readonly ProvisionalClaim[]): Promise<void> {
    const old = claims.filter((claim) => this.isOld(claim));
    const young = claims.filter((claim) => !this.isOld(claim));
    await Promise.all([this.verdicts.ask(context, old), this.verdicts.read(context, young)]);
  }

  private isOld({ age_ms, redemption_id }: ProvisionalClaim): boolean {
    return age_ms >= this.patience.youngMs && !this.alive.has(redemption_id);
  }

  private async lookAlone(context: RequestContext, claim: NewClaim): Promise<Contention['now']> {
    const contention = await this.effect.contention(context, claim);
    if (contention.now === 'held') await this.dealWith(context, claim.object_id, contention.by);
    return contention.now;
  }
}
