import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { VoucherSnapshot } from '@scrip/contracts/campaigns';
import { type BusinessClock, type RequestContext, isRefused } from '@scrip/kernel';
import { InjectBusinessClock } from '@scrip/service';
import type { DataSource } from 'typeorm';
import type { CampaignsRefusal } from '../campaigns.refusals';
import { Redeemables } from './redeemables';
import { type VoucherListQuery, voucherListStatements } from './voucher-list.query';
import { voucherFromRow } from './voucher.aggregate';

/** Reads vouchers as they stand. */
@Injectable()
export class VoucherReads {
  constructor(
    @InjectDataSource('campaigns') private readonly dataSource: DataSource,
    private readonly redeemables: Redeemables,
    @InjectBusinessClock() private readonly clock: BusinessClock,
  ) {}

  /** By id or code; the id wins. Refuses `not_found`. */
  async find(context: RequestContext, codeOrId: string): Promise<VoucherSnapshot | CampaignsRefusal> {
    const [found] = await this.redeemables.load(context, [codeOrId]);
    if (!found) throw new Error('a voucher was asked for and nothing answered');
    return isRefused(found) ? found : found.voucher;
  }

  /** A page of vouchers, and how many match. Source: reference 04 §5. */
  async list(
    { project }: RequestContext,
    query: VoucherListQuery,
  ): Promise<{ vouchers: VoucherSnapshot[]; total: number } | CampaignsRefusal> {
    const statements = voucherListStatements(project, query, this.clock.now(project));
    if (isRefused(statements)) return statements;
    const { page, count } = statements;
    const [rows, [counted]] = await Promise.all([
      this.dataSource.query<Record<string, unknown>[]>(page.text, page.values),
      this.dataSource.query<{ total: string }[]>(count.text, count.values),
    ]);
    const vouchers = rows.map(voucherFromRow).filter((state) => state !== undefined);
    return { vouchers: vouchers.map(({ voucher }) => voucher), total: Number(counted?.total ?? 0) };
  }
}
