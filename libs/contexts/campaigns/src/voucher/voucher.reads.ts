import { Injectable } from '@nestjs/common';
import type { VoucherSnapshot } from '@scrip/contracts/campaigns';
import { type BusinessClock, type RequestContext, isRefused } from '@scrip/kernel';
import { type CustomersPort, customersPort } from '@scrip/contracts/customers';
import { MetadataSchemas } from '@scrip/metadata';
import { InjectPort } from '@scrip/rpc';
import { createdCursor, InjectBusinessClock, InjectListReader, type ListReader } from '@scrip/service';
import type { CampaignsRefusal } from '../campaigns.refusals';
import { CurrentCategories } from '../categories/current-categories';
import { customerIdOf } from '../holder/named-customer';
import { Redeemables } from './redeemables';
import { noFilters, type VoucherListQuery, voucherListStatements } from './voucher-list.query';
import { voucherFromRow } from './voucher.aggregate';

/** Reads vouchers as they stand. */
@Injectable()
export class VoucherReads {
  constructor(
    @InjectListReader('campaigns') private readonly lists: ListReader,
    private readonly redeemables: Redeemables,
    private readonly metadata: MetadataSchemas,
    private readonly categories: CurrentCategories,
    @InjectPort(customersPort) private readonly customers: CustomersPort,
    @InjectBusinessClock() private readonly clock: BusinessClock,
  ) {}

  /** By id or code; the id wins. Refuses `not_found`. */
  async find(context: RequestContext, codeOrId: string): Promise<VoucherSnapshot | CampaignsRefusal> {
    const found = await this.redeemables.find(context, codeOrId);
    return isRefused(found) ? found : found.voucher;
  }

  /** A page of vouchers, and how many match. Source: reference 04 §5. */
  async list(
    context: RequestContext,
    query: VoucherListQuery,
  ): Promise<{ vouchers: VoucherSnapshot[]; total: number } | CampaignsRefusal> {
    const { project } = context;
    const cursor = await createdCursor(this.lists, context, query, { tables: ['vouchers'] });
    if (isRefused(cursor)) return cursor;
    const customer = query.customer && (await customerIdOf(this.customers, context, query.customer));
    const typeOf = await this.metadata.typesOf(context, 'voucher', query.filters ?? noFilters);
    const statements = voucherListStatements(
      project,
      { ...query, ...(customer && { customer }) },
      { now: this.clock.now(project), typeOf, cursor },
    );
    if (isRefused(statements)) return statements;
    const { rows, total } = await this.lists.page(context, statements);
    const vouchers = rows.flatMap((row) => voucherFromRow(row)?.voucher ?? []);
    return { vouchers: await this.categories.shown(project.id, vouchers), total };
  }
}
