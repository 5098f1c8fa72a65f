import { Injectable } from '@nestjs/common';
import type { CustomerSnapshot } from '@scrip/contracts/customers';
import type { ExportField, ExportParameters } from '@scrip/contracts/operations';
import type { RedemptionSnapshot } from '@scrip/contracts/qualification';
import { orderOf } from '@scrip/edge';
import { stateOf, stateSource } from '@scrip/event-store';
import { type ExportKind, exportCondition } from '@scrip/exports';
import { type BusinessClock, isRefused, type RequestContext } from '@scrip/kernel';
import { calendarAt, type FilterColumns, StatementValues, type TypedMembers } from '@scrip/list-query';
import type { MetadataTypes } from '@scrip/metadata-schemas';
import { InjectBusinessClock } from '@scrip/service';
import { filterFields, results, sortedBy } from '../listing/redemption-list.query';
import { RedemptionReads } from '../redemption/redemption.reads';
import { shownTrackingId, type TrackingIds } from '@scrip/wire/qualification';
import { redemptionAggregate } from '../redemption/redemption.aggregate';
import { InjectTrackingIds } from '../tracking/tracking-id.provider';

/** What a line is made of. */
interface ExportedRedemption {
  entry: RedemptionSnapshot;
  customer: CustomerSnapshot | undefined;
  tracking_id: string | null;
}

type EntryRow = Record<string, unknown> & { rollback: RedemptionSnapshot | null };

const listed = ['id', 'created_at', ...filterFields, 'tracking_id'].join(', ');

const entries = (project: string): string => `(
  SELECT project_id, ${listed}, snapshot_version, snapshot_at, state, NULL::jsonb AS rollback
  FROM redemptions WHERE project_id = ${project}
  UNION ALL
  SELECT project_id, ${listed}, NULL, NULL, NULL, state FROM rollbacks WHERE project_id = ${project}) t`;

/** Fields that the customers are loaded for. */
const personal = ['customer_name', 'customer_source_id', 'tracking_id'] as const;

const metadata = `coalesce(t.rollback->'metadata', t.state->'redemption'->'metadata', (snapshot.data->'redemption'->'metadata')::jsonb)`;

const columnsWith = (schema: TypedMembers): FilterColumns => ({
  ...Object.fromEntries(filterFields.map((field) => [field, { kind: 'text', sql: `t.${field}` }] as const)),
  result: { kind: 'text', sql: 't.result', oneOf: results },
  status: { kind: 'text', sql: 't.result', oneOf: results },
  campaign: { kind: 'text', sql: 't.campaign_name' },
  customer: { kind: 'text', sql: 't.customer_id' },
  voucher: { kind: 'text', sql: 't.voucher_code' },
  created_at: { kind: 'instant', sql: 't.created_at', calendar: schema.calendar },
  'metadata.*': { kind: 'members', sql: metadata, schema },
});

const spent = (type: string, { amount, voucher }: RedemptionSnapshot): number | null =>
  voucher?.type === type ? (amount ?? null) : null;

type Cells = Record<ExportField<'redemption'>, (item: ExportedRedemption) => unknown>;

/** Redemptions, failed ones and rollbacks, as GET /v1/redemptions shows them. Amounts: minor units; of rollbacks, negative what
 *  they gave back. Source: reference 07 §12. */
@Injectable()
export class RedemptionExport implements ExportKind<EntryRow, ExportedRedemption> {
  readonly kind = 'redemption';
  readonly metadataSchema = 'redemption';

  constructor(
    private readonly reads: RedemptionReads,
    @InjectTrackingIds() private readonly tracking: TrackingIds,
    @InjectBusinessClock() private readonly clock: BusinessClock,
  ) {}

  statement({ project }: RequestContext, parameters: ExportParameters, typeOf: MetadataTypes) {
    const schema = { typeOf, calendar: calendarAt(project, this.clock.now(project)) };
    const { add, all } = new StatementValues();
    const { from, columns: selected } = stateSource(redemptionAggregate, entries(add(project.id)));
    const filter = exportCondition(parameters, columnsWith(schema), add);
    if (isRefused(filter)) return filter;
    const { field, descending } = orderOf(parameters.order);
    const direction = descending ? 'DESC' : 'ASC';
    const text = `SELECT ${selected}, t.rollback FROM ${from} WHERE ${filter}
      ORDER BY ${sortedBy(field)} ${direction}, t.id ${direction}`;
    return { text, values: all };
  }

  async open(
    context: RequestContext,
    rows: readonly EntryRow[],
    { fields }: ExportParameters,
  ): Promise<ExportedRedemption[]> {
    const found = rows.flatMap((row) => row.rollback ?? stateOf(redemptionAggregate, row)?.redemption ?? []);
    const namesPeople = personal.some((field) => fields.includes(field));
    const customers = namesPeople
      ? await this.reads.customersOf(context, found)
      : new Map<string, CustomerSnapshot>();
    const encode = (identity: string) => this.tracking.encode(context.project.id, identity);
    return found.map((entry) => {
      const customer = customers.get(entry.customer_id ?? '');
      return { entry, customer, tracking_id: shownTrackingId(entry, customer ?? null, encode) };
    });
  }

  readonly cells: Cells = {
    id: ({ entry }) => entry.id,
    object: ({ entry }) => entry.object,
    date: ({ entry }) => entry.date,
    voucher_code: ({ entry }) => entry.voucher?.code,
    campaign: ({ entry }) => entry.voucher?.campaign ?? entry.promotion_tier?.campaign.name,
    promotion_tier_id: ({ entry }) =>
      entry.related_object_type === 'promotion_tier' ? entry.related_object_id : null,
    customer_id: ({ entry }) => entry.customer_id,
    customer_source_id: ({ customer }) => customer?.source_id,
    customer_name: ({ customer }) => customer?.name,
    tracking_id: ({ tracking_id }) => tracking_id,
    order_id: ({ entry }) => entry.order?.id,
    order_amount: ({ entry }) => entry.order?.amount,
    gift_amount: ({ entry }) => spent('GIFT_VOUCHER', entry),
    loyalty_points: ({ entry }) => spent('LOYALTY_CARD', entry),
    result: ({ entry }) => entry.result,
    failure_code: ({ entry }) => entry.failure_code,
    failure_message: ({ entry }) => entry.failure_message,
  };

  metadataOf = ({ entry }: ExportedRedemption) => entry.metadata;
}
