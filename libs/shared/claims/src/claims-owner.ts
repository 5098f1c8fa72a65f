import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type {
  Claimed,
  ClaimRequest,
  ClaimsRequest,
  ObjectVerdict,
  Participant,
  Refunded,
  RefundRequest,
} from '@scrip/contracts/claims';
import type { QualificationPort } from '@scrip/contracts/qualification';
import type { RequestContext } from '@scrip/kernel';
import { isRefused } from '@scrip/kernel';
import type { Metrics } from '@scrip/service';
import type { OwnerRefusal } from '@scrip/contracts/claims';
import type { ClaimEffect, HeldBy } from './claim-effect';
import { ClaimSettlement } from './claim-settlement';
import { type NewClaim, claimAbandoned } from './claim-state';
import type { ClaimTable } from './claim.table';
import { type Patience, defaultPatience } from './patience';
import { ProvisionalClaims } from './provisional-claims';
import { SettledSignal } from './settled-signal';
import { SettlementLoop } from './settlement-loop';
import { Verdicts } from './verdicts';

/** What an owner of redeemables consists of. `name`: of its metrics, e.g. `order` for `scrip_order_claim_age_seconds`. */
export interface ClaimsOptions<Facts, Granted> {
  name: string;
  table: ClaimTable;
  effect: ClaimEffect<Facts, Granted>;
  qualification: QualificationPort;
  metrics: Metrics;
  patience?: Patience;
}

const byObject = (a: { object_id: string }, b: { object_id: string }): number =>
  a.object_id < b.object_id ? -1 : Number(a.object_id > b.object_id);

/** The owner's half of redeeming: claims, verdicts on them, and refunds. Source: architecture §8. */
export class ClaimsOwner<Facts, Granted>
  implements Participant<Facts, Granted>, OnApplicationBootstrap, BeforeApplicationShutdown
{
  readonly loop: SettlementLoop;
  private readonly table: ClaimTable;
  private readonly effect: ClaimEffect<Facts, Granted>;
  private readonly settlement: ClaimSettlement;
  private readonly verdicts: Verdicts;
  private readonly provisional: ProvisionalClaims;

  constructor({ name, table, effect, qualification, metrics, patience }: ClaimsOptions<Facts, Granted>) {
    this.table = table;
    this.effect = effect;
    const settled = new SettledSignal();
    const countLost = metrics.counter(
      `scrip_${name}_recorded_claims_lost_total`,
      'Claims of recorded redemptions that were unknown or reverted when their verdict came.',
      ['state'],
    );
    metrics.sampled(
      `scrip_${name}_claim_age_seconds`,
      'Age of the oldest claim that has no verdict yet.',
      [],
      async () => [{ value: await table.oldestSeconds() }],
    );
    this.settlement = new ClaimSettlement(name, effect, settled, countLost);
    this.verdicts = new Verdicts(qualification, this.settlement);
    this.provisional = new ProvisionalClaims(effect, this.verdicts, settled, patience ?? defaultPatience);
    this.loop = new SettlementLoop(name, table, effect, this.verdicts);
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  load(
    context: RequestContext,
    { objects, session }: { objects: string[]; session?: string },
  ): Promise<(Facts | OwnerRefusal)[]> {
    return this.effect.load(context, objects, session);
  }

  /** In object order, as two redemptions of the same objects must not wait for each other in a circle. */
  async claim(
    context: RequestContext,
    { redemption_id, claims, at_refusal }: ClaimsRequest,
  ): Promise<Claimed<Granted, Facts>[]> {
    const answers: Claimed<Granted, Facts>[] = [];
    await this.provisional.during(redemption_id, async () => {
      for (const claim of [...claims].sort(byObject)) {
        const answer = await this.claimOne(context, redemption_id, claim);
        answers.push(answer);
        if ('refusal' in answer && at_refusal === 'STOP') break;
      }
    });
    return answers;
  }

  async settle(context: RequestContext, { verdicts }: { verdicts: ObjectVerdict[] }): Promise<null> {
    await this.settlement.settle(context, verdicts);
    return null;
  }

  async refund(
    context: RequestContext,
    { claims }: { claims: RefundRequest[] },
  ): Promise<Refunded<Granted>[]> {
    const answers: Refunded<Granted>[] = [];
    for (const refund of [...claims].sort(byObject)) answers.push(await this.refundOne(context, refund));
    return answers;
  }

  /** Settles a provisional claim before an object is read with it, where its verdict stands or it is too old to be under
   *  way: who builds a claim on an abandoned one would be refused. */
  protected async settleKnown(
    context: RequestContext,
    claim: Pick<ObjectVerdict, 'object_id' | 'claim_id'>,
  ): Promise<void> {
    await this.provisional.settleKnown(context, await this.table.provisional(context.project.id, [claim]));
  }

  private async claimOne(
    context: RequestContext,
    redemption_id: string,
    { claim_id, object_id, asks, replaces = [] }: ClaimRequest,
  ): Promise<Claimed<Granted, Facts>> {
    const claim: NewClaim = { redemption_id, claim_id, object_id, asks, replaces };
    const giveUpAtMs = this.provisional.giveUpAtMs(context);
    for (;;) {
      const taken = await this.effect.take(context, claim);
      if ('granted' in taken) return { claim_id, granted: taken.granted };
      // Before the refusal: a repeated claim is not refused because of its own first copy.
      const first = await this.firstAnswer(context, claim);
      if (first) return first;
      if ('repeated' in taken) continue;
      if (!taken.contended) return this.refused(context, claim, taken.refusal);
      const end = await this.waitForRivals(context, claim, giveUpAtMs);
      if (end === 'final') return this.refused(context, claim, taken.refusal);
      if (end === 'held') return this.refused(context, claim, this.effect.inUse(object_id));
    }
  }

  /** Looks at least once: the first try may have taken all the time there is, on a busy machine. */
  private async waitForRivals(
    context: RequestContext,
    claim: NewClaim,
    giveUpAtMs: number,
  ): Promise<'free' | 'final' | 'held'> {
    do {
      const now = await this.provisional.look(context, claim);
      if (now !== 'held') return now;
    } while (Date.now() < giveUpAtMs);
    return 'held';
  }

  private async firstAnswer(
    context: RequestContext,
    { claim_id, object_id }: NewClaim,
  ): Promise<Claimed<Granted, Facts> | null> {
    const own = (await this.table.find(context.project.id, object_id, [claim_id])).get(claim_id);
    if (!own) return null;
    if (own.state === 'REVERTED') return { claim_id, refusal: claimAbandoned(claim_id), facts: null };
    return { claim_id, granted: await this.effect.grantedAgain(context, own) };
  }

  private async refused(
    context: RequestContext,
    { claim_id, object_id, asks }: NewClaim,
    refusal: OwnerRefusal,
  ): Promise<Claimed<Granted, Facts>> {
    // What a young claim holds may be free in a moment: no fact to evaluate with.
    if (refusal.refused === 'multiple_requests') return { claim_id, refusal, facts: null };
    const [facts] = await this.effect.load(context, [object_id], asks.hold?.session);
    return { claim_id, refusal, facts: facts === undefined || isRefused(facts) ? null : (facts as Facts) };
  }

  /** A provisional claim is settled first, by its verdict: it must not be refused because its confirmation is late. */
  private async refundOne(context: RequestContext, refund: RefundRequest): Promise<Refunded<Granted>> {
    const { claim_id, object_id } = refund;
    const open = await this.table.provisional(context.project.id, [refund]);
    if (open.length > 0) await this.verdicts.ask(context, open);
    const end = await this.whenFree(context, object_id, () => this.effect.refund(context, refund));
    if (isRefused(end)) return { claim_id, refusal: end };
    return { claim_id, ...end };
  }

  /** Writes an object that provisional claims may hold. `write` says `held` where they do, and is called again after each
   *  wait for them. Refuses `multiple_requests` where they stay. */
  protected async whenFree<End extends object>(
    context: RequestContext,
    objectId: string,
    write: () => Promise<End | HeldBy>,
  ): Promise<End | OwnerRefusal> {
    const giveUpAtMs = this.provisional.giveUpAtMs(context);
    for (;;) {
      const end = await write();
      if (!('held' in end)) return end;
      if (Date.now() >= giveUpAtMs) return this.effect.inUse(objectId);
      await this.provisional.dealWith(context, objectId, end.held);
    }
  }
}
