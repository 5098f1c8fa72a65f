import { Inject, Injectable } from '@nestjs/common';
import type { VoucherSnapshot } from '@scrip/contracts/campaigns';
import { type CustomersPort, customersPort } from '@scrip/contracts/customers';
import type { ExportField, ExportParameters } from '@scrip/contracts/operations';
import {
  assignmentsPerAnswer,
  assignmentsShown,
  type QualificationPort,
  qualificationPort,
} from '@scrip/contracts/qualification';
import { orderOf } from '@scrip/edge';
import { type ExportKind, exportCondition } from '@scrip/exports';
import { type BusinessClock, isRefused, type RequestContext } from '@scrip/kernel';
import { calendarAt, StatementValues } from '@scrip/list-query';
import type { MetadataTypes } from '@scrip/metadata-schemas';
import { InjectPort } from '@scrip/rpc';
import { InjectBusinessClock } from '@scrip/service';
import type { AssetIds, VoucherAssets } from '@scrip/wire/campaigns';
import { ASSET_IDS } from '../assets/asset-ids.provider';
import { CurrentCategories } from '../categories/current-categories';
import { foldCode } from '../generation/code-config';
import { voucherColumns, voucherFromRow, voucherSource } from '../voucher/voucher.aggregate';
import { ofDefinitions, ofRows, type Place } from '../voucher/voucher-filters';

/** What a line is made of. */
interface ExportedVoucher {
  voucher: VoucherSnapshot;
  assets: VoucherAssets;
  customer_source_id: string | null;
  /** Of the rules that the voucher obeys: its own, then its campaign's. Read where they are asked for. */
  rules: string[];
}

/** What a voucher says itself, else what its definition says. */
const own: Place = {
  document: '(coalesce(t.filterable, d.template))',
  campaign: 't.campaign_id',
  campaignCollation: 'COLLATE "C"',
  start: `(coalesce(t.filterable, d.template)->>'start_date')::timestamptz`,
  expiration: `(coalesce(t.filterable, d.template)->>'expiration_date')::timestamptz`,
  hasTimeframe: `coalesce(t.filterable, d.template)->'validity_timeframe' <> 'null'`,
};

const sorts: Readonly<Record<string, string>> = {
  created_at: 't.created_at',
  updated_at: 't.updated_at',
  code: 't.code_key',
};

/** Objects that one call asks about: an answer has all assignments that these can show. */
const objectsPerCall = assignmentsPerAnswer / assignmentsShown;

const major = (minor: number | undefined): string | null =>
  minor === undefined ? null : (minor / 100).toFixed(2);

/** What a voucher is worth: money in major units with two decimals; percent, units and points as they are.
 *  Source: reference 07 §12. */
const valueOf = ({ discount, gift, loyalty_card }: VoucherSnapshot): string | number | null => {
  if (gift) return major(gift.amount);
  if (loyalty_card) return loyalty_card.points;
  switch (discount?.type) {
    case 'AMOUNT':
      return major(discount.amount_off);
    case 'FIXED':
      return major(discount.fixed_amount);
    case 'PERCENT':
      return discount.percent_off;
    case 'UNIT':
      return discount.unit_off ?? null;
    default:
      return null;
  }
};

const formulaOf = ({ discount }: VoucherSnapshot): string | undefined => {
  switch (discount?.type) {
    case 'AMOUNT':
      return discount.amount_off_formula;
    case 'FIXED':
      return discount.fixed_amount_formula;
    case 'PERCENT':
      return discount.percent_off_formula;
    case 'UNIT':
      return discount.unit_off_formula;
    default:
      return undefined;
  }
};

const unitOf = ({ discount }: VoucherSnapshot) => (discount?.type === 'UNIT' ? discount : undefined);

/** What the rules of a voucher are assigned to. */
const objectsOf = ({ id, campaign_id }: VoucherSnapshot): string[] =>
  campaign_id === null ? [id] : [id, campaign_id];

type Cells = Record<ExportField<'voucher'>, (item: ExportedVoucher) => unknown>;

/** Vouchers, as GET /v1/vouchers shows them. Source: reference 07 §12. */
@Injectable()
export class VoucherExport implements ExportKind<Record<string, unknown>, ExportedVoucher> {
  readonly kind = 'voucher';
  readonly metadataSchema = 'voucher';

  constructor(
    @Inject(ASSET_IDS) private readonly assets: AssetIds,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    @InjectPort(customersPort) private readonly customers: CustomersPort,
    @InjectPort(qualificationPort) private readonly qualification: QualificationPort,
    private readonly categories: CurrentCategories,
  ) {}

  statement({ project }: RequestContext, parameters: ExportParameters, typeOf: MetadataTypes) {
    const { add, all } = new StatementValues();
    const projectId = add(project.id);
    const where = [`t.project_id = ${projectId}`, 't.deleted_at IS NULL'];
    if (parameters.campaign_id !== undefined) where.push(`t.campaign_id = ${add(parameters.campaign_id)}`);
    const now = this.clock.now(project);
    const calendar = calendarAt(project, now);
    const columns = {
      ...ofRows({ codeKey: (code) => foldCode(code, project.caseSensitiveCodes), calendar }),
      ...ofDefinitions(own, { now, project: projectId, schema: { typeOf, calendar } }),
    };
    const filter = exportCondition(parameters, columns, add);
    if (isRefused(filter)) return filter;
    const { field, descending } = orderOf(parameters.order);
    const direction = descending ? 'DESC' : 'ASC';
    const nulls = field === 'updated_at' ? ' NULLS LAST' : '';
    const text = `SELECT ${voucherColumns} FROM ${voucherSource} WHERE ${[...where, filter].join(' AND ')}
      ORDER BY ${sorts[field]} ${direction}${nulls}, t.id ${direction}`;
    return { text, values: all };
  }

  async open(
    context: RequestContext,
    rows: readonly Record<string, unknown>[],
    { fields }: ExportParameters,
  ): Promise<ExportedVoucher[]> {
    const stored = rows.flatMap((row) => voucherFromRow(row)?.voucher ?? []);
    const vouchers = await this.categories.shown(context.project.id, stored);
    const names = fields.includes('customer_source_id')
      ? await this.sourceIdsOf(context, vouchers)
      : new Map<string, string | null>();
    const rules = fields.includes('validation_rules_id') ? await this.rulesOf(context, vouchers) : new Map();
    return vouchers.map((voucher) => ({
      voucher,
      assets: this.assets.of(context.project.id, voucher.code),
      customer_source_id: names.get(voucher.holder_id ?? '') ?? null,
      rules: objectsOf(voucher).flatMap((object) => rules.get(object) ?? []),
    }));
  }

  readonly cells: Cells = {
    code: ({ voucher }) => voucher.code,
    voucher_type: ({ voucher }) => voucher.type,
    value: ({ voucher }) => valueOf(voucher),
    formula: ({ voucher }) => formulaOf(voucher),
    discount_type: ({ voucher }) => voucher.discount?.type,
    campaign: ({ voucher }) => voucher.campaign,
    category: ({ voucher }) => voucher.category,
    start_date: ({ voucher }) => voucher.start_date,
    expiration_date: ({ voucher }) => voucher.expiration_date,
    gift_balance: ({ voucher }) => voucher.gift?.balance,
    loyalty_balance: ({ voucher }) => voucher.loyalty_card?.balance,
    redemption_quantity: ({ voucher }) => voucher.redemption.quantity,
    redemption_count: ({ voucher }) => voucher.redemption.redeemed_quantity,
    active: ({ voucher }) => voucher.active,
    qr_code: ({ assets }) => assets.qr.url,
    bar_code: ({ assets }) => assets.barcode.url,
    id: ({ voucher }) => voucher.id,
    is_referral_code: ({ voucher }) => voucher.is_referral_code,
    created_at: ({ voucher }) => voucher.created_at,
    updated_at: ({ voucher }) => voucher.updated_at,
    validity_timeframe_interval: ({ voucher }) => voucher.validity_timeframe?.interval,
    validity_timeframe_duration: ({ voucher }) => voucher.validity_timeframe?.duration,
    validity_day_of_week: ({ voucher }) => voucher.validity_day_of_week,
    discount_amount_limit: ({ voucher: { discount } }) =>
      discount?.type === 'PERCENT' ? discount.amount_limit : null,
    campaign_id: ({ voucher }) => voucher.campaign_id,
    additional_info: ({ voucher }) => voucher.additional_info,
    customer_id: ({ voucher }) => voucher.holder_id,
    discount_effect: ({ voucher }) => voucher.discount?.effect,
    discount_unit_type: ({ voucher }) => unitOf(voucher)?.unit_type,
    discount_unit_effect: ({ voucher }) => unitOf(voucher)?.effect,
    customer_source_id: ({ customer_source_id }) => customer_source_id,
    validation_rules_id: ({ rules }) => (rules.length > 0 ? [...new Set(rules)] : null),
  };

  metadataOf = ({ voucher }: ExportedVoucher) => voucher.metadata;

  private async sourceIdsOf(
    context: RequestContext,
    vouchers: readonly VoucherSnapshot[],
  ): Promise<Map<string, string | null>> {
    const ids = [...new Set(vouchers.flatMap(({ holder_id }) => holder_id ?? []))];
    const holders = ids.length === 0 ? [] : await this.customers.loadCustomers(context, { ids });
    return new Map(holders.map(({ id, source_id }) => [id, source_id]));
  }

  private async rulesOf(
    context: RequestContext,
    vouchers: readonly VoucherSnapshot[],
  ): Promise<Map<string, string[]>> {
    const objects = [...new Set(vouchers.flatMap(objectsOf))];
    const rules = new Map<string, string[]>();
    for (let from = 0; from < objects.length; from += objectsPerCall) {
      const { lists } = await this.qualification.assignmentsOf(context, {
        objects: objects.slice(from, from + objectsPerCall),
      });
      for (const { object_id, assignments } of lists)
        rules.set(
          object_id,
          assignments.map(({ rule_id }) => rule_id),
        );
    }
    return rules;
  }
}
