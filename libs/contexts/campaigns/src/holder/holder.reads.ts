import { Injectable } from '@nestjs/common';
import type { HolderSnapshot, RedeemableVoucher } from '@scrip/contracts/campaigns';
import { type CustomersPort, customersPort } from '@scrip/contracts/customers';
import { pageOf } from '@scrip/edge';
import { type BusinessClock, type RequestContext, isRefused, notFound } from '@scrip/kernel';
import { calendarAt } from '@scrip/list-query';
import { InjectPort } from '@scrip/rpc';
import { InjectBusinessClock, InjectListReader, type ListReader } from '@scrip/service';
import type { RedeemableStatus } from '@scrip/wire/campaigns';
import type { CampaignsRefusal } from '../campaigns.refusals';
import { Redeemables } from '../voucher/redeemables';
import { holdersOfCustomer, type RedeemablesOfCustomerQuery } from './redeemables-of-customer.query';
import { type HolderRow, holderOf } from './holder.table';
import { customerNamed } from './named-customer';
import { redeemableStatus } from './redeemable-status';

/** A customer's part in a code, and the code as it is now. */
export interface HeldRedeemable {
  holder: HolderSnapshot;
  voucher: RedeemableVoucher['voucher'];
  status: RedeemableStatus;
}

/** A page of what a customer holds. */
export interface HeldPage {
  held: HeldRedeemable[];
  /** The id that the next page goes on behind; null where this is the last one. */
  next: string | null;
}

/** Reads what customers hold. */
@Injectable()
export class HolderReads {
  constructor(
    @InjectListReader('campaigns') private readonly lists: ListReader,
    @InjectPort(customersPort) private readonly customers: CustomersPort,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly redeemables: Redeemables,
  ) {}

  /** Of a customer named by id or source id. Refuses `not_found`. */
  async ofCustomer(
    context: RequestContext,
    named: string,
    query: RedeemablesOfCustomerQuery,
  ): Promise<HeldPage | CampaignsRefusal> {
    const { project } = context;
    const customer = await customerNamed(this.customers, context, named);
    if (!customer) return notFound('customer', named);
    const now = this.clock.now(project);
    const of = { projectId: project.id, customerId: customer.id };
    const statement = holdersOfCustomer(of, query, calendarAt(project, now));
    if (isRefused(statement)) return statement;
    const rows = await this.lists.rows<HolderRow>(context, statement);
    const { items, hasMore } = pageOf(rows, query.limit);
    const found = await this.redeemables.load(
      context,
      items.map(({ voucher_id }) => voucher_id),
    );
    const held = items.flatMap((row, index) => {
      const one = found[index];
      // It was deleted meanwhile.
      if (!one || isRefused(one)) return [];
      const status = redeemableStatus(one, now);
      return [{ holder: holderOf(row), voucher: one.voucher, status }];
    });
    return { held, next: hasMore ? (items.at(-1)?.id ?? null) : null };
  }
}
