import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { CampaignEvent, CampaignSnapshot, VoucherEvent } from '@scrip/contracts/campaigns';
import type { TaskEvent } from '@scrip/contracts/operations';
import {
  type AggregateStore,
  EventStore,
  InjectEventStore,
  UniqueViolation,
  runQuery,
} from '@scrip/event-store';
import { creationRow, isSettledCreation, RulesOfBodies } from '@scrip/incentives/rules';
import {
  type BusinessClock,
  type IdSource,
  type Refusal,
  type RequestContext,
  isRefused,
  refuse,
} from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import { InjectBusinessClock } from '@scrip/service';
import { TaskJobs, type TaskState } from '@scrip/tasks';
import type { DataSource } from 'typeorm';
import type { CampaignsRefusal } from '../campaigns.refusals';
import { Categories } from '../categories/categories.table';
import { isLost } from '../commits/repeating';
import { foldCode } from '../generation/code-config';
import { CodeFinder } from '../generation/code-finder';
import { generationTask } from '../generation/code-order';
import { taskAggregate } from '../tasks/task.aggregate';
import { voucherTemplateOf } from '../voucher/voucher-template';
import { duplicateVoucher, voucherAggregate } from '../voucher/voucher.aggregate';
import { decideVoucher, voucherOf, type VoucherState } from '../voucher/voucher.decider';
import { type CampaignDraft, campaignOf, draftCampaign, draftMustFitCapacity } from './campaign-draft';
import { campaignAggregate, duplicateCampaign } from './campaign.aggregate';
import type { CampaignState } from './campaign.decider';
import type { CreateCampaignBody } from './campaign.dto';
import { CampaignReads } from './campaign.reads';
import { withRewardingCampaign } from './kinds/referral-program';

/** `ruled`: rules were assigned to it before. */
type RuledDraft = CampaignDraft & { ruled: boolean };

/** How often another random code is tried when another call stored the code first, or the same campaign when the
 *  connection is lost: inserting it again under its id waits for the transaction that is still committing it. */
const triesMax = 10;

/** Creates campaigns with their first code, or with a code order. */
@Injectable()
export class CreateCampaign {
  private readonly campaigns: AggregateStore<CampaignState, CampaignEvent>;
  private readonly vouchers: AggregateStore<VoucherState, VoucherEvent>;
  private readonly tasks: AggregateStore<TaskState, TaskEvent>;

  constructor(
    @InjectEventStore('campaigns') store: EventStore,
    @InjectDataSource('campaigns') private readonly dataSource: DataSource,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly categories: Categories,
    private readonly codes: CodeFinder,
    private readonly reads: CampaignReads,
    private readonly jobs: TaskJobs,
    private readonly metadata: MetadataSchemas,
    private readonly rules: RulesOfBodies,
  ) {
    this.campaigns = store.aggregate(campaignAggregate);
    this.vouchers = store.aggregate(voucherAggregate);
    this.tasks = store.aggregate(taskAggregate);
  }

  /** Checks in the order of reference 04 §4.1. Campaign, first voucher and code order are stored together or not at
   *  all. Repeated under the same ids it answers the campaign that exists. Refuses as `draftCampaign`, further
   *  `not_found` (category, rule), `metadata_validation_failed` and `duplicate_found` (name, code). */
  create(
    context: RequestContext,
    ids: IdSource,
    body: CreateCampaignBody,
  ): Promise<CampaignSnapshot | CampaignsRefusal> {
    return this.createDrafted(context, ids, async () => draftCampaign(body, context.project));
  }

  /** As `create`; a repetition does not draft again. Refuses also as `draftIt` does. */
  async createDrafted(
    context: RequestContext,
    ids: IdSource,
    draftIt: () => Promise<CampaignDraft | CampaignsRefusal>,
  ): Promise<CampaignSnapshot | CampaignsRefusal> {
    const id = await this.rules.newId(context, ids, { prefix: 'camp_', kind: 'campaign', ruled: true });
    if (await this.campaigns.load(context.project.id, id)) return this.reads.find(context, id);
    const draft = await this.rewarded(context, await draftIt());
    if (isRefused(draft)) return draft;
    const { body } = draft;
    const now = this.clock.now(context.project);
    const category = await this.categories.choose(context, body, ids, now);
    if (isRefused(category)) return category;
    const rules = body.validation_rules ?? [];
    const { made = [] } = draft;
    const refusal =
      (await this.rules.mustExist(context, rules)) ?? draftMustFitCapacity(draft, context.project);
    if (refusal) return refusal;
    const campaign = campaignOf(draft, { id, category, now: now.toISOString() });
    const schema = campaign.use_voucher_metadata_schema ? 'voucher' : 'campaign';
    const misfit = (await this.metadata.checkOf(context, schema))(campaign.metadata);
    if (misfit) return misfit;
    const beginnings = [{ type: 'campaign' as const, id, campaign_id: null, rules, made }];
    return this.rules.around(context, ids, { created: id, beginnings }, () =>
      this.store(context, ids, { ...draft, ruled: rules.length + made.length > 0 }, campaign),
    );
  }

  /** Refuses `duplicate_found` for the name of a campaign, also one in the bin. Another call may take it right after. */
  async nameMustBeFree(
    { project }: RequestContext,
    name: string,
  ): Promise<Refusal<'duplicate_found'> | null> {
    const [taken] = await runQuery(
      this.dataSource,
      'SELECT 1 FROM campaigns WHERE project_id = $1 AND name = $2',
      [project.id, name],
    );
    return taken ? duplicateCampaign(name) : null;
  }

  /** With the campaign that a referral program rewards with. Refuses `not_found` where there is none. */
  private async rewarded(
    context: RequestContext,
    draft: CampaignDraft | CampaignsRefusal,
  ): Promise<CampaignDraft | CampaignsRefusal> {
    if (isRefused(draft)) return draft;
    const { referral_program: program } = draft.settings;
    if (!program?.referee_reward) return draft;
    const rewarding = await this.reads.find(context, program.referee_reward.related_object_parent.id);
    if (isRefused(rewarding)) return rewarding;
    const referral_program = withRewardingCampaign(program, rewarding);
    return isRefused(referral_program)
      ? referral_program
      : { ...draft, settings: { ...draft.settings, referral_program } };
  }

  private async store(
    context: RequestContext,
    ids: IdSource,
    draft: RuledDraft,
    campaign: CampaignSnapshot,
  ): Promise<CampaignSnapshot | CampaignsRefusal> {
    for (let tries = 1; ; tries += 1) {
      const code = draft.count === 1 ? (draft.code ?? (await this.randomCode(context, draft))) : null;
      if (draft.count === 1 && code === null) return refuse('invalid_code_config', 'No free code is left.');
      try {
        await this.commit(context, ids, draft, campaign, code);
        return campaign;
      } catch (error) {
        if (isLost(error) && tries < triesMax) continue;
        if (!(error instanceof UniqueViolation)) throw error;
        // The end of an earlier try was lost with its connection, and it was a commit.
        if (isSettledCreation(error)) return this.existing(context, campaign.id, error);
        if (error.constraint === 'campaigns_pkey') return this.reads.find(context, campaign.id);
        if (error.constraint === 'campaigns_name') return duplicateCampaign(campaign.name);
        if (error.constraint !== 'vouchers_code_key' || code === null) throw error;
        if (draft.code !== null || tries === triesMax) return duplicateVoucher(code);
      }
    }
  }

  /** What an earlier try stored. Throws where there is nothing: the creation was given up. */
  private async existing(
    context: RequestContext,
    id: string,
    error: UniqueViolation,
  ): Promise<CampaignSnapshot | CampaignsRefusal> {
    const found = await this.reads.find(context, id);
    if (isRefused(found)) throw error;
    return found;
  }

  private async commit(
    context: RequestContext,
    ids: IdSource,
    { voucher: { code_config }, count, ruled }: RuledDraft,
    campaign: CampaignSnapshot,
    code: string | null,
  ): Promise<void> {
    const template = voucherTemplateOf(campaign);
    const now = campaign.created_at;
    const order =
      code === null && count > 1
        ? { campaign, template, ownFields: [], code_config, count, initial: true }
        : null;
    const task = order && generationTask(context, order, ids, now);
    await this.dataSource.transaction(async (manager) => {
      const created = {
        streamId: campaign.id,
        events: [{ type: 'CampaignCreated' as const, data: { campaign } }],
        rows: ruled ? [creationRow(context.project.id, campaign.id)] : [],
      };
      await this.campaigns.createMany(manager, context, [created]);
      if (code !== null) {
        const id = ids.next('v_', 'voucher');
        const code_key = foldCode(code, context.project.caseSensitiveCodes);
        const voucher = voucherOf(template, { id, code, created_at: now });
        const first = { type: 'CreateVoucher' as const, voucher, code_key, campaign, addition: false };
        await this.vouchers.createMany(manager, context, [
          { streamId: id, events: decideVoucher(first, undefined) },
        ]);
      } else if (task) {
        await this.tasks.createMany(manager, context, [task]);
      }
    });
    if (task) await this.jobs.hurry(context, task.events);
  }

  private async randomCode({ project }: RequestContext, { voucher }: CampaignDraft): Promise<string | null> {
    const [found] = await this.codes.find(project, voucher.code_config, 1);
    return found?.code ?? null;
  }
}
