import { Injectable } from '@nestjs/common';
import type { Metadata } from '@scrip/contracts/snapshot';
import { type BusinessClock, isRefused, type RequestContext } from '@scrip/kernel';
import type { CheckMetadata } from '@scrip/metadata-schemas';
import { InjectBusinessClock } from '@scrip/service';
import { type ItemOutcome, outcomeOf } from '@scrip/tasks';
import type { EntityManager } from 'typeorm';
import { campaignsRefusals } from '../campaigns.refusals';
import { foldCode } from '../generation/code-config';
import { voucherNotFound } from '../voucher/voucher.decider';
import { changeMember, VoucherSets } from '../imports/voucher-set';

/** Metadata to merge into a voucher. */
export interface VoucherMetadata {
  code: string;
  metadata: Metadata;
}

/** Merges metadata into vouchers by the set, for background work. Source: reference 04 §5. */
@Injectable()
export class MergeMetadata {
  constructor(
    private readonly sets: VoucherSets,
    @InjectBusinessClock() private readonly clock: BusinessClock,
  ) {}

  /** Merges metadata in the transaction of `manager`: one query locks the vouchers, one reads them, one statement changes
   *  them. Returns an outcome for each item, in order; a code that does not exist has failed. */
  async merge(
    manager: EntityManager,
    context: RequestContext,
    items: readonly VoucherMetadata[],
    check: CheckMetadata,
  ): Promise<ItemOutcome[]> {
    const { project } = context;
    const keys = items.map(({ code }) => foldCode(code, project.caseSensitiveCodes));
    const set = await this.sets.lock(manager, project.id, keys);
    const now = this.clock.now(project).toISOString();
    const outcomes = items.map(({ code, metadata }, index) => {
      const member = set.get(keys[index]!);
      if (!member || member.state.deleted_at) return voucherNotFound(code);
      const updated = changeMember(member, { changes: { metadata }, check, now });
      return isRefused(updated) ? updated : { found: true, updated };
    });
    await this.sets.store(manager, context, set);
    return outcomes.map((outcome) => outcomeOf(outcome, [campaignsRefusals]));
  }
}
