import { Injectable } from '@nestjs/common';
import type { VoucherEvent } from '@scrip/contracts/campaigns';
import {
  type AggregateStore,
  EventStore,
  InjectEventStore,
  type Loaded,
  ofAnyLength,
  runQuery,
} from '@scrip/event-store';
import { type RequestContext, isRefused } from '@scrip/kernel';
import type { CheckMetadata } from '@scrip/metadata-schemas';
import type { EntityManager } from 'typeorm';
import type { CampaignsRefusal } from '../campaigns.refusals';
import { decideEditing, type VoucherChanges } from '../voucher/editing/editing.decider';
import { voucherAggregate } from '../voucher/voucher.aggregate';
import { evolveVoucher, type VoucherState } from '../voucher/voucher.decider';

// In the order of ids, so that sets never wait for each other in a circle.
const lockSql = `
  SELECT id, code_key FROM vouchers WHERE project_id = $1 AND code_key = ANY(${ofAnyLength('$2')}) ORDER BY id FOR NO KEY UPDATE`;

/** A stored voucher while its set is being changed. */
export interface SetMember {
  id: string;
  stored: Loaded<VoucherState>;
  state: VoucherState;
  events: VoucherEvent[];
}

/** Vouchers of a project by their codes, as codes are compared. */
export type VoucherSet = ReadonlyMap<string, SetMember>;

/** Whether calls find a voucher, and it is of this campaign; null: standalone. The code of one in the bin stays taken. */
export const isStoredIn = (member: SetMember | undefined, campaignId: string | null): boolean =>
  member !== undefined && !member.state.deleted_at && member.state.voucher.campaign_id === campaignId;

/** Changes one voucher of a set: what was changed before in the set counts. `notify`: webhooks tell of it, also where nothing
 *  changes. Returns whether it changed. Refuses as `decideEditing`. */
export const changeMember = (
  member: SetMember,
  {
    changes,
    check,
    notify = false,
    now,
  }: { changes: VoucherChanges; check?: CheckMetadata; notify?: boolean; now: string },
): boolean | CampaignsRefusal => {
  const changed = decideEditing(
    {
      type: 'UpdateVoucher',
      id: member.id,
      campaign: null,
      changes,
      ...(check ? { check } : {}),
      bulk: true,
      now,
    },
    member.state,
  );
  if (isRefused(changed)) return changed;
  member.state = changed.reduce<VoucherState | undefined>(evolveVoucher, member.state) ?? member.state;
  const told: VoucherEvent = {
    type: 'VoucherUpdated',
    data: { voucher: member.state.voucher, campaign: null, bulk: true, notify },
  };
  member.events.push(...(notify ? [told] : changed));
  return changed.length > 0;
};

/** Loads and stores sets of vouchers, for background work. */
@Injectable()
export class VoucherSets {
  private readonly vouchers: AggregateStore<VoucherState, VoucherEvent>;

  constructor(@InjectEventStore('campaigns') private readonly events: EventStore) {
    this.vouchers = events.aggregate(voucherAggregate);
  }

  /** Locks the vouchers with these codes to the end of the transaction of `manager`. `keys`: codes as they are compared. */
  async lock(manager: EntityManager, projectId: string, keys: readonly string[]): Promise<VoucherSet> {
    const rows = await runQuery<{ id: string; code_key: string }>(manager, lockSql, [projectId, keys]);
    const loaded = await this.vouchers.loadMany(
      projectId,
      rows.map(({ id }) => id),
      manager,
    );
    const members = rows.map(({ id, code_key }): [string, SetMember] => {
      const stored = loaded.get(id);
      if (!stored) throw new Error(`voucher ${id} has no state`);
      return [code_key, { id, stored, state: stored.state, events: [] }];
    });
    return new Map(members);
  }

  /** Stores what was changed: one statement. The set's own lock keeps its order. */
  async store(manager: EntityManager, context: RequestContext, set: VoucherSet): Promise<void> {
    const changes = [...set.values()]
      .filter(({ events }) => events.length > 0)
      .map(({ id, events, stored: { state, version, epoch, basis } }) => ({
        streamId: id,
        events,
        state,
        expectedVersion: version,
        expectedEpoch: epoch,
        expectedBasis: basis,
      }));
    if (changes.length > 0)
      await this.events.commitTogether(manager, context, [this.vouchers.changing(changes)]);
  }
}
