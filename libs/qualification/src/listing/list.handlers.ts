import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type CustomersPort, type RedemptionSnapshot, customersPort } from '@scrip/contracts';
import { listOf, offsetOf, orderOf } from '@scrip/edge';
import { type Refusal, type RequestContext, isRefused, refuse } from '@scrip/kernel';
import { defaultStackingSettings } from '@scrip/order-calculation';
import { InjectPort } from '@scrip/rpc';
import type { DataSource } from 'typeorm';
import type { RedemptionState } from '../redemption/redemption.aggregate';
import { RedemptionRenderer } from '../redemption/redemption-renderer';
import { Values, filterCondition } from './list-conditions';
import { type ListRedemptionsQuery, results } from './list-query';
import { RedemptionReader, relatedTo } from './redemption-reader';

/** A row of either table: the folded state of a redemption, or a rollback. */
interface Row {
  redemption: RedemptionState | null;
  rollback: RedemptionSnapshot | null;
}

const resultsOf = (sent: unknown): string[] | null | Refusal => {
  if (sent === undefined) return null;
  const list = (Array.isArray(sent) ? sent : [sent]) as string[];
  return list.every((one) => results.includes(one))
    ? list
    : refuse(
        'invalid_query_params',
        `Property .result should be equal to one of the allowed values [ ${results.join(', ')} ]`,
      );
};

const bothTables = (conditions: string): string => `
  SELECT id, created_at, voucher_code, tracking_id, customer_id, state AS redemption, NULL::jsonb AS rollback
  FROM redemptions WHERE ${conditions}
  UNION ALL
  SELECT id, created_at, voucher_code, tracking_id, customer_id, NULL::jsonb, state
  FROM rollbacks WHERE ${conditions}`;

/** Lists and reads redemptions, failed attempts and rollbacks. Source: spec 03 §10. */
@Injectable()
export class ListHandlers {
  constructor(
    @InjectDataSource('qualification') private readonly dataSource: DataSource,
    @InjectPort(customersPort) private readonly customers: CustomersPort,
    private readonly reader: RedemptionReader,
    private readonly renderer: RedemptionRenderer,
  ) {}

  /** A page, newest first unless another order is asked for; `total` counts all matches. Ties go by id, so that paging
   *  neither repeats nor skips. Refuses `invalid_query_params`. */
  async list(context: RequestContext, query: ListRedemptionsQuery): Promise<object | Refusal> {
    const wanted = resultsOf(query.result);
    if (isRefused(wanted)) return wanted;
    const customerId = query.customer === undefined ? null : await this.customerId(context, query.customer);
    if (query.customer !== undefined && customerId === null) return listOf('redemptions', [], { total: 0 });
    const values = new Values();
    const conditions = [
      `project_id = ${values.add(context.project.id)}`,
      wanted && `result = ANY(${values.add(wanted)}::text[])`,
      query.campaign !== undefined && `campaign_name = ${values.add(query.campaign)}`,
      customerId !== null && `customer_id = ${values.add(customerId)}`,
      query.created_at?.before !== undefined &&
        `created_at < ${values.add(query.created_at.before)}::timestamptz`,
      query.created_at?.after !== undefined &&
        `created_at > ${values.add(query.created_at.after)}::timestamptz`,
      query.filters && filterCondition(query.filters, values),
    ]
      .filter((condition) => typeof condition === 'string')
      .join(' AND ');
    const [entries, total] = await Promise.all([
      this.page(conditions, values.all, query),
      this.count(conditions, values.all),
    ]);
    return listOf('redemptions', await this.render(context, entries), { total });
  }

  /** One entry by its id, whatever its kind. Refuses `not_found`. */
  async read(context: RequestContext, id: string): Promise<object | Refusal> {
    const redemption = /^rrf?_/.test(id) ? null : await this.reader.redemption(context, id);
    const rollback = redemption ? null : await this.reader.rollback(context, id);
    const entry = redemption?.redemption ?? rollback;
    if (!entry) {
      return refuse('not_found', `Cannot find redemption with id ${id}`, {
        resourceId: id,
        resourceType: 'redemption',
      });
    }
    const customer = await this.reader.customerOf(context, entry);
    const mode = defaultStackingSettings.redeemables_rollback_order_mode;
    return this.renderer.render(context.project, entry, {
      customer,
      related: redemption ? relatedTo(redemption, mode) : undefined,
    });
  }

  private async page(
    conditions: string,
    values: readonly unknown[],
    query: ListRedemptionsQuery,
  ): Promise<Row[]> {
    const { field, descending } = orderOf(query.order);
    const direction = descending ? 'DESC' : 'ASC';
    return this.dataSource.query<Row[]>(
      `SELECT redemption, rollback FROM (${bothTables(conditions)}) entries
       ORDER BY ${field} ${direction}, id ${direction}
       LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
      [...values, query.limit, offsetOf(query)],
    );
  }

  private async count(conditions: string, values: readonly unknown[]): Promise<number> {
    const [row] = await this.dataSource.query<{ total: number }[]>(
      `SELECT ((SELECT count(*) FROM redemptions WHERE ${conditions})
             + (SELECT count(*) FROM rollbacks WHERE ${conditions}))::int AS total`,
      [...values],
    );
    return row?.total ?? 0;
  }

  private async render(context: RequestContext, rows: readonly Row[]): Promise<object[]> {
    const entries = rows.map(({ redemption, rollback }) => redemption?.redemption ?? rollback!);
    const customers = await this.reader.customersOf(context, entries);
    return rows.map(({ redemption, rollback }) => {
      const entry = redemption?.redemption ?? rollback!;
      return this.renderer.render(context.project, entry, {
        customer: customers.get(entry.customer_id ?? '') ?? null,
        related: redemption ? relatedTo(redemption, null) : undefined,
        briefly: true,
      });
    });
  }

  /** Who is named by id or by source id; null for nobody. */
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
