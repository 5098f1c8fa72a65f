import { offsetOf, orderOf } from '@scrip/edge';
import { stateSource } from '@scrip/event-store';
import { isRefused } from '@scrip/kernel';
import {
  behindCreated,
  type CreatedCursor,
  type ListStatements,
  rangeSql,
  StatementValues,
  countOf,
  filterSql,
} from '@scrip/list-query';
import type { QualificationRefusal } from '../qualification.refusals';
import { redemptionAggregate } from '../redemption/redemption.aggregate';
import { isOfLiveObject } from './deleted-objects.table';
import {
  type ListRedemptionsQuery,
  filterColumnsOf,
  type listedTables,
  sortedBy,
} from './redemption-list.query';

type Conditions = Record<keyof typeof listedTables, string>;

const bothTables = ({ redemptions, rollbacks }: Conditions, first: string): string => `
  (SELECT project_id, id, created_at, voucher_code, tracking_id, customer_id, snapshot_version, snapshot_at, state,
    NULL::jsonb AS rollback
  FROM redemptions t WHERE ${redemptions} ${first})
  UNION ALL
  (SELECT project_id, id, created_at, voucher_code, tracking_id, customer_id, NULL, NULL, NULL, state
  FROM rollbacks t WHERE ${rollbacks} ${first})`;

/** The statements of a page and of its bounded count. Refuses `invalid_query_params` for filters whose values do not fit.
 *  `results`: known ones, null for all; `objectId`: what was redeemed; `cursor`: the entry that the page begins behind. */
export const listStatements = (
  projectId: string,
  { campaign, created_at, filters, ...query }: ListRedemptionsQuery,
  {
    results,
    customerId,
    objectId = null,
    cursor = null,
  }: {
    results: readonly string[] | null;
    customerId: string | null;
    objectId?: string | null;
    cursor?: CreatedCursor | null;
  },
): ListStatements | QualificationRefusal => {
  const values = new StatementValues();
  const { add } = values;
  const project = add(projectId);
  const common = [
    `project_id = ${project}`,
    isOfLiveObject(project),
    // Not a value: it is what tells the planner that the index of failures serves.
    results && `result IN (${results.map((result) => `'${result}'`).join(', ')})`,
    campaign !== undefined && `campaign_name = ${add(campaign)}`,
    customerId !== null && `customer_id = ${add(customerId)}`,
    objectId !== null && `related_object_id = ${add(objectId)}`,
    ...rangeSql('created_at', created_at ?? {}, add),
  ].filter((condition) => typeof condition === 'string');
  const conditionsOf = (table: keyof Conditions): string | QualificationRefusal => {
    const filter = filters ? filterSql(filters, filterColumnsOf(table), add) : 'true';
    return isRefused(filter) ? filter : [...common, filter].join(' AND ');
  };
  const redemptions = conditionsOf('redemptions');
  if (isRefused(redemptions)) return redemptions;
  const rollbacks = conditionsOf('rollbacks');
  if (isRefused(rollbacks)) return rollbacks;
  const { field, descending } = orderOf(query.order);
  const direction = descending ? 'DESC' : 'ASC';
  const order = `${sortedBy(field)} ${direction}, t.id ${direction}`;
  const { limit } = query;
  const offset = offsetOf(query);
  // Each table gives its first rows in order, by an index; what events hold is read for the rows of the page only.
  const ofPage = new StatementValues(values.all);
  const beyond = cursor ? `AND ${behindCreated(cursor, 't', descending)(ofPage.add)} ` : '';
  const first = `${beyond}ORDER BY ${order} LIMIT ${limit + offset}`;
  const rows = `(
    SELECT * FROM (${bothTables({ redemptions, rollbacks }, first)}) t ORDER BY ${order}
    LIMIT ${limit} OFFSET ${offset}) t`;
  const { from, columns } = stateSource(redemptionAggregate, rows);
  const either = `SELECT 1 FROM redemptions WHERE ${redemptions} UNION ALL SELECT 1 FROM rollbacks WHERE ${rollbacks}`;
  return {
    page: { text: `SELECT ${columns}, t.rollback FROM ${from} ORDER BY ${order}`, values: ofPage.all },
    count: { text: countOf(either), values: values.all },
    limit,
    offset,
    behindCursor: cursor !== null,
  };
};
