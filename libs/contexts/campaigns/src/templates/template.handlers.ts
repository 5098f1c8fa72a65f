import { Injectable } from '@nestjs/common';
import { type AuthPort, authPort } from '@scrip/contracts/auth';
import type {
  CampaignTemplateEvent,
  CampaignTemplateSnapshot,
  KeptResources,
} from '@scrip/contracts/campaigns';
import { type PromotionsPort, promotionsPort } from '@scrip/contracts/promotions';
import {
  type QualificationPort,
  qualificationPort,
  type RuleDefinition,
} from '@scrip/contracts/qualification';
import { type AggregateStore, decisionOf, type EventStore, InjectEventStore } from '@scrip/event-store';
import { type BusinessClock, type IdSource, isRefused, type RequestContext, refuse } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import { InjectBusinessClock } from '@scrip/service';
import { CampaignReads } from '../campaign/campaign.reads';
import type { CampaignsRefusal } from '../campaigns.refusals';
import { resolveCodeConfig } from '../generation/code-config';
import { templateAggregate } from './template.aggregate';
import {
  decideTemplate,
  type TemplateCommand,
  templateNotFound,
  type TemplateState,
} from './template.decider';
import type { CopyTemplateBody, CreateTemplateBody, UpdateTemplateBody } from './template.dto';
import { keptRules } from './kept-rules';
import { contentOfCampaign, contentOfTier, type KeptContent } from './template-content';
import { TemplateResources } from './template-resources';

type Answer = CampaignTemplateSnapshot | CampaignsRefusal;
type Source = { id: string; object: 'campaign' | 'promotion_tier' };
type Kept = KeptContent & { rules: RuleDefinition[]; resources: KeptResources; source: Source };

/** Creates, names and deletes templates. Source: reference 04 §12. */
@Injectable()
export class TemplateHandlers {
  private readonly templates: AggregateStore<TemplateState, CampaignTemplateEvent>;

  constructor(
    @InjectEventStore('campaigns') store: EventStore,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    @InjectPort(authPort) private readonly auth: AuthPort,
    @InjectPort(promotionsPort) private readonly promotions: PromotionsPort,
    @InjectPort(qualificationPort) private readonly qualification: QualificationPort,
    private readonly campaigns: CampaignReads,
    private readonly resources: TemplateResources,
  ) {
    this.templates = store.aggregate(templateAggregate);
  }

  /** Keeps what the source is now. Repeated under the same ids, answers the template as it is. Refuses `invalid_payload` unless one
   *  source with rules that can be kept is named, `not_found`, `campaign_type_is_not_supported_by_campaign_template`, `invalid_campaign` and
   *  `duplicate_found`. Throws `Fault` where the owner of tiers or of rules does not answer. */
  async create(context: RequestContext, ids: IdSource, body: CreateTemplateBody): Promise<Answer> {
    const id = ids.next('camp_tpl_', 'campaign-template');
    const stored = await this.templates.load(context.project.id, id);
    if (stored) return stored.state.template;
    const kept = await this.kept(context, body);
    if (isRefused(kept)) return kept;
    const { source, ...content } = kept;
    const named = { id, name: body.name, description: body.description ?? null };
    const template = { ...named, ...content, created_at: this.now(context), updated_at: null };
    return this.execute(context, { type: 'CreateTemplate', template, source }, id);
  }

  /** Copies a template of the project of the call into another one or the same, where it is as new. Repeated under the same ids, answers
   *  the copy as it is. Refuses `not_found`, `duplicate_found`, and of users in sessions as `loadManagedProject` does. */
  async copy(context: RequestContext, ids: IdSource, id: string, copy: CopyTemplateBody): Promise<Answer> {
    const copyId = ids.next('camp_tpl_', 'campaign-template');
    const original = await this.templates.load(context.project.id, id);
    if (!original || original.state.deleted) return templateNotFound(id);
    const { destination_project_id: project_id } = copy;
    const project = await this.auth.loadManagedProject(context, { project_id });
    if (isRefused(project)) return project;
    const template = {
      ...original.state.template,
      ...{ id: copyId, name: copy.name, description: copy.description ?? null },
      ...{ created_at: this.clock.now(project).toISOString(), updated_at: null },
    };
    const source = { id, object: 'campaign_template', project_id: context.project.id } as const;
    return this.execute({ ...context, project }, { type: 'CreateTemplate', template, source }, copyId);
  }

  /** Refuses `not_found`, `invalid_payload` for a name that is null and `duplicate_found`. */
  async update(context: RequestContext, id: string, body: UpdateTemplateBody): Promise<Answer> {
    const { name, description } = body;
    if (name === null) return refuse('invalid_payload', 'Property .name must be string');
    const change = {
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
    };
    return this.execute(context, { type: 'UpdateTemplate', id, ...change, now: this.now(context) }, id);
  }

  /** Deletes a template for good. Refuses `not_found`. */
  delete(context: RequestContext, id: string): Promise<Answer> {
    return this.execute(context, { type: 'DeleteTemplate', id }, id);
  }

  private execute(context: RequestContext, command: TemplateCommand, id: string): Promise<Answer> {
    return this.templates.execute<CampaignTemplateSnapshot, 'not_found' | 'duplicate_found'>({
      context,
      streamId: id,
      decide: (state) =>
        decisionOf(templateAggregate, state, decideTemplate(command, state), ({ template }) => template),
    });
  }

  private async kept(
    context: RequestContext,
    { campaign_id, promotion_tier_id }: CreateTemplateBody,
  ): Promise<Kept | CampaignsRefusal> {
    if (Boolean(campaign_id) === Boolean(promotion_tier_id)) {
      return refuse('invalid_payload', 'Exactly one of .campaign_id and .promotion_tier_id must be given');
    }
    return campaign_id
      ? this.ofCampaign(context, campaign_id)
      : this.ofTier(context, promotion_tier_id as string);
  }

  private async ofCampaign(context: RequestContext, idOrName: string) {
    const campaign = await this.campaigns.find(context, idOrName);
    if (isRefused(campaign)) return campaign;
    const source = { id: campaign.id, object: 'campaign' } as const;
    return this.withRules(context, source, contentOfCampaign(campaign));
  }

  private async ofTier(context: RequestContext, id: string) {
    const tier = await this.promotions.loadTier(context, { id });
    if (isRefused(tier)) return tier;
    const codes = resolveCodeConfig({}, context.project.codeCharset);
    if (isRefused(codes)) return codes;
    const source = { id, object: 'promotion_tier' } as const;
    return this.withRules(context, source, contentOfTier(tier, codes));
  }

  /** With the source's own rules, not those of a tier's campaign, and what they name. */
  private async withRules(
    context: RequestContext,
    source: Source,
    content: KeptContent | CampaignsRefusal,
  ): Promise<Kept | CampaignsRefusal> {
    if (isRefused(content)) return content;
    const loaded = await this.qualification.loadRulesOf(context, { object: source.id });
    const rules = keptRules(loaded, source.object === 'campaign' ? '.campaign_id' : '.promotion_tier_id');
    if (isRefused(rules)) return rules;
    const resources = await this.resources.keep(context, { ...content, rules });
    return isRefused(resources) ? resources : { ...content, rules, resources, source };
  }

  private now({ project }: RequestContext): string {
    return this.clock.now(project).toISOString();
  }
}
