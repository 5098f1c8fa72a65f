import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type {
  CampaignSnapshot,
  PublicationEvent,
  PublicationSnapshot,
  VoucherEvent,
  VoucherSnapshot,
} from '@scrip/contracts/campaigns';
import {
  type AggregateStore,
  type EventStore,
  InjectEventStore,
  type NewStream,
  type RowChange,
  runQuery,
} from '@scrip/event-store';
import { newId, type Refusal, refuse, type RequestContext, isRefused } from '@scrip/kernel';
import type { DataSource, EntityManager } from 'typeorm';
import { campaignNotFound } from '../campaign/campaign.aggregate';
import { type CampaignState, withAllCodes } from '../campaign/campaign.decider';
import type { CandidateCode } from '../generation/free-codes';
import { voucherAggregate } from '../voucher/voucher.aggregate';
import { voucherNotFound, type VoucherState } from '../voucher/voucher.decider';
import { join, leave } from './campaign-members.table';
import { FreeVouchers } from './free-vouchers';
import { rejoin } from './join-once';
import { publish, type PublicationState } from './publication.decider';
import { publicationAggregate } from './publication.aggregate';
import type { PublicationRequest } from './publication-request';
import { type OpenCampaign, type PublishedVoucher, publishNew, publishStored } from './published-vouchers';

/** What is to be published, and the customer who gets it. */
export interface Publishing {
  id: string;
  customer_id: string;
  request: PublicationRequest;
  campaign: CampaignSnapshot | null;
  /** The voucher that is named; null where the campaign is. */
  voucherId: string | null;
  joinOnce: boolean;
  now: Date;
}

/** How one try goes about a campaign without free codes. */
export interface Supply {
  patient: boolean;
  /** Codes that may be made where too few are free. */
  codes: readonly CandidateCode[];
}

/** One try of one caller. */
export interface Try {
  context: RequestContext;
  publishing: Publishing;
  supply: Supply;
}

/** Why an attempt is stored as a failed publication. Source: reference 04 §8.1, 6 and 7. */
export type FailureKey =
  | 'voucher_cannot_be_published'
  | 'voucher_already_published'
  | 'voucher_disabled'
  | 'no_voucher_suitable_for_publication';

/** What came of a try. Nothing of it was written unless it was `published`. `short`: so many codes were missing. */
export type Tried = { published: PublicationSnapshot; vouchers: VoucherSnapshot[] } | NotPublished;

type NotPublished = { earlier: string } | { short: number } | Refusal<FailureKey | 'not_found'>;

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

/** How many codes a try asks for. */
export const countOf = ({ publishing: { request } }: Try): number =>
  'count' in request.source ? request.source.count : 1;

const isJoinedOnce = ({ publishing: { joinOnce, campaign } }: Try): boolean =>
  joinOnce || campaign?.join_once === true;

const membershipOf = ({ publishing: { id, customer_id } }: Try) => ({ customer_id, publication_id: id });

const alreadyJoined = () =>
  refuse('voucher_cannot_be_published', 'Voucher cannot be published. Customer already joined program.');

const sourceIdOf = ({ publishing: { request } }: Try): string => request.source_id ?? '';

// All transactions insert source ids in one order, or two of them could wait for each other.
const bySourceId = (one: Try, other: Try): number => {
  const [a, b] = [sourceIdOf(one), sourceIdOf(other)];
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

/** Writes publications: of each the membership, the vouchers, the publication and its holders together or not at all. Memberships
 *  are locked first and vouchers after them: a transaction that holds a voucher waits for holders of vouchers only, and for
 *  these in the order of ids. Source: reference 04 §8.1 step 8, ADR 110, ADR 148. */
@Injectable()
export class PublishingTransaction {
  private readonly vouchers: AggregateStore<VoucherState, VoucherEvent>;
  private readonly publications: AggregateStore<PublicationState, PublicationEvent>;

  constructor(
    @InjectEventStore('campaigns') private readonly store: EventStore,
    @InjectDataSource('campaigns') private readonly dataSource: DataSource,
    private readonly free: FreeVouchers,
  ) {
    this.vouchers = store.aggregate(voucherAggregate);
    this.publications = store.aggregate(publicationAggregate);
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

  private async write(manager: EntityManager, tries: Tries): Promise<Map<Try, Tried>> {
    const joined = await this.joinCampaign(manager, tries);
    await this.publishVouchers(manager, tries);
    const { published } = tries;
    if (published.size === 0) throw new NothingPublished();
    const left = joined.filter((one) => !published.has(one));
    if (left.length > 0) await leave(manager, campaignOf(left[0]!), left.map(membershipOf));
    return this.commit(manager, published);
  }

  /** Returns who joined by this transaction. Ends tries of customers who have to be answered, or refused, by an earlier one. */
  private async joinCampaign(manager: EntityManager, tries: Tries): Promise<readonly Try[]> {
    const [first] = tries.all;
    if (!first?.publishing.campaign) return [];
    const before = await join(manager, campaignOf(first), tries.all.map(membershipOf));
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
        : (await this.publications.loadMany(context.project.id, [earlier], manager)).get(earlier);
    const namesEarlierVoucher =
      stored?.state.publication.vouchers.some((one) => one.id === voucherId) ?? false;
    const rejoining = rejoin({ asked, campaign, request, namesEarlierVoucher });
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
    const loaded = (await this.vouchers.loadMany(projectId, [id], manager)).get(id);
    return loaded ? publishStored(context, publishing, [id, loaded]) : voucherNotFound(id);
  }

  private async publishFree(manager: EntityManager, tries: Tries): Promise<void> {
    const open = tries.open;
    const { project_id: projectId, campaign_id: campaignId } = campaignOf(open[0]!);
    const count = open.reduce((sum, one) => sum + countOf(one), 0);
    const { patient } = open[0]!.supply;
    const free = await this.free.pick(manager, { projectId, campaignId, count, patient });
    let campaign: OpenCampaign | Refusal<'not_found'> | undefined;
    const make = async ({ context, publishing, supply }: Try, missing: number) => {
      const opened = (campaign ??= await this.openCampaign(manager, projectId, campaignId));
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
    projectId: string,
    id: string,
  ): Promise<OpenCampaign | Refusal<'not_found'>> {
    const [row] = await runQuery<{ state: CampaignState; revision: number }>(
      manager,
      `SELECT c.state, c.revision FROM campaigns c
       WHERE c.project_id = $1 AND c.id = $2 AND c.deleted_at IS NULL FOR KEY SHARE`,
      [projectId, id],
    );
    if (!row) return campaignNotFound(id);
    const key = { project_id: projectId, id };
    return {
      campaign: withAllCodes(row.state, 0),
      held: { holds: 'campaigns', key, expect: { revision: row.revision } },
    };
  }

  private async commit(
    manager: EntityManager,
    published: ReadonlyMap<Try, readonly PublishedVoucher[]>,
  ): Promise<Map<Try, Tried>> {
    const written = new Map<Try, Tried>();
    const streams: NewStream<PublicationEvent>[] = [];
    for (const one of [...published.keys()].sort(bySourceId)) {
      const vouchers = published.get(one)!.map(({ state }) => state.voucher);
      const { stream, publication } = publicationOf(one, vouchers);
      streams.push(stream);
      written.set(one, { published: publication, vouchers });
    }
    const all = [...published.values()].flat();
    const [{ context }] = [...published.keys()] as [Try];
    await this.store.commitTogether(manager, context, [
      this.vouchers.changing(all.flatMap(({ change }) => change ?? [])),
      this.vouchers.creating(all.flatMap(({ created }) => created ?? [])),
      this.publications.creating(streams),
    ]);
    return written;
  }
}

const campaignOf = ({ context, publishing: { id, campaign } }: Try) => {
  if (!campaign) throw new Error(`publication ${id} names neither a voucher nor a campaign`);
  return { project_id: context.project.id, campaign_id: campaign.id };
};

/** The stream of a publication with the rows of its holders. `vouchers`: as they are after it. */
const publicationOf = ({ context, publishing }: Try, vouchers: readonly VoucherSnapshot[]) => {
  const [succeeded, ...assigned] = publish({
    ...publishing,
    now: publishing.now.toISOString(),
    vouchers,
    holderIds: vouchers.map(() => newId('rh_')),
  });
  const rows: RowChange[] = assigned.map(({ data: { holder } }) => ({
    insert: 'holders',
    values: { project_id: context.project.id, ...holder },
  }));
  const stream = { streamId: publishing.id, context, events: [succeeded, ...assigned], rows };
  return { stream, publication: succeeded.data.publication };
};
