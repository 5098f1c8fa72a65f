import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type CampaignKey, textOfKey } from './campaign-key';
import { FreeVouchers, type Picked } from './free-vouchers';

/** Campaigns with codes at hand. */
const campaignsMax = 200;

/** Codes that are read at once: few at first, so that a campaign that publishes one in a while reads little. */
const [readFirst, readMost, readTimes] = [4, 64, 4];

/** For how long a campaign has no codes at hand after another process had taken one. */
const apartMs = 30_000;

interface Stock {
  codes: Picked[];
  /** How many were read the last time. */
  read: number;
}

/** Free codes of campaigns that this process read before it needs them. Nothing is set aside: another process may publish the same
 *  ones, and a commit has to find each as it was read. Source: ADR 150. */
@Injectable()
export class CodeStock {
  private readonly stocks = new LRUCache<string, Stock>({ max: campaignsMax });
  private readonly shared = new LRUCache<string, true>({ max: campaignsMax * 10, ttl: apartMs });

  constructor(private readonly free: FreeVouchers) {}

  /** Takes `count` codes of a campaign, for one publication each; null where they have to be looked for and locked. For one caller at a
   *  time. */
  async take(campaign: CampaignKey, count: number): Promise<Picked[] | null> {
    const key = textOfKey(campaign);
    if (this.shared.has(key)) return null;
    const stock = this.stocks.get(key) ?? { codes: [], read: 0 };
    if (stock.codes.length < count) {
      stock.read = Math.min(readMost, Math.max(readFirst, stock.read * readTimes));
      stock.codes.push(...(await this.free.readAhead(campaign, Math.max(count, stock.read))));
      this.stocks.set(key, stock);
    }
    if (stock.codes.length >= count) return stock.codes.splice(0, count);
    // What is left is for those who search for it.
    this.stocks.delete(key);
    return null;
  }

  /** To be called after a code that was taken had changed: others publish from the campaign as well, or changed it. */
  setApart(campaign: CampaignKey): void {
    const key = textOfKey(campaign);
    this.stocks.delete(key);
    this.shared.set(key, true);
  }
}
