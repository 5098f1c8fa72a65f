import { Injectable } from '@nestjs/common';
import type { HolderSnapshot } from '@scrip/contracts/campaigns';
import { pageOf } from '@scrip/edge';
import { type BusinessClock, type RequestContext, isRefused } from '@scrip/kernel';
import { calendarAt } from '@scrip/list-query';
import { InjectBusinessClock, InjectListReader, type ListReader } from '@scrip/service';
import type { CampaignsRefusal } from '../campaigns.refusals';
import { type HolderListQuery, holderListStatements } from './holders-of-code.query';
import { type HolderRow, holderOf } from './holder.table';
import { type NamedMember, ReferralCodes } from '../referral/referral-codes.reads';

/** A page of holders; `total`: all that match, as far as lists count. */
export interface HolderPage {
  holders: HolderSnapshot[];
  hasMore: boolean;
  total: number;
}

/** Reads the holders of referral codes. */
@Injectable()
export class HolderLists {
  constructor(
    @InjectListReader('campaigns') private readonly lists: ListReader,
    private readonly codes: ReferralCodes,
    @InjectBusinessClock() private readonly clock: BusinessClock,
  ) {}

  /** Those of a code, its referrer among them. Refuses `not_found`, and filters whose values do not fit.
   *  Source: reference 04 §11. */
  async ofCode(
    context: RequestContext,
    named: NamedMember,
    query: HolderListQuery,
  ): Promise<HolderPage | CampaignsRefusal> {
    const code = await this.codes.find(context, named);
    if (isRefused(code)) return code;
    const { project } = context;
    const of = { projectId: project.id, voucherId: code.voucher.id };
    const statements = holderListStatements(of, query, calendarAt(project, this.clock.now(project)));
    if (isRefused(statements)) return statements;
    const rows = await this.lists.rows<HolderRow>(context, statements.page);
    const { items, hasMore } = pageOf(rows, query.limit);
    const holders = items.map(holderOf);
    if (!hasMore && query.starting_after_id === undefined) return { holders, hasMore, total: holders.length };
    const [counted] = await this.lists.rows<{ total: string }>(context, statements.count);
    return { holders, hasMore, total: Number(counted?.total ?? 0) };
  }
}
