import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type EventStore, InjectEventStore, runQuery } from '@scrip/event-store';
import { type Refusal, isFromBrowser, isRefused, refuse } from '@scrip/kernel';
import type { DataSource, EntityManager } from 'typeorm';
import { campaignNotFound } from '../campaign/campaign.aggregate';
import { type CampaignState, withAllCodes } from '../campaign/campaign.decider';
import { voucherAggregate } from '../voucher/voucher.aggregate';
import { voucherNotFound } from '../voucher/voucher.decider';
import type { CampaignKey } from './campaign-key';
import { join, leave } from './campaign-members.table';
import { FreeVouchers } from './free-vouchers';
import { rejoin } from './join-once';
import { publicationAggregate } from './publication.aggregate';
import {
  campaignKeyOf,
  countOf,
  type FailureKey,
  isJoinedOnce,
  membershipOf,
  type NotPublished,
  type Published,
  type Tried,
  type Try,
} from './publication-try';
import { type PublicationStores, writesOf } from './publication-writes';
import { type OpenCampaign, type PublishedVoucher, publishNew, publishStored } from './published-vouchers';

/** Leaves the transaction, which takes everything back. */
class NothingPublished extends Error {
  override readonly name = 'NothingPublished';
}

/** The tries of a transaction, and what is known of each so far. */
class Tries {
  private readonly ends = new Map<Try, NotPublished>();
  /** The vouchers of those that can be published. */
  readonly published = new Map<Try, PublishedVoucher[]>();

  constructor(readonly all: readonly Try[]) {}

  /** Those of which nothing is known yet. */
  get open(): Try[] {
    return this.all.filter((one) => !this.ends.has(one) && !this.published.has(one));
  }

  end(one: Try, end: NotPublished): void {
    this.ends.set(one, end);
  }

  /** Notes the vouchers of a try, which ends where one of them is refused. */
  decided(one: Try, vouchers: readonly (PublishedVoucher | Refusal<FailureKey | 'not_found'>)[]): void {
    const refused = vouchers.find((voucher) => isRefused(voucher));
    if (refused) this.end(one, refused);
    else this.published.set(one, vouchers as PublishedVoucher[]);
  }

  /** What came of each, in their order. `written`: what was published. */
  results(written: ReadonlyMap<Try, Tried>): Tried[] {
    return this.all.map((one) => {
      const end = this.ends.get(one) ?? written.get(one);
      if (!end) throw new Error(`publication ${one.publishing.id} was neither made nor refused`);
      return end;
    });
  }
}

const alreadyJoined = () =>
  refuse('voucher_cannot_be_published', 'Voucher cannot be published. Customer already joined program.');

/** Writes publications: of each the membership, the vouchers, the publication and its holders together or not at all. Memberships
 *  are locked first and vouchers after them: a transaction that holds a voucher waits for holders of vouchers only, and for
 *  these in the order of ids. Source: reference 04 §8.1 step 8, ADR 110, ADR 148. */
@Injectable()
export class PublishingTransaction {
  private readonly stores: PublicationStores;

  constructor(
    @InjectEventStore('campaigns') private readonly store: EventStore,
    @InjectDataSource('campaigns') private readonly dataSource: DataSource,
    private readonly free: FreeVouchers,
  ) {
    this.stores = {
      vouchers: store.aggregate(voucherAggregate),
      publications: store.aggregate(publicationAggregate),
    };
  }

  /** Runs one try, or several of one campaign that name no voucher, for different customers; returns what came of each. Throws
   *  `VersionConflict` where a voucher changed meanwhile, and `UniqueViolation` where the id or the source id of a publication,
   *  or one of `codes`, was taken meanwhile; nothing was written then. */
  async run(all: readonly Try[]): Promise<Tried[]> {
    const tries = new Tries(all);
    try {
      const written = await this.dataSource.transaction((manager) => this.write(manager, tries));
      this.store.wakeReaders();
      return tries.results(written);
    } catch (error) {
      if (error instanceof NothingPublished) return tries.results(new Map());
      throw error;
    }
  }

  private async write(manager: EntityManager, tries: Tries): Promise<Map<Try, Published>> {
    const joined = await this.joinCampaign(manager, tries);
    await this.publishVouchers(manager, tries);
    const { published } = tries;
    if (published.size === 0) throw new NothingPublished();
    const left = joined.filter((one) => !published.has(one));
    if (left.length > 0) await leave(manager, campaignKeyOf(left[0]!), left.map(membershipOf));
    return this.commit(manager, published);
  }

  /** Returns who joined by this transaction. Ends tries of customers who have to be answered, or refused, by an earlier one. */
  private async joinCampaign(manager: EntityManager, tries: Tries): Promise<readonly Try[]> {
    const [first] = tries.all;
    if (!first?.publishing.campaign) return [];
    const before = await join(manager, campaignKeyOf(first), tries.all.map(membershipOf));
    for (const one of tries.all) {
      const earlier = before.get(one.publishing.id);
      if (earlier === undefined || !isJoinedOnce(one)) continue;
      const end = await this.endOfRejoining(manager, one, earlier);
      if (end) tries.end(one, end);
    }
    return tries.all.filter(({ publishing }) => !before.has(publishing.id));
  }

  /** How a try ends whose customer joined before; null where it is published all the same. */
  private async endOfRejoining(
    manager: EntityManager,
    { context, publishing: { campaign, request, voucherId, joinOnce: asked } }: Try,
    earlier: string,
  ): Promise<NotPublished | null> {
    if (!campaign) return null;
    const stored =
      voucherId === null
        ? undefined
        : (await this.stores.publications.loadMany(context.project.id, [earlier], manager)).get(earlier);
    const namesEarlierVoucher =
      stored?.state.publication.vouchers.some((one) => one.id === voucherId) ?? false;
    const rejoining = rejoin({
      asked,
      fromBrowser: isFromBrowser(context),
      campaign,
      request,
      namesEarlierVoucher,
    });
    if (rejoining === 'PUBLISH') return null;
    return rejoining === 'REFUSE' ? alreadyJoined() : { earlier };
  }

  private async publishVouchers(manager: EntityManager, tries: Tries): Promise<void> {
    const [first] = tries.open;
    if (!first) return;
    if (first.publishing.voucherId === null) await this.publishFree(manager, tries);
    else tries.decided(first, [await this.publishNamed(manager, first, first.publishing.voucherId)]);
  }

  private async publishNamed(manager: EntityManager, { context, publishing }: Try, id: string) {
    const projectId = context.project.id;
    await runQuery(manager, 'SELECT 1 FROM vouchers WHERE project_id = $1 AND id = $2 FOR NO KEY UPDATE', [
      projectId,
      id,
    ]);
    const loaded = (await this.stores.vouchers.loadMany(projectId, [id], manager)).get(id);
    return loaded ? publishStored(context, publishing, [id, loaded]) : voucherNotFound(id);
  }

  private async publishFree(manager: EntityManager, tries: Tries): Promise<void> {
    const open = tries.open;
    const key = campaignKeyOf(open[0]!);
    const count = open.reduce((sum, one) => sum + countOf(one), 0);
    const { patient } = open[0]!.supply;
    const free = await this.free.pick(manager, { campaign: key, count, patient });
    let campaign: OpenCampaign | Refusal<'not_found'> | undefined;
    const make = async ({ context, publishing, supply }: Try, missing: number) => {
      const opened = (campaign ??= await this.openCampaign(manager, key));
      if (isRefused(opened)) return [opened];
      return supply.codes.slice(0, missing).map((code) => publishNew(context, publishing, opened, code));
    };
    for (const one of open) {
      const { context, publishing, supply } = one;
      const missing = Math.max(0, countOf(one) - free.length);
      if (missing > supply.codes.length) {
        tries.end(one, { short: missing });
        continue;
      }
      const stored = free
        .splice(0, countOf(one) - missing)
        .map((picked) => publishStored(context, publishing, picked));
      tries.decided(one, [...stored, ...(missing > 0 ? await make(one, missing) : [])]);
    }
  }

  /** Until the codes that are made from it are stored, no code comes into a campaign that is deleted, or changed. */
  private async openCampaign(
    manager: EntityManager,
    { project_id, campaign_id: id }: CampaignKey,
  ): Promise<OpenCampaign | Refusal<'not_found'>> {
    const [row] = await runQuery<{ state: CampaignState; revision: number }>(
      manager,
      `SELECT c.state, c.revision FROM campaigns c
       WHERE c.project_id = $1 AND c.id = $2 AND c.deleted_at IS NULL FOR KEY SHARE`,
      [project_id, id],
    );
    if (!row) return campaignNotFound(id);
    const key = { project_id, id };
    return {
      campaign: withAllCodes(row.state, 0),
      held: { holds: 'campaigns', key, expect: { revision: row.revision } },
    };
  }

  private async commit(
    manager: EntityManager,
    published: ReadonlyMap<Try, readonly PublishedVoucher[]>,
  ): Promise<Map<Try, Published>> {
    const { context, writes, written } = writesOf(this.stores, published);
    await this.store.commitTogether(manager, context, writes);
    return written;
  }
}
