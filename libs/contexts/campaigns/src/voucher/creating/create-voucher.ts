import { Injectable } from '@nestjs/common';
import type {
  CampaignSnapshot,
  VoucherEvent,
  VoucherSnapshot,
  VoucherTemplate,
} from '@scrip/contracts/campaigns';
import { type AggregateStore, EventStore, InjectEventStore, StaleRow } from '@scrip/event-store';
import { creationRow, RulesOfBodies } from '@scrip/incentives/rules';
import {
  type BusinessClock,
  type IdSource,
  comesAgain,
  isRefused,
  type RequestContext,
  refuse,
} from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import { InjectBusinessClock } from '@scrip/service';
import { campaignNotFound } from '../../campaign/campaign.aggregate';
import { codesMustFitTheCampaign } from '../../campaign/campaign.decider';
import { CampaignReads } from '../../campaign/campaign.reads';
import type { CampaignsRefusal, CampaignsRefusalKey } from '../../campaigns.refusals';
import { Categories } from '../../categories/categories.table';
import { codeMustFit, foldCode, resolveCodeConfig } from '../../generation/code-config';
import { CodeFinder } from '../../generation/code-finder';
import { creationOf } from '../creation';
import { voucherAggregate } from '../voucher.aggregate';
import { createdBefore } from '../created-before';
import { voucherOf, type VoucherState } from '../voucher.decider';
import type { CreateCodedVoucherBody, CreateVoucherBody } from './create-voucher.dto';
import { definedTemplate, draftVoucher, voucherMustFitCampaign } from './voucher-draft';

/** How often another random code is tried when another call stored the code first. */
const triesMax = 10;

/** A voucher without its code. `rules`: that hold for it. */
interface Defined {
  id: string;
  template: VoucherTemplate;
  campaign: CampaignSnapshot | null;
  rules: readonly string[];
}

/** Creates single vouchers with a definition of their own. Source: reference 04 §5. */
@Injectable()
export class CreateVoucher {
  private readonly vouchers: AggregateStore<VoucherState, VoucherEvent>;

  constructor(
    @InjectEventStore('campaigns') store: EventStore,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly campaigns: CampaignReads,
    private readonly categories: Categories,
    private readonly codes: CodeFinder,
    private readonly metadata: MetadataSchemas,
    private readonly rules: RulesOfBodies,
  ) {
    this.vouchers = store.aggregate(voucherAggregate);
  }

  /** With exactly this code. Refuses as `draftVoucher` and `voucherMustFitCampaign`, further `not_found` (campaign,
   *  category, rule), `metadata_validation_failed` and `duplicate_found`. */
  async createCode(
    context: RequestContext,
    ids: IdSource,
    { code, body }: { code: string; body: CreateVoucherBody },
  ): Promise<VoucherSnapshot | CampaignsRefusal> {
    const tooLong = codeMustFit(code);
    if (tooLong) return tooLong;
    const before = await this.createdBefore(context, ids, body);
    if (before) return before;
    const defined = await this.define(context, ids, body, { random: false });
    if (isRefused(defined)) return defined;
    return this.withRules(context, ids, defined, () => this.store(context, ids, defined, code));
  }

  /** With the code that the body gives, else with a random one. Refuses as `createCode`, further `invalid_code_config`
   *  for codes that cannot exist or are all taken. */
  async create(
    context: RequestContext,
    ids: IdSource,
    body: CreateCodedVoucherBody,
  ): Promise<VoucherSnapshot | CampaignsRefusal> {
    if (body.code) return this.createCode(context, ids, { code: body.code, body });
    const config = resolveCodeConfig(body.code_config ?? {}, context.project.codeCharset);
    if (isRefused(config)) return config;
    const before = await this.createdBefore(context, ids, body);
    if (before) return before;
    const defined = await this.define(context, ids, body, { random: true });
    if (isRefused(defined)) return defined;
    return this.withRules(context, ids, defined, async () => {
      for (let tries = 1; ; tries += 1) {
        const [found] = await this.codes.find(context.project, config, 1);
        if (!found) return refuse('invalid_code_config', 'No free code is left.');
        const answer = await this.store(context, ids, defined, found.code);
        if (!isRefused(answer) || answer.refused !== 'duplicate_found' || tries === triesMax) return answer;
      }
    });
  }

  /** Assigns the rules of a voucher before it is created. */
  private withRules(
    context: RequestContext,
    ids: IdSource,
    { id, campaign, rules }: Defined,
    create: () => Promise<VoucherSnapshot | CampaignsRefusal>,
  ): Promise<VoucherSnapshot | CampaignsRefusal> {
    const beginning = { type: 'voucher' as const, id, campaign_id: campaign?.id ?? null, rules };
    return this.rules.around(context, ids, { created: id, beginnings: [beginning] }, create);
  }

  private async define(
    context: RequestContext,
    ids: IdSource,
    body: CreateVoucherBody,
    { random }: { random: boolean },
  ): Promise<Defined | CampaignsRefusal> {
    const draft = draftVoucher(body);
    if (isRefused(draft)) return draft;
    const named = body.campaign_id ?? body.campaign ?? null;
    const campaign = named === null ? null : await this.campaigns.find(context, named);
    if (isRefused(campaign)) return campaign;
    const misfit = campaign && voucherMustFitCampaign(draft, campaign, { random });
    if (misfit) return misfit;
    const full = campaign && random ? codesMustFitTheCampaign(campaign, 1) : null;
    if (full) return full;
    const category = await this.categories.choose(context, body, ids, this.clock.now(context.project));
    if (isRefused(category)) return category;
    const rules = body.validation_rules ?? [];
    const unknownRule = await this.rules.mustExist(context, rules);
    if (unknownRule) return unknownRule;
    const template = definedTemplate(draft, { campaign, category });
    const check = await this.metadata.checkOf(context, 'voucher');
    const misfitting = check(template.metadata);
    if (misfitting) return misfitting;
    return { id: await this.idOf(context, ids, body), template, campaign, rules };
  }

  private idOf(context: RequestContext, ids: IdSource, { validation_rules = [] }: CreateVoucherBody) {
    const under = { prefix: 'v_', kind: 'voucher', ruled: validation_rules.length > 0 } as const;
    return this.rules.newId(context, ids, under);
  }

  private async createdBefore(
    context: RequestContext,
    ids: IdSource,
    body: CreateVoucherBody,
  ): Promise<VoucherSnapshot | CampaignsRefusal | null> {
    if (!comesAgain(ids)) return null;
    return createdBefore(this.vouchers, context, await this.idOf(context, ids, body));
  }

  /** A stream of its own: it never waits for a job of the campaign. */
  private async store(
    context: RequestContext,
    ids: IdSource,
    { id, template, campaign, rules }: Defined,
    code: string,
  ): Promise<VoucherSnapshot | CampaignsRefusal> {
    const created_at = this.clock.now(context.project).toISOString();
    const command = {
      type: 'CreateVoucher' as const,
      voucher: voucherOf(template, { id, code, created_at }),
      code_key: foldCode(code, context.project.caseSensitiveCodes),
      campaign: campaign && { ...campaign, vouchers_count: campaign.vouchers_count + 1 },
      addition: campaign !== null,
    };
    try {
      const created = await this.vouchers.execute<VoucherState, CampaignsRefusalKey>({
        context,
        streamId: id,
        eventIds: ids,
        repeated: (state) => state,
        decide: (state) => {
          const { rows = [], ...decision } = creationOf(context.project.id, command, state);
          const begins = rules.length > 0 && decision.events.length > 0;
          return { ...decision, rows: begins ? [...rows, creationRow(context.project.id, id)] : rows };
        },
      });
      return isRefused(created) ? created : created.voucher;
    } catch (error) {
      // The campaign was deleted since it was found.
      if (error instanceof StaleRow && campaign) return campaignNotFound(campaign.id);
      throw error;
    }
  }
}
