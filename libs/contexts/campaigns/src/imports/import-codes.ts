import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { CampaignEvent, VoucherEvent, VoucherTemplate } from '@scrip/contracts/campaigns';
import {
  type AggregateStore,
  EventStore,
  InjectEventStore,
  type Loaded,
  type RowChange,
  runQuery,
} from '@scrip/event-store';
import { type BusinessClock, type RequestContext, isRefused } from '@scrip/kernel';
import type { CheckMetadata } from '@scrip/metadata-schemas';
import { InjectBusinessClock } from '@scrip/service';
import { type ItemOutcome, outcomeOf } from '@scrip/tasks';
import type { DataSource, EntityManager } from 'typeorm';
import { lockCampaign } from '../campaign/campaign-lock';
import { countSingleCodes } from '../campaign/single-codes';
import { campaignAggregate, campaignNotFound } from '../campaign/campaign.aggregate';
import type { CampaignState } from '../campaign/campaign.decider';
import { campaignsRefusals, type CampaignsRefusal } from '../campaigns.refusals';
import { Categories } from '../categories/categories.table';
import { sharedDefinition } from '../definition/definitions.table';
import { foldCode } from '../generation/code-config';
import { voucherTemplateOf } from '../voucher/voucher-template';
import { voucherAggregate } from '../voucher/voucher.aggregate';
import type { VoucherState } from '../voucher/voucher.decider';
import { decideImport, roomFor } from './import.decider';
import type { ImportTarget } from './import-target';
import { type ImportedVoucher, mustTakeImports } from './imported-voucher';
import { type Ground, type NewCode, takeRow } from './take-row';
import { VoucherSets } from './voucher-set';

interface ChunkOfImport {
  target: ImportTarget;
  taskId: string;
  vouchers: readonly ImportedVoucher[];
  check: CheckMetadata;
  /** Rows of a file: a code that the campaign has is changed, and vouchers of one that has expired are not active. */
  isFile?: boolean;
}

const definitionSql = 'SELECT template FROM voucher_definitions WHERE project_id = $1 AND id = $2 AND newest';

/** Stores codes that an import brings to a campaign, chunk by chunk. Source: reference 04 §4.7, ADR 33. */
@Injectable()
export class ImportCodes {
  private readonly campaigns: AggregateStore<CampaignState, CampaignEvent>;
  private readonly vouchers: AggregateStore<VoucherState, VoucherEvent>;

  constructor(
    @InjectEventStore('campaigns') store: EventStore,
    @InjectDataSource('campaigns') private readonly dataSource: DataSource,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly categories: Categories,
    private readonly sets: VoucherSets,
  ) {
    this.campaigns = store.aggregate(campaignAggregate);
    this.vouchers = store.aggregate(voucherAggregate);
  }

  /** Stores a chunk in the transaction of `manager`: the campaign's row is locked, one statement stores the codes and counts
   *  them, one writes in what single vouchers differ from their definition. Returns an outcome for each row. Throws `UniqueViolation` where another
   *  call takes one of the codes meanwhile. */
  async store(
    manager: EntityManager,
    context: RequestContext,
    { target, taskId, vouchers, check, isFile = false }: ChunkOfImport,
  ): Promise<ItemOutcome[]> {
    const { project } = context;
    const campaign = await this.lock(manager, context, target.campaign_id);
    if (isRefused(campaign)) return vouchers.map(() => outcomeOf(campaign, [campaignsRefusals]));
    const { template: definition, ...made } = await this.definition(manager, context, target, campaign);
    const now = this.clock.now(project);
    const keys = vouchers.map(({ code }) => foldCode(code, project.caseSensitiveCodes));
    const { expiration_date } = campaign.state.campaign;
    const ground: Ground = {
      definition,
      categories: await this.categories.resolve(
        manager,
        project.id,
        vouchers.flatMap(({ category }) => category ?? []),
        now,
      ),
      stored: await this.sets.lock(manager, project.id, keys),
      brought: new Map(),
      room: roomFor(campaign.state, await countSingleCodes(manager, project.id, target.campaign_id)),
      check,
      target,
      isFile,
      active: isFile && expiration_date !== null && expiration_date < now.toISOString() ? false : undefined,
      now: now.toISOString(),
    };
    const outcomes = vouchers.map((voucher, index) => takeRow(ground, voucher, keys[index]!));
    const codes = [...ground.brought.values()];
    await this.sets.store(manager, context, ground.stored);
    await this.insert(manager, context, {
      target: { ...target, definition_id: made.id, taskId },
      campaign,
      codes,
      definition: made.stored ? null : definition,
      now: now.toISOString(),
    });
    return outcomes.map((outcome) => outcomeOf(outcome, [campaignsRefusals]));
  }

  /** Tells on the campaign's stream how many codes an import brought; once, also where it is called again. */
  async conclude(context: RequestContext, campaignId: string, taskId: string): Promise<void> {
    const single_codes = await countSingleCodes(this.dataSource, context.project.id, campaignId);
    await this.campaigns.execute<null, CampaignsRefusal['refused']>({
      context,
      streamId: campaignId,
      decide: (state) => {
        const now = this.clock.now(context.project).toISOString();
        const command = { type: 'CompleteImport' as const, async_action_id: taskId, single_codes, now };
        const events = decideImport(command, state);
        return isRefused(events) ? events : { events, answer: null };
      },
    });
  }

  private async lock(
    manager: EntityManager,
    { project }: RequestContext,
    campaignId: string,
  ): Promise<Loaded<CampaignState> | CampaignsRefusal> {
    await lockCampaign(manager, project.id, campaignId);
    const found = (await this.campaigns.loadMany(project.id, [campaignId], manager)).get(campaignId);
    return found && found.state.deleted_at === undefined
      ? (mustTakeImports(found.state.campaign) ?? found)
      : campaignNotFound(campaignId);
  }

  /** What codes are made from: what an earlier chunk made, what codes of the campaign share, or what this chunk is to store. */
  private async definition(
    manager: EntityManager,
    { project }: RequestContext,
    { definition_id }: ImportTarget,
    { state: { campaign } }: Loaded<CampaignState>,
  ): Promise<{ id: string; template: VoucherTemplate; stored: boolean }> {
    const [row] = await runQuery<{ template: VoucherTemplate }>(manager, definitionSql, [
      project.id,
      definition_id,
    ]);
    if (row) return { id: definition_id, template: row.template, stored: true };
    const template = voucherTemplateOf(campaign);
    const shared = await sharedDefinition(manager, project.id, { template, ownFields: [] });
    return { id: shared ?? definition_id, template, stored: shared !== undefined };
  }

  private async insert(
    manager: EntityManager,
    context: RequestContext,
    {
      target: { campaign_id, definition_id, taskId },
      campaign: { state, version, epoch },
      codes,
      definition,
      now,
    }: {
      target: ImportTarget & { taskId: string };
      campaign: Loaded<CampaignState>;
      codes: readonly NewCode[];
      /** Null where it is stored. */
      definition: VoucherTemplate | null;
      now: string;
    },
  ): Promise<void> {
    if (codes.length === 0) return;
    const project_id = context.project.id;
    const vouchers = codes.map(({ id, code }) => ({ id, code }));
    const command = {
      type: 'ImportCodes' as const,
      async_action_id: taskId,
      definition_id,
      vouchers,
      now,
    };
    const events = decideImport(command, state);
    if (isRefused(events)) throw new Error(`codes of ${taskId} were refused: ${events.refused}`);
    const first: RowChange[] = definition
      ? [{ insert: 'voucher_definitions', values: { project_id, id: definition_id, template: definition } }]
      : [];
    const rows = codes.map(({ id, code, code_key }): RowChange => ({
      insert: 'vouchers',
      values: { project_id, id, code, code_key, campaign_id, definition_id, created_at: now },
    }));
    await this.campaigns.commitMany(manager, context, [
      {
        streamId: campaign_id,
        events,
        rows: [...first, ...rows],
        state,
        expectedVersion: version,
        expectedEpoch: epoch,
      },
    ]);
    await this.storeOwnFields(manager, context, codes, { async_action_id: taskId, imported_at: now });
  }

  /** Writes the fields in which vouchers that were just stored differ from their definition. */
  private async storeOwnFields(
    manager: EntityManager,
    context: RequestContext,
    codes: readonly NewCode[],
    at: { async_action_id: string; imported_at: string },
  ): Promise<void> {
    const differing = codes.filter(({ own }) => Object.keys(own).length > 0);
    const loaded = await this.vouchers.loadMany(
      context.project.id,
      differing.map(({ id }) => id),
      manager,
    );
    const changes = differing.map(({ id, own }) => {
      const voucher = loaded.get(id);
      if (!voucher) throw new Error(`voucher ${id} was not stored`);
      const { state, version, epoch, basis } = voucher;
      return {
        streamId: id,
        events: [{ type: 'VoucherImported' as const, data: { ...at, own } }],
        state,
        expectedVersion: version,
        expectedEpoch: epoch,
        expectedBasis: basis,
      };
    });
    if (changes.length > 0) await this.vouchers.commitMany(manager, context, changes);
  }
}
