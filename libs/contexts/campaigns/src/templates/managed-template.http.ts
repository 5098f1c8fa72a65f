import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ContextOf, Ctx, Ids, Operation, Refusals } from '@scrip/edge';
import { type IdSource, isRefused, type RequestContext } from '@scrip/kernel';
import { campaignsRefusals } from '../campaigns.refusals';
import { CopyTemplateBody } from './template.dto';
import { TemplateHandlers } from './template.handlers';
import { TemplateListQuery } from './template-list.query';
import { TemplateReads } from './template.reads';
import { renderTemplate, renderTemplates, templatesAnswer } from './template.wire';

/** Templates in the management API. Source: reference 07 §14. */
@ContextOf('campaigns')
@Controller('management/v1/projects/:projectId/templates/campaigns')
@Refusals(campaignsRefusals)
export class ManagedTemplateHttp {
  constructor(
    private readonly handlers: TemplateHandlers,
    private readonly reads: TemplateReads,
  ) {}

  @Get()
  @Operation({
    id: 'listManagedCampaignTemplates',
    links: { copyCampaignTemplate: { campaignTemplateId: '/data/0/id' } },
    summary: 'Lists the templates of a project',
    description: 'Oldest first, unless another order is asked for.',
    answers: { 200: templatesAnswer },
  })
  async list(@Ctx() context: RequestContext, @Query() query: TemplateListQuery) {
    const page = await this.reads.list(context, query);
    return isRefused(page) ? page : renderTemplates(page);
  }

  @Post(':campaignTemplateId/copy')
  @HttpCode(200)
  @Operation({
    id: 'copyCampaignTemplate',
    refuses: ['not_found', 'duplicate_found', 'forbidden', 'missing_required_permission'],
    summary: 'Copies a template to another project',
    description:
      'Under a name that is free there. What its rules and discount name is found or created in that project when the copy is used. ' +
      'Users in sessions may change settings in both projects.',
    example: {
      name: 'Spring coupons, copied',
      destination_project_id: 'proj_0190000000007000800000000000abcd',
    },
    answers: { 200: 'CampaignTemplateResponse' },
  })
  async copy(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Param('campaignTemplateId') id: string,
    @Body() body: CopyTemplateBody,
  ) {
    const template = await this.handlers.copy(context, ids, id, body);
    return isRefused(template) ? template : renderTemplate(template);
  }
}
