import { Injectable } from '@nestjs/common';
import { type EventStore, InjectEventStore, StaleRow } from '@scrip/event-store';
import { isRefused } from '@scrip/kernel';
import { voucherAggregate } from '../voucher/voucher.aggregate';
import { joinFirst } from './campaign-members.table';
import { CodeStock } from './code-stock';
import { publicationAggregate } from './publication.aggregate';
import { campaignKeyOf, countOf, isJoinedOnce, membershipOf, type Tried, type Try } from './publication-try';
import { type PublicationStores, writesOf } from './publication-writes';
import { type PublishedVoucher, publishStored } from './published-vouchers';

/** Writes publications of one campaign by one statement, without a transaction around it, from codes that were read before. Memberships
 *  come first and vouchers after them, as in `PublishingTransaction`. Source: ADR 150. */
@Injectable()
export class PublishingAtOnce {
  private readonly stores: PublicationStores;

  constructor(
    @InjectEventStore('campaigns') private readonly store: EventStore,
    private readonly stock: CodeStock,
  ) {
    this.stores = {
      vouchers: store.aggregate(voucherAggregate),
      publications: store.aggregate(publicationAggregate),
    };
  }

  /** Runs tries of one campaign that name no voucher, for different customers; returns what came of each, or null where they have to go by a
   *  transaction: nothing was written then. Throws `UniqueViolation` where the id or the source id of a publication was taken; after a
   *  lost connection all may have been written. */
  async run(all: readonly Try[]): Promise<Tried[] | null> {
    // Who joins once is decided on by the membership, which is not known before it is inserted; and codes are made in a transaction.
    if (all.some((one) => isJoinedOnce(one) || one.supply.codes.length > 0)) return null;
    const campaign = campaignKeyOf(all[0]!);
    const codes = await this.stock.take(
      campaign,
      all.reduce((sum, one) => sum + countOf(one), 0),
    );
    if (!codes) return null;
    const published = new Map<Try, PublishedVoucher[]>();
    for (const one of all) {
      const decided = codes
        .splice(0, countOf(one))
        .map((code) => publishStored(one.context, one.publishing, code));
      if (decided.some((voucher) => isRefused(voucher))) return null;
      published.set(one, decided as PublishedVoucher[]);
    }
    const { context, writes, written } = writesOf(this.stores, published);
    try {
      await this.store.appendTogether(context, {
        first: joinFirst(campaign, all.map(membershipOf)),
        writes,
        meanwhile: () => written.forEach((published, { publishing }) => publishing.foreseen?.(published)),
      });
    } catch (error) {
      if (!(error instanceof StaleRow)) throw error;
      this.stock.setApart(campaign);
      return null;
    }
    return all.map((one) => written.get(one)!);
  }
}
