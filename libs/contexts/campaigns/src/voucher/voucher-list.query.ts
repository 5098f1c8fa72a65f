import {
  InstantRange,
  IsCursor,
  IsFilters,
  IsText,
  IsTextList,
  Nested,
  offsetOf,
  orderOf,
  pageQuery,
} from '@scrip/edge';
import { IsOptional } from 'class-validator';
import { type ProjectContext, isRefused } from '@scrip/kernel';
import { foldCode, codeLengthMax } from '../generation/code-config';
import {
  anyCalendar,
  type AddValue,
  behindCreated,
  calendarAt,
  type CreatedCursor,
  type FilterColumns,
  type Filters,
  filterOperators,
  filterSql,
  type ListStatements,
  rangeSql,
  StatementValues,
} from '@scrip/list-query';
import type { MetadataTypes } from '@scrip/metadata-schemas';
import type { CampaignsRefusal } from '../campaigns.refusals';
import { type Branch, branchedListStatements } from './branched-list.query';
import { type Place, ofDefinitions, ofRows, places } from './voucher-filters';

const onAnyDay = { typeOf: () => undefined, calendar: anyCalendar };
const fields = Object.keys({
  ...ofRows({ codeKey: (code) => code, calendar: onAnyDay.calendar }),
  ...ofDefinitions(places.voucher, { now: new Date(0), project: '$1', schema: onAnyDay }),
});

/** Query of GET /v1/vouchers. Source: reference 04 §5. */
export class VoucherListQuery extends pageQuery({
  highestPage: 99,
  orders: ['created_at', 'updated_at', 'code'],
  order: '-created_at',
}) {
  @IsOptional() @IsText({ max: 512 }) category?: string;
  @IsOptional() @IsText({ max: 512 }) campaign_id?: string;
  @IsOptional() @IsText({ max: 512 }) campaign?: string;
  @IsOptional() @IsText({ max: 512 }) customer?: string;
  @IsOptional() @IsText({ max: codeLengthMax }) code?: string;
  @IsOptional() @IsTextList({ max: 100, maxLength: 512 }) ids?: string[];
  @IsOptional() @IsCursor('voucher') starting_after_id?: string;
  @IsOptional() @Nested(() => InstantRange) created_at?: InstantRange;
  @IsOptional() @Nested(() => InstantRange) updated_at?: InstantRange;
  @IsOptional()
  @IsFilters({ fields, operators: filterOperators, bare: ['active', 'redemption_status'] })
  filters?: Filters;
}

const sortedBy = { created_at: 't.created_at', updated_at: 't.updated_at', code: 't.code_key' } as const;

/** The filters of a list without any. */
export const noFilters: Filters = { junction: 'and', fields: {} };

/** The filters on columns of a voucher's own, and those on what its definition may say. */
const parted = ({ junction, fields }: Filters, rows: FilterColumns): Record<'own' | 'shared', Filters> => {
  const entries = Object.entries(fields);
  const part = (own: boolean): Filters => ({
    junction,
    fields: Object.fromEntries(entries.filter(([field]) => Object.hasOwn(rows, field) === own)),
  });
  return { own: part(true), shared: part(false) };
};

/** Conditions of the parameters on columns of a voucher's own. */
const rowConditions = (
  project: ProjectContext,
  query: VoucherListQuery,
  { projectId, add }: { projectId: string; add: AddValue },
): string[] => {
  const where = [`t.project_id = ${projectId}`, 't.deleted_at IS NULL'];
  if (query.code) where.push(`t.code_key = ${add(foldCode(query.code, project.caseSensitiveCodes))}`);
  if (query.ids) where.push(`t.id = ANY(${add(query.ids)})`);
  for (const column of ['created_at', 'updated_at'] as const)
    where.push(...rangeSql(`t.${column}`, query[column] ?? {}, add));
  return where;
};

/** The parameters on what a definition may say, as filters. */
const parameterFilters = ({ campaign_id, category, customer }: VoucherListQuery): Filters => {
  const sent = { campaign_ids: campaign_id, categories: category, holder_id: customer };
  const given = Object.entries(sent).filter(([, value]) => value);
  return {
    junction: 'and',
    fields: Object.fromEntries(given.map(([field, value]) => [field, { $is: [value] }])),
  };
};

/** Filters on both kinds of columns as alternatives that a voucher may fit: one where all of them apply together. */
const alternatives = (own: Filters, shared: Filters): [own: Filters, shared: Filters][] => {
  const either = [own, shared].every(
    ({ junction, fields }) => junction === 'or' && Object.keys(fields).length > 0,
  );
  return either
    ? [
        [own, noFilters],
        [noFilters, shared],
      ]
    : [[own, shared]];
};

const campaignOfName = (project: string, name: string): string =>
  `(SELECT c.id FROM campaigns c WHERE c.project_id = ${project} AND c.name = ${name})`;

/** Campaigns outside of which no voucher fits the filter, by their ids; null where it names none. */
const campaignsOf = ({ junction, fields }: Filters): unknown[] | null => {
  const { $is, $in } = fields['campaign_ids'] ?? {};
  const isAlternative = junction === 'or' && Object.keys(fields).length > 1;
  const named = isAlternative ? undefined : ($is ?? $in);
  return named ? [...new Set(named)] : null;
};

/** What a list reads with; `now`: the project's business time. */
export interface ListedWith {
  now: Date;
  typeOf: MetadataTypes;
  /** The voucher that the page begins behind. */
  cursor?: CreatedCursor | null;
}

/** The statements of a page and of its bounded count; refuses filters whose values do not fit. */
export const voucherListStatements = (
  project: ProjectContext,
  query: VoucherListQuery,
  { now, typeOf, cursor = null }: ListedWith,
): ListStatements | CampaignsRefusal => {
  const values = new StatementValues();
  const { add } = values;
  const { field, descending } = orderOf(query.order);
  const direction = descending ? 'DESC' : 'ASC';
  const nulls = field === 'updated_at' ? ' NULLS LAST' : '';
  const schema = { typeOf, calendar: calendarAt(project, now) };
  const rows = ofRows({
    codeKey: (code) => foldCode(code, project.caseSensitiveCodes),
    calendar: schema.calendar,
  });
  const projectId = add(project.id);
  const row = rowConditions(project, query, { projectId, add }).join(' AND ');
  const ofName = query.campaign ? campaignOfName(projectId, add(query.campaign)) : null;
  const named = ({ campaign, campaignCollation }: Place): string[] =>
    ofName === null ? [] : [`${campaign} = ${ofName} ${campaignCollation}`];
  const parameters = parameterFilters(query);
  const sharedBy = (place: Place, filters: Filters): string | null | CampaignsRefusal => {
    const columns = ofDefinitions(place, { now, project: projectId, schema });
    const parts = named(place);
    for (const one of [parameters, filters].filter(({ fields }) => Object.keys(fields).length > 0)) {
      const sql = filterSql(one, columns, add);
      if (isRefused(sql)) return sql;
      parts.push(sql);
    }
    return parts.length === 0 ? null : parts.join(' AND ');
  };
  const campaignsAmong = (filters: Filters): string | null => {
    if (ofName !== null) return `ARRAY[${ofName}]`;
    const ids = campaignsOf(parameters) ?? campaignsOf(filters);
    return ids && `${add(ids)}::text[]`;
  };
  const { own, shared } = parted(query.filters ?? noFilters, rows);
  const branches: Branch[] = [];
  for (const [ofRow, ofDefinition] of alternatives(own, shared)) {
    const conditions = filterSql(ofRow, rows, add);
    if (isRefused(conditions)) return conditions;
    const [definition, voucher] = [
      sharedBy(places.definition, ofDefinition),
      sharedBy(places.voucher, ofDefinition),
    ];
    if (isRefused(definition)) return definition;
    if (isRefused(voucher)) return voucher;
    branches.push({
      row: `${row} AND ${conditions}`,
      shared:
        definition !== null && voucher !== null
          ? { definition, voucher, campaigns: campaignsAmong(ofDefinition) }
          : null,
    });
  }
  const page = {
    orderBy: `${sortedBy[field]} ${direction}${nulls}, t.id ${direction}`,
    limit: query.limit,
    offset: offsetOf(query),
    behind: cursor && behindCreated(cursor, 't', descending),
  };
  return branchedListStatements(branches, page, { projectId, values: values.all });
};
