import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type QualificationPort, qualificationPort } from '@scrip/contracts';
import { Fault, type RequestContext } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import type { DataSource } from 'typeorm';
import { voucherColumns, voucherFromRow, voucherSource } from '../voucher/voucher.aggregate';
import { ClaimSettlement, type NamedClaim } from './claim-settlement';
import { type ProvisionalClaim, readClaims } from './claim.rows';
import { SettledSignal } from './settled-signal';

/** How long a redemption is given to settle by itself before its verdict is asked for: to ask is to end it. */
const patienceMs = 2_000;
const lookAgainMs = 50;
const maxAskedAtOnce = 1_000;
/** An inquiry belongs to many callers: it does not end with the deadline of the first. */
const inquiryMs = 10_000;

/** Looks after uses that are taken, but not for certain. */
@Injectable()
export class ProvisionalClaims {
  private readonly inquiries = new Map<string, Promise<boolean>>();

  constructor(
    @InjectDataSource('campaigns') private readonly dataSource: DataSource,
    @InjectPort(qualificationPort) private readonly qualification: QualificationPort,
    private readonly settlement: ClaimSettlement,
    private readonly settled: SettledSignal,
  ) {}

  /** Whether a use of the voucher may have become free after somebody found all taken. Where provisional claims stand
   *  in the way, waits until each is settled, and asks for the verdict of those that take too long; false only when
   *  confirmed uses alone fill the limit. Callers of one voucher share one inquiry. Source: architecture §8.4. */
  mayHaveFreedUse(context: RequestContext, voucherId: string): Promise<boolean> {
    const key = `${context.project.id}\n${voucherId}`;
    const running = this.inquiries.get(key);
    if (running) return running;
    const ofMany = { ...context, deadlineAt: Date.now() + inquiryMs };
    const inquiry = this.inquire(ofMany, voucherId).finally(() => this.inquiries.delete(key));
    this.inquiries.set(key, inquiry);
    return inquiry;
  }

  /** Settles one claim by its verdict when it is still provisional. Never call this while holding a lock. */
  async settleFirst(context: RequestContext, claim: NamedClaim): Promise<void> {
    const rows = await readClaims(this.dataSource.manager, context.project.id, claim.voucher_id, [
      claim.claim_id,
    ]);
    if (rows.get(claim.claim_id)?.state === 'PROVISIONAL') await this.askFor(context, [claim]);
  }

  private async inquire(context: RequestContext, voucherId: string): Promise<boolean> {
    while (Date.now() < context.deadlineAt) {
      const settled = this.settled.next(context.project.id, voucherId, lookAgainMs);
      const { free, provisional } = await this.look(context, voucherId);
      if (free > 0) return true;
      if (free + provisional.length <= 0) return false;
      const late = provisional.filter(({ age_ms }) => age_ms >= patienceMs).slice(0, maxAskedAtOnce);
      if (late.length === 0) await settled;
      else
        await this.askFor(
          context,
          late.map(({ redeemable_id, ...claim }) => ({ ...claim, voucher_id: redeemable_id })),
        );
    }
    throw new Fault('unavailable', `provisional claims on voucher ${voucherId} are not settled`);
  }

  private async askFor(context: RequestContext, claims: readonly NamedClaim[]): Promise<void> {
    const redemption_ids = [...new Set(claims.map(({ redemption_id }) => redemption_id))].sort();
    const outcomes = await this.qualification.resolveOutcomes(context, { redemption_ids });
    await this.settlement.settle(context, outcomes, claims);
  }

  /** Uses left and provisional claims, as of one moment. */
  private async look(
    { project }: RequestContext,
    voucherId: string,
  ): Promise<{ free: number; provisional: ProvisionalClaim[] }> {
    const [row] = await this.dataSource.query<
      (Record<string, unknown> & { provisional: ProvisionalClaim[] })[]
    >(
      `SELECT ${voucherColumns}, coalesce((
         SELECT json_agg(json_build_object('redemption_id', c.redemption_id, 'claim_id', c.claim_id,
           'redeemable_id', c.redeemable_id, 'age_ms', extract(epoch FROM clock_timestamp() - c.claimed_at) * 1000))
         FROM claims c WHERE c.project_id = t.project_id AND c.redeemable_id = t.id AND c.state = 'PROVISIONAL'
       ), '[]') AS provisional
       FROM ${voucherSource} WHERE t.project_id = $1 AND t.id = $2`,
      [project.id, voucherId],
    );
    const redemption = row && voucherFromRow(row)?.voucher.redemption;
    if (!row || !redemption) return { free: 0, provisional: [] };
    const { quantity, redeemed_quantity: redeemed } = redemption;
    return { free: quantity === null ? Infinity : quantity - redeemed, provisional: row.provisional };
  }
}
