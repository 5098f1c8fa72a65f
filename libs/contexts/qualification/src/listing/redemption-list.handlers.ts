import { Injectable } from '@nestjs/common';
import { type CampaignsPort, campaignsPort } from '@scrip/contracts/campaigns';
import { type CustomersPort, customersPort } from '@scrip/contracts/customers';
import type { RedemptionSnapshot } from '@scrip/contracts/qualification';
import { listOf } from '@scrip/edge';
import { notFound, type RequestContext, isRefused, refuse } from '@scrip/kernel';
import { stateOf } from '@scrip/event-store';
import { InjectPort } from '@scrip/rpc';
import { createdCursor, InjectListReader, type ListReader } from '@scrip/service';
import type { QualificationRefusal } from '../qualification.refusals';
import { type RedemptionState, redemptionAggregate } from '../redemption/redemption.aggregate';
import type { RedemptionEntryResponse } from '../redemption/redemption-entry.wire';
import { RedemptionRenderer } from '../redemption/redemption-renderer';
import { renderUses } from '@scrip/wire/campaigns';
import { relatedTo } from './related-redemptions';
import {
  ListRedemptionsQuery,
  listedTables,
  results,
  type VoucherRedemptionsQuery,
} from './redemption-list.query';
import type { VoucherRedemptionsResponse } from './voucher-redemptions.wire';
import { listStatements } from './redemption-list.statements';
import { RedemptionReads } from '../redemption/redemption.reads';

/** An entry of either table: the folded state of a redemption, or a rollback. */
interface Entry {
  redemption: RedemptionState | undefined;
  rollback: RedemptionSnapshot | null;
}

type EntryRow = Record<string, unknown> & Pick<Entry, 'rollback'>;

const entryOf = (row: EntryRow): Entry => ({
  redemption: stateOf(redemptionAggregate, row),
  rollback: row.rollback,
});

const resultsOf = (sent: unknown): string[] | null | QualificationRefusal => {
  if (sent === undefined) return null;
  const list = (Array.isArray(sent) ? sent : [sent]) as string[];
  return list.every((one) => results.includes(one))
    ? list
    : refuse(
        'invalid_query_params',
        `Property .result should be equal to one of the allowed values [ ${results.join(', ')} ]`,
      );
};

/** Lists and reads redemptions, failed redemptions and rollbacks. Source: reference 03 §10. */
@Injectable()
export class RedemptionListHandlers {
  constructor(
    @InjectListReader('qualification') private readonly lists: ListReader,
    @InjectPort(customersPort) private readonly customers: CustomersPort,
    @InjectPort(campaignsPort) private readonly campaigns: CampaignsPort,
    private readonly redemptions: RedemptionReads,
    private readonly renderer: RedemptionRenderer,
  ) {}

  /** A page, newest first unless another order is asked for; `total` counts matches as far as lists count. Ties go by id, so that paging
   *  neither repeats nor skips. Refuses `invalid_query_params`. */
  async list(context: RequestContext, query: ListRedemptionsQuery): Promise<object | QualificationRefusal> {
    const wanted = resultsOf(query.result);
    if (isRefused(wanted)) return wanted;
    const cursor = await createdCursor(this.lists, context, query, { tables: Object.keys(listedTables) });
    if (isRefused(cursor)) return cursor;
    const customerId = query.customer === undefined ? null : await this.customerId(context, query.customer);
    if (query.customer !== undefined && customerId === null) return listOf('redemptions', [], { total: 0 });
    const statements = listStatements(context.project.id, query, { results: wanted, customerId, cursor });
    if (isRefused(statements)) return statements;
    const { rows, total } = await this.lists.page<EntryRow>(context, statements);
    const entries = rows.map(entryOf);
    return listOf('redemptions', await this.render(context, entries), { total });
  }

  /** The entries of a voucher named by code or id, and its uses. Refuses `not_found`. */
  async ofVoucher(
    context: RequestContext,
    codeOrId: string,
    { order, page, limit }: VoucherRedemptionsQuery,
  ): Promise<VoucherRedemptionsResponse | QualificationRefusal> {
    const [found] = await this.campaigns.load(context, { objects: [codeOrId] });
    if (!found || isRefused(found)) return notFound('voucher', codeOrId);
    const { voucher } = found;
    const query = Object.assign(new ListRedemptionsQuery(), { order, page, limit });
    const of = { results: null, customerId: null, objectId: voucher.id };
    const statements = listStatements(context.project.id, query, of);
    if (isRefused(statements)) return statements;
    const { rows, total } = await this.lists.page<EntryRow>(context, statements);
    const redemption_entries = await this.render(context, rows.map(entryOf));
    return { ...renderUses(voucher), data_ref: 'redemption_entries', total, redemption_entries };
  }

  /** One entry by its id, whatever its kind. Refuses `not_found`. */
  async read(context: RequestContext, id: string): Promise<object | QualificationRefusal> {
    const redemption = /^rrf?_/.test(id) ? null : await this.redemptions.redemption(context, id);
    const rollback = redemption ? null : await this.redemptions.rollback(context, id);
    const entry = redemption?.redemption ?? rollback;
    if (!entry) {
      return notFound('redemption', id);
    }
    const customer = await this.redemptions.customerOf(context, entry);
    return this.renderer.render(context.project, entry, {
      customer,
      related: redemption ? relatedTo(redemption, { withMode: true }) : undefined,
    });
  }

  private async render(context: RequestContext, rows: readonly Entry[]): Promise<RedemptionEntryResponse[]> {
    const entries = rows.map(({ redemption, rollback }) => redemption?.redemption ?? rollback!);
    const customers = await this.redemptions.customersOf(context, entries);
    return rows.map(({ redemption, rollback }) => {
      const entry = redemption?.redemption ?? rollback!;
      return this.renderer.render(context.project, entry, {
        customer: customers.get(entry.customer_id ?? '') ?? null,
        related: redemption ? relatedTo(redemption, { withMode: false }) : undefined,
        briefly: true,
      });
    });
  }

  /** Returns the id of the customer that is named by id or source id; null where there is none. */
  private async customerId(context: RequestContext, named: string): Promise<string | null> {
    const [byId] = await this.customers.loadCustomers(context, { ids: [named] });
    if (byId) return byId.id;
    const bySourceId = await this.customers.resolve(context, {
      customer: { source_id: named },
      store: false,
      new_id: '',
    });
    return isRefused(bySourceId) || bySourceId.id === '' ? null : bySourceId.id;
  }
}
