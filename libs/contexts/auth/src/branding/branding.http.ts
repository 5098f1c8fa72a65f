import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ContextOf, Ctx, Ids, listOf, Operation, Refusals } from '@scrip/edge';
import { type IdSource, isRefused, type Refusal, refuse, type RequestContext } from '@scrip/kernel';
import { managementRefusals } from '../auth.refusals';
import type { BrandingChange, BrandingRefusal, StoredBranding } from './branding';
import { BrandingBody, BrandingChangeBody, problemOfBranding } from './branding.dto';
import { BrandingHandlers } from './branding.handlers';
import { type BrandingResponse, renderBranding } from './branding.wire';

type Answer = BrandingResponse | BrandingRefusal | Refusal<'invalid_payload'>;

const answer = (branding: StoredBranding | BrandingRefusal): Answer =>
  isRefused(branding) ? branding : renderBranding(branding);

const refusalOf = (sent: BrandingChange): Refusal<'invalid_payload'> | null => {
  const problem = problemOfBranding(sent);
  return problem === null ? null : refuse('invalid_payload', problem);
};

/** Management of the branding of a project. Source: reference 07 §14. */
@Controller('management/v1/projects/:projectId/branding')
@ContextOf('auth')
@Refusals(managementRefusals)
export class BrandingHttp {
  constructor(private readonly brandings: BrandingHandlers) {}

  @Get()
  @Operation({
    id: 'listBrandings',
    refuses: [],
    summary: 'Shows the branding of a project',
    description: 'One element at most.',
    answers: { 200: { list: 'data', of: 'BrandingResponse', counts: ['total'] } },
  })
  async list(@Ctx() context: RequestContext) {
    const found = await this.brandings.current(context);
    const brandings = found ? [renderBranding(found)] : [];
    return listOf('data', brandings, { total: brandings.length });
  }

  @Post()
  @Operation({
    id: 'createBranding',
    refuses: ['invalid_payload', 'branding_exist'],
    summary: 'Gives a project its branding',
    links: {
      getBranding: { brandingId: '/id' },
      updateBranding: { brandingId: '/id' },
      deleteBranding: { brandingId: '/id' },
    },
    example: {
      brand: { name: 'Shop', website_url: 'https://shop.example.com' },
      address: { street: 'Main Street 1', city: 'Katowice', postal: '40-000', country: 'Poland' },
      contact: { email: 'service@shop.example.com' },
    },
    answers: { 200: 'BrandingResponse' },
  })
  async create(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Body() body: BrandingBody,
  ): Promise<Answer> {
    return refusalOf(body) ?? answer(await this.brandings.create(context, ids, body));
  }

  @Get(':brandingId')
  @Operation({
    id: 'getBranding',
    refuses: [],
    summary: 'Shows a branding',
    answers: { 200: 'BrandingResponse' },
  })
  async get(@Ctx() context: RequestContext, @Param('brandingId') id: string): Promise<Answer> {
    return answer(await this.brandings.find(context, id));
  }

  @Put(':brandingId')
  @Operation({
    id: 'updateBranding',
    refuses: ['invalid_payload'],
    summary: 'Changes a branding',
    description: 'What is not sent stays, also within `brand`, `address` and `contact`.',
    example: { contact: { phone: '+48 32 000 00 00' } },
    answers: { 200: 'BrandingResponse' },
  })
  async update(
    @Ctx() context: RequestContext,
    @Param('brandingId') id: string,
    @Body() body: BrandingChangeBody,
  ): Promise<Answer> {
    return refusalOf(body) ?? answer(await this.brandings.update(context, id, body));
  }

  @Delete(':brandingId')
  @HttpCode(204)
  @Operation({
    id: 'deleteBranding',
    refuses: [],
    summary: 'Takes its branding off a project',
    answers: { 204: null },
  })
  async delete(
    @Ctx() context: RequestContext,
    @Param('brandingId') id: string,
  ): Promise<BrandingRefusal | undefined> {
    return (await this.brandings.delete(context, id)) ?? undefined;
  }
}
