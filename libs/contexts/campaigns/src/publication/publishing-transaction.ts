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
  type StreamChange,
  runQuery,
  stateAfter,
} from '@scrip/event-store';
import { newId, type Refusal, refuse, type RequestContext, isRefused } from '@scrip/kernel';
import type { DataSource, EntityManager } from 'typeorm';
import { campaignNotFound } from '../campaign/campaign.aggregate';
import { type CampaignState, withAllCodes } from '../campaign/campaign.decider';
import type { CandidateCode } from '../generation/free-codes';
import { voucherAggregate } from '../voucher/voucher.aggregate';
import { decideVoucher, voucherNotFound, voucherOf, type VoucherState } from '../voucher/voucher.decider';
import { voucherTemplateOf } from '../voucher/voucher-template';
import { join } from './campaign-members.table';
import { FreeVouchers } from './free-vouchers';
import { rejoin } from './join-once';
import { publish, type PublicationState } from './publication.decider';
import { publicationAggregate } from './publication.aggregate';
import type { PublicationRequest } from './publication-request';
import { decidePublishing, type PublishVoucher } from './publish-voucher.decider';

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

const holding = (published: Published, held: RowChange): Published => ({
  ...published,
  created: published.created && { ...published.created, rows: [held] },
});

/** Why an attempt is stored as a failed publication. Source: reference 04 §8.1, 6 and 7. */
export type FailureKey =
  | 'voucher_cannot_be_published'
  | 'voucher_already_published'
  | 'voucher_disabled'
  | 'no_voucher_suitable_for_publication';

/** What came of a try. Nothing was written unless it was `published`. `short`: so many codes were missing. */
export type Tried =
  | { published: PublicationSnapshot; vouchers: VoucherSnapshot[] }
  | { earlier: string }
  | { short: number }
  | Refusal<FailureKey | 'not_found'>;

/** Leaves the transaction, which takes everything back. */
class TakenBack extends Error {
  constructor(readonly tried: Tried) {
    super('the publication was taken back');
  }
}

interface Published {
  state: VoucherState;
  change: StreamChange<VoucherState, VoucherEvent> | null;
  created: NewStream<VoucherEvent> | null;
}

const alreadyJoined = () =>
  refuse('voucher_cannot_be_published', 'Voucher cannot be published. Customer already joined program.');

/** Writes a publication: the membership, the vouchers, the publication and its holders together or not at all. The membership
 *  is locked first and vouchers after it: a transaction that holds a voucher waits for holders of vouchers only, and for
 *  these in the order of ids. Source: reference 04 §8.1 step 8, ADR 110. */
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

  /** Tries once. Throws `VersionConflict` where a voucher changed meanwhile, and `UniqueViolation` where the id or the source id of
   *  the publication, or one of `codes`, was taken meanwhile. */
  async run(context: RequestContext, publishing: Publishing, supply: Supply): Promise<Tried> {
    try {
      const tried = await this.dataSource.transaction((manager) =>
        this.write(manager, context, publishing, supply),
      );
      this.store.wakeReaders();
      return tried;
    } catch (error) {
      if (error instanceof TakenBack) return error.tried;
      throw error;
    }
  }

  private async write(
    manager: EntityManager,
    context: RequestContext,
    publishing: Publishing,
    supply: Supply,
  ): Promise<Tried> {
    await this.joinCampaign(manager, context, publishing);
    const published = await this.publishVouchers(manager, context, publishing, supply);
    const changes = published.flatMap(({ change }) => change ?? []);
    const created = published.flatMap(({ created: stream }) => stream ?? []);
    if (changes.length > 0) await this.vouchers.commitMany(manager, context, changes);
    if (created.length > 0) await this.vouchers.createMany(manager, context, created);
    const vouchers = published.map(({ state }) => state.voucher);
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
    await this.publications.createMany(manager, context, [
      { streamId: publishing.id, events: [succeeded, ...assigned], rows },
    ]);
    return { published: succeeded.data.publication, vouchers };
  }

  private async joinCampaign(
    manager: EntityManager,
    { project }: RequestContext,
    { id, customer_id, campaign, request, voucherId, joinOnce }: Publishing,
  ): Promise<void> {
    if (!campaign) return;
    const membership = { project_id: project.id, campaign_id: campaign.id, customer_id, publication_id: id };
    const earlier = await join(manager, membership);
    if (earlier === null || (!joinOnce && !campaign.join_once)) return;
    const stored = (await this.publications.loadMany(project.id, [earlier], manager)).get(earlier);
    const namesEarlierVoucher =
      stored?.state.publication.vouchers.some((one) => one.id === voucherId) ?? false;
    switch (rejoin({ asked: joinOnce, campaign, request, namesEarlierVoucher })) {
      case 'ANSWER_EARLIER':
        throw new TakenBack({ earlier });
      case 'REFUSE':
        throw new TakenBack(alreadyJoined());
      case 'PUBLISH':
    }
  }

  private async publishVouchers(
    manager: EntityManager,
    context: RequestContext,
    publishing: Publishing,
    { patient, codes }: Supply,
  ): Promise<Published[]> {
    const { campaign, voucherId, request } = publishing;
    if (voucherId !== null) {
      await this.lock(manager, context, voucherId);
      return this.publishStored(manager, context, publishing, [voucherId]);
    }
    if (!campaign) throw new Error(`publication ${publishing.id} names neither a voucher nor a campaign`);
    const count = 'count' in request.source ? request.source.count : 1;
    const wanted = { projectId: context.project.id, campaignId: campaign.id, count, patient };
    const ids = await this.free.pick(manager, wanted);
    const missing = count - ids.length;
    if (missing > codes.length) throw new TakenBack({ short: missing });
    const stored = await this.publishStored(manager, context, publishing, ids);
    if (missing === 0) return stored;
    const open = await this.openCampaign(manager, context, campaign.id);
    const made = codes
      .slice(0, missing)
      .map((code) => this.publishNew(context, publishing, open.campaign, code));
    return [...stored, ...made.map((one, place) => (place === 0 ? holding(one, open.held) : one))];
  }

  /** The campaign as it is now, and what holds it so until the codes that are made from it are stored: no code comes into a
   *  campaign that is deleted, or changed, meanwhile. */
  private async openCampaign(
    manager: EntityManager,
    { project }: RequestContext,
    id: string,
  ): Promise<{ campaign: CampaignSnapshot; held: RowChange }> {
    const [row] = await runQuery<{ state: CampaignState; revision: number }>(
      manager,
      `SELECT c.state, c.revision FROM campaigns c
       WHERE c.project_id = $1 AND c.id = $2 AND c.deleted_at IS NULL FOR KEY SHARE`,
      [project.id, id],
    );
    if (!row) throw new TakenBack(campaignNotFound(id));
    const key = { project_id: project.id, id };
    return {
      campaign: withAllCodes(row.state, 0),
      held: { holds: 'campaigns', key, expect: { revision: row.revision } },
    };
  }

  private async lock(manager: EntityManager, { project }: RequestContext, id: string): Promise<void> {
    await runQuery(manager, 'SELECT 1 FROM vouchers WHERE project_id = $1 AND id = $2 FOR NO KEY UPDATE', [
      project.id,
      id,
    ]);
  }

  private async publishStored(
    manager: EntityManager,
    context: RequestContext,
    publishing: Publishing,
    ids: readonly string[],
  ): Promise<Published[]> {
    const stored = await this.vouchers.loadMany(context.project.id, ids, manager);
    return ids.map((id) => {
      const loaded = stored.get(id);
      if (!loaded) throw new TakenBack(voucherNotFound(id));
      const { state: before, version, epoch, basis } = loaded;
      // As it was read with the voucher: one that changed since the call found it binds as it is now.
      const { campaign = publishing.campaign } = before;
      const { events, state } = this.decide(context, { ...publishing, campaign }, before);
      const expected = { expectedVersion: version, expectedEpoch: epoch, expectedBasis: basis };
      const change = { streamId: id, state: before, ...expected, events };
      return { state, change, created: null };
    });
  }

  private publishNew(
    context: RequestContext,
    publishing: Publishing,
    campaign: CampaignSnapshot,
    { code, key }: CandidateCode,
  ): Published {
    const id = newId('v_');
    const own = { id, code, created_at: publishing.now.toISOString() };
    const voucher = voucherOf(voucherTemplateOf(campaign), own);
    const created = decideVoucher(
      { type: 'CreateVoucher', voucher, code_key: key, campaign, addition: true },
      undefined,
    );
    const { events, state } = this.decide(context, { ...publishing, campaign }, { voucher, code_key: key });
    return { state, change: null, created: { streamId: id, events: [...created, ...events] } };
  }

  private decide(
    { project }: RequestContext,
    publishing: Omit<Publishing, 'campaign'> & Pick<PublishVoucher, 'campaign'>,
    before: VoucherState,
  ) {
    const { id, customer_id, campaign, now } = publishing;
    const command = { publication_id: id, customer_id, campaign, now, timezone: project.timezone };
    const events = decidePublishing(command, before);
    if (isRefused(events)) throw new TakenBack(events);
    return {
      events,
      state: events.reduce<VoucherState>(
        (state, event) => stateAfter(voucherAggregate, state, event),
        before,
      ),
    };
  }
}
