import { Injectable } from '@nestjs/common';
import type { VoucherEvent } from '@scrip/contracts/campaigns';
import { type AggregateStore, type EventStore, InjectEventStore, type Loaded } from '@scrip/event-store';
import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';
import { voucherAggregate } from '../voucher/voucher.aggregate';
import type { VoucherState } from '../voucher/voucher.decider';
import { type CampaignKey, textOfKey } from './campaign-key';

/** Campaigns whose place is remembered. */
const campaignsMax = 10_000;

/** How to look for free codes. */
export interface Wanted {
  campaign: CampaignKey;
  count: number;
  /** Waits for codes that other transactions hold, instead of passing them by: they may give them back. */
  patient: boolean;
}

/** A voucher that is locked, by its id. */
export type Picked = [id: string, loaded: Loaded<VoucherState>];

interface Picking {
  where: string;
  values: readonly unknown[];
  count: number;
  wait: boolean;
}

/** Picks codes of campaigns that can be published. Source: ADR 110. */
@Injectable()
export class FreeVouchers {
  /** The last code that was picked here, by campaign. The index keeps entries of published codes until it is vacuumed: a search
   *  that began at its first entry would walk over all of them. */
  private readonly places = new LRUCache<string, string>({ max: campaignsMax });
  private readonly vouchers: AggregateStore<VoucherState, VoucherEvent>;

  constructor(@InjectEventStore('campaigns') store: EventStore) {
    this.vouchers = store.aggregate(voucherAggregate);
  }

  /** Locks up to `count` vouchers that can be published, until the caller's transaction ends, and loads them. Two transactions never
   *  get the same one. Without patience it never waits; with it, fewer than `count` means that no others are free. */
  async pick(manager: EntityManager, wanted: Wanted): Promise<Picked[]> {
    const { campaign, count, patient } = wanted;
    if (count === 0) return [];
    const values = [campaign.project_id, campaign.campaign_id];
    // All who wait lock from the beginning, in the order of ids, so that none waits for another in a circle.
    if (patient) return this.lock(manager, { where: '', values, count, wait: true });
    const key = textOfKey(campaign);
    const place = this.places.get(key) ?? '';
    const picked = await this.lock(manager, {
      where: 'AND id > $4',
      values: [...values, place],
      count,
      wait: false,
    });
    const missing = count - picked.length;
    if (missing > 0 && place !== '') {
      const before = { where: 'AND id <= $4', values: [...values, place], count: missing, wait: false };
      picked.push(...(await this.lock(manager, before)));
    }
    const last = picked.at(-1);
    if (last !== undefined) this.places.set(key, last[0]);
    return picked;
  }

  /** Reads up to `count` vouchers that can be published, behind the last code that was picked or read here; the next call goes on
   *  behind them. It locks none: a commit finds out whether each is as it was read. */
  async readAhead(campaign: CampaignKey, count: number): Promise<Picked[]> {
    const { project_id, campaign_id } = campaign;
    const key = textOfKey(campaign);
    const found = await this.vouchers.loadPicked(null, {
      text: `SELECT id FROM vouchers WHERE project_id = $1 AND campaign_id = $2 AND publishable AND id > $4 ORDER BY id LIMIT $3`,
      values: [project_id, campaign_id, count, this.places.get(key) ?? ''],
    });
    const read = [...found];
    const last = read.at(-1);
    if (last !== undefined) this.places.set(key, last[0]);
    return read;
  }

  private async lock(manager: EntityManager, { where, values, count, wait }: Picking): Promise<Picked[]> {
    const [project, campaign, ...place] = values;
    const found = await this.vouchers.loadPicked(manager, {
      text: `SELECT id FROM vouchers WHERE project_id = $1 AND campaign_id = $2 AND publishable ${where}
       ORDER BY id LIMIT $3 FOR NO KEY UPDATE${wait ? '' : ' SKIP LOCKED'}`,
      values: [project, campaign, count, ...place],
    });
    return [...found];
  }
}
