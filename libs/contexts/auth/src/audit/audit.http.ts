import { Controller, Get, Query } from '@nestjs/common';
import { ContextOf, Ctx, listOf, Operation, Refusals } from '@scrip/edge';
import { isRefused, type RequestContext } from '@scrip/kernel';
import { authRefusals } from '../auth.refusals';
import { AuditQuery } from './audit-list.query';
import { AuditReads } from './audit.reads';
import { renderAuditEntry } from './audit.wire';

/** The audit trail. Source: reference 07 §2.6. */
@Controller('dashboard/api/audit')
@ContextOf('auth')
@Refusals(authRefusals)
export class AuditHttp {
  constructor(private readonly trail: AuditReads) {}

  @Get()
  @Operation({
    id: 'listAuditTrail',
    summary: 'Lists who did what, newest first',
    description:
      'Of the project that X-Scrip-Project names. Owners ask for the whole installation, with users and sign-ins, by `scope`.',
    refuses: ['forbidden', 'invalid_query_params'],
    answers: { 200: { list: 'data', of: 'AuditEntryResponse', counts: ['has_more', 'more_starting_after'] } },
  })
  async list(@Ctx() context: RequestContext, @Query() query: AuditQuery) {
    const page = await this.trail.list(context, query);
    if (isRefused(page)) return page;
    const last = page.entries.at(-1);
    return listOf('data', page.entries.map(renderAuditEntry), {
      has_more: page.hasMore,
      ...(page.hasMore && last ? { more_starting_after: last.id } : {}),
    });
  }
}
