import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { CampaignSnapshot, CodeConfig, VoucherEvent, VoucherSnapshot } from '@scrip/contracts/campaigns';
import type { TaskEvent } from '@scrip/contracts/operations';
import {
  type AggregateStore,
  EventStore,
  InjectEventStore,
  type RowChange,
  StaleRow,
  decisionOf,
} from '@scrip/event-store';
import { windowsMustBeSound } from '@scrip/incentives';
import {
  type BusinessClock,
  type IdSource,
  type RequestContext,
  comesAgain,
  isRefused,
  refuse,
} from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import { InjectBusinessClock } from '@scrip/service';
import { TaskJobs, type TaskState } from '@scrip/tasks';
import type { DataSource } from 'typeorm';
import type { CampaignsRefusalKey, CampaignsRefusal } from '../campaigns.refusals';
import { codesMustFitTheCampaign } from '../campaign/campaign.decider';
import { CampaignReads } from '../campaign/campaign.reads';
import { Categories } from '../categories/categories.table';
import { sharedDefinition } from '../definition/definitions.table';
import { capacityMustSuffice, codeMustFit, foldCode, resolveCodeConfig } from '../generation/code-config';
import { CodeFinder } from '../generation/code-finder';
import { generationTask, generationTaskId } from '../generation/code-order';
import { taskAggregate } from '../tasks/task.aggregate';
import type { OrderedVouchersResponse } from './ordered-vouchers.wire';
import { createdBefore } from './created-before';
import { ownTemplateFields, type VoucherOverrides, voucherTemplateOf } from './voucher-template';
import { voucherAggregate } from './voucher.aggregate';
import { type VoucherState, decideVoucher, voucherOf } from './voucher.decider';
import type { AddVoucherBody, AddVouchersBody } from './voucher.dto';

/** How often another random code is tried when another call stored the code first. */
const triesMax = 10;

const voucherIdOf = (ids: IdSource) => ids.next('v_', 'voucher');

const noVouchers = (campaign: CampaignSnapshot): CampaignsRefusal | null => {
  if (campaign.type === 'STANDALONE') {
    return refuse('invalid_campaign', 'You can not generate vouchers for STANDALONE type campaign.');
  }
  return campaign.voucher
    ? null
    : refuse('invalid_campaign', `You can not generate vouchers for ${campaign.campaign_type} campaign.`);
};

/** A period of which the body sets an end must be sound: with its other end and with the windows, sent or inherited. */
const datesMustFit = (campaign: CampaignSnapshot, body: AddVoucherBody): CampaignsRefusal | null => {
  if (body.start_date === undefined && body.expiration_date === undefined) return null;
  const { start_date = campaign.start_date, expiration_date = campaign.expiration_date } = body;
  return windowsMustBeSound({ ...campaign, start_date, expiration_date });
};

/** A campaign with the revision that it was read at. */
interface OpenCampaign {
  campaign: CampaignSnapshot;
  revision: number;
}

/** What codes are made from must be what the campaign says when they are stored: the job of a later change finds them. */
const unchanged = ({ project }: RequestContext, { campaign, revision }: OpenCampaign): RowChange => ({
  holds: 'campaigns',
  key: { project_id: project.id, id: campaign.id },
  expect: { revision },
});

/** Works on a campaign as it stands, and again where it changed meanwhile. */
const ofOneRevision = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StaleRow) || tries === triesMax) throw error;
    }
  }
};

/** Adds codes to a campaign that exists. Source: reference 04 §4.6. */
@Injectable()
export class AddVouchers {
  private readonly vouchers: AggregateStore<VoucherState, VoucherEvent>;
  private readonly tasks: AggregateStore<TaskState, TaskEvent>;

  constructor(
    @InjectEventStore('campaigns') store: EventStore,
    @InjectDataSource('campaigns') private readonly dataSource: DataSource,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly campaigns: CampaignReads,
    private readonly categories: Categories,
    private readonly codes: CodeFinder,
    private readonly jobs: TaskJobs,
    private readonly metadata: MetadataSchemas,
  ) {
    this.vouchers = store.aggregate(voucherAggregate);
    this.tasks = store.aggregate(taskAggregate);
  }

  /** One voucher with exactly this code. Refuses `not_found`, `invalid_campaign`, `metadata_validation_failed`,
   *  `duplicate_found`. */
  async addCode(
    context: RequestContext,
    ids: IdSource,
    { campaignId, code, body }: { campaignId: string; code: string; body: AddVoucherBody },
  ): Promise<VoucherSnapshot | CampaignsRefusal> {
    const tooLong = codeMustFit(code);
    if (tooLong) return tooLong;
    const before = await this.addedBefore(context, ids);
    if (before) return before;
    return ofOneRevision(async () => {
      const open = await this.openCampaign(context, campaignId);
      if (isRefused(open)) return open;
      const overrides = await this.overridesOf(context, ids, open.campaign, body);
      return isRefused(overrides) ? overrides : this.createOne(context, ids, open, overrides, code);
    });
  }

  /** One voucher with the code that the body gives, or with a random one. Refuses as `addCode`, further
   *  `invalid_code_config` when no code is left; a random one beyond what a campaign holds too. */
  async addOne(
    context: RequestContext,
    ids: IdSource,
    { campaignId, body }: { campaignId: string; body: AddVouchersBody },
  ): Promise<VoucherSnapshot | CampaignsRefusal> {
    if (body.code) return this.addCode(context, ids, { campaignId, code: body.code, body });
    const before = await this.addedBefore(context, ids);
    if (before) return before;
    return ofOneRevision(() => this.addRandom(context, ids, campaignId, body));
  }

  private async addRandom(
    context: RequestContext,
    ids: IdSource,
    campaignId: string,
    body: AddVouchersBody,
  ): Promise<VoucherSnapshot | CampaignsRefusal> {
    const open = await this.openCampaign(context, campaignId);
    if (isRefused(open)) return open;
    const { campaign } = open;
    const config = this.configOf(context, campaign, body);
    if (isRefused(config)) return config;
    const full = codesMustFitTheCampaign(campaign, 1);
    if (full) return full;
    const overrides = await this.overridesOf(context, ids, campaign, body);
    if (isRefused(overrides)) return overrides;
    for (let tries = 1; ; tries += 1) {
      const [found] = await this.codes.find(context.project, config, 1);
      if (!found) return refuse('invalid_code_config', 'No free code is left.');
      const answer = await this.createOne(context, ids, open, overrides, found.code);
      if (!isRefused(answer) || answer.refused !== 'duplicate_found' || tries === triesMax) return answer;
    }
  }

  /** Stores a code order for `count` codes and answers the id of its task. Refuses as `addOne`, and
   *  `invalid_campaign` for more codes than a campaign holds. */
  async orderCodes(
    context: RequestContext,
    ids: IdSource,
    { campaignId, count, body }: { campaignId: string; count: number; body: AddVouchersBody },
  ): Promise<OrderedVouchersResponse | CampaignsRefusal> {
    if (body.code)
      return refuse('invalid_payload', 'Property .code is only allowed when one voucher is added');
    const before = await this.orderedBefore(context, ids);
    return before ?? ofOneRevision(() => this.storeOrder(context, ids, { campaignId, count, body }));
  }

  private async storeOrder(
    context: RequestContext,
    ids: IdSource,
    { campaignId, count, body }: { campaignId: string; count: number; body: AddVouchersBody },
  ): Promise<OrderedVouchersResponse | CampaignsRefusal> {
    const open = await this.openCampaign(context, campaignId);
    if (isRefused(open)) return open;
    const { campaign } = open;
    const config = this.configOf(context, campaign, body);
    if (isRefused(config)) return config;
    const refusal =
      codesMustFitTheCampaign(campaign, count) ??
      capacityMustSuffice(config, count, context.project.caseSensitiveCodes);
    if (refusal) return refusal;
    const overrides = await this.overridesOf(context, ids, campaign, body);
    if (isRefused(overrides)) return overrides;
    const template = voucherTemplateOf(campaign, overrides);
    const ownFields = ownTemplateFields(overrides, campaign);
    const definition = { template, ownFields };
    const shared = await sharedDefinition(this.dataSource, context.project.id, definition);
    const codeOrder = {
      ...{ campaign, ...definition, sharedDefinition: shared },
      ...{ code_config: config, count, initial: false },
    };
    const task = generationTask(context, codeOrder, ids, this.clock.now(context.project).toISOString());
    const answer = await this.tasks.execute<OrderedVouchersResponse, CampaignsRefusalKey>({
      context,
      streamId: task.streamId,
      eventIds: ids,
      decide: (state) => ({
        // A repetition under the same ids finds its task, and orders nothing.
        events: state ? [] : task.events,
        rows: state ? [] : [...(task.rows ?? []), unchanged(context, open)],
        answer: { async_action_id: task.streamId },
      }),
    });
    if (!isRefused(answer)) await this.jobs.hurry(context, task.events);
    return answer;
  }

  /** Looked for before anything can refuse: codes that the first execution made count, and its code is taken. */
  private async addedBefore(
    context: RequestContext,
    ids: IdSource,
  ): Promise<VoucherSnapshot | CampaignsRefusal | null> {
    return comesAgain(ids) ? createdBefore(this.vouchers, context, voucherIdOf(ids)) : null;
  }

  private async orderedBefore(
    { project }: RequestContext,
    ids: IdSource,
  ): Promise<OrderedVouchersResponse | null> {
    if (!comesAgain(ids)) return null;
    const id = generationTaskId(ids);
    return (await this.tasks.load(project.id, id)) ? { async_action_id: id } : null;
  }

  private async openCampaign(
    context: RequestContext,
    idOrName: string,
  ): Promise<OpenCampaign | CampaignsRefusal> {
    const open = await this.campaigns.findRevision(context, idOrName);
    return isRefused(open) ? open : (noVouchers(open.campaign) ?? open);
  }

  private configOf(
    { project }: RequestContext,
    campaign: CampaignSnapshot,
    { code_config }: AddVouchersBody,
  ): CodeConfig | CampaignsRefusal {
    return code_config ? resolveCodeConfig(code_config, project.codeCharset) : campaign.voucher!.code_config;
  }

  private async overridesOf(
    context: RequestContext,
    ids: IdSource,
    campaign: CampaignSnapshot,
    body: AddVoucherBody,
  ): Promise<VoucherOverrides | CampaignsRefusal> {
    const misfit = datesMustFit(campaign, body);
    if (misfit) return misfit;
    if (body.category && body.category_id) {
      return refuse('invalid_payload', 'Only one of .category and .category_id can be given');
    }
    const category = await this.categories.choose(context, body, ids, this.clock.now(context.project));
    if (isRefused(category)) return category;
    const named = body.category !== undefined || body.category_id !== undefined;
    const overrides: VoucherOverrides = {
      category: named ? category : undefined,
      metadata: body.metadata ?? undefined,
      quantity: body.redemption?.quantity,
      additional_info: body.additional_info,
      start_date: body.start_date,
      expiration_date: body.expiration_date,
    };
    const check = await this.metadata.checkOf(context, 'voucher');
    return check(voucherTemplateOf(campaign, overrides).metadata) ?? overrides;
  }

  /** A stream of its own: it never waits for a job of the campaign. */
  private async createOne(
    context: RequestContext,
    ids: IdSource,
    open: OpenCampaign,
    overrides: VoucherOverrides,
    code: string,
  ): Promise<VoucherSnapshot | CampaignsRefusal> {
    const { campaign } = open;
    const id = voucherIdOf(ids);
    const own = { id, code, created_at: this.clock.now(context.project).toISOString() };
    const voucher = voucherOf(voucherTemplateOf(campaign, overrides), own);
    const command = {
      type: 'CreateVoucher' as const,
      voucher,
      code_key: foldCode(code, context.project.caseSensitiveCodes),
      campaign: { ...campaign, vouchers_count: campaign.vouchers_count + 1 },
      addition: true,
    };
    const created = await this.vouchers.execute<VoucherState, CampaignsRefusalKey>({
      context,
      streamId: id,
      eventIds: ids,
      repeated: (state) => state,
      decide: (state) => {
        const events = decideVoucher(command, state);
        const decision = decisionOf<VoucherState, VoucherEvent, VoucherState, CampaignsRefusalKey>(
          voucherAggregate,
          state,
          events,
          (after) => after,
        );
        return events.length === 0 || isRefused(decision)
          ? decision
          : { ...decision, rows: [unchanged(context, open)] };
      },
    });
    return isRefused(created) ? created : created.voucher;
  }
}
