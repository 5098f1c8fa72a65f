import { runQuery } from '@scrip/event-store';
import { onDaysSql, quarterSql } from '@scrip/list-query';
import type { EntityManager } from 'typeorm';
import { type Addition, summedNames } from './summed';

/** An addition to a campaign of a project. */
export type AdditionOf = Addition & { project_id: string };

/** Codes that were made over a definition; `imported`: a voucher that an import gave an amount of its own. */
export interface MadeCodes {
  project_id: string;
  campaign_id: string;
  definition_id: string;
  count: number;
  at: string;
}

/** The amount that an import gave a voucher, in place of that of its definition. */
export interface OwnAmount {
  project_id: string;
  voucher_id: string;
  amount: number;
  at: string;
}

const sums = summedNames.join(', ');

// In the order of keys, as every statement that adds: none waits for another in a circle.
const addSql = `
  INSERT INTO campaign_summaries AS t (project_id, campaign_id, quarter, ${sums})
  SELECT s.project_id, s.campaign_id, ${quarterSql('s.at')},
    ${summedNames.map((name) => `coalesce(sum(s.${name}), 0)`).join(', ')}
  FROM jsonb_to_recordset($1::jsonb) AS s(project_id text, campaign_id text, at timestamptz,
    ${summedNames.map((name) => `${name} numeric`).join(', ')})
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (project_id, campaign_id, quarter) DO UPDATE
    SET ${summedNames.map((name) => `${name} = t.${name} + excluded.${name}`).join(', ')}`;

const amountOf = (template: string): string =>
  `coalesce(${template}->'gift'->>'amount', ${template}->'loyalty_card'->>'points', '0')::numeric`;

// What codes are worth at the beginning is the same in all revisions of their definition.
const madeSql = `
  SELECT s.project_id, s.campaign_id, s.at, s.count AS vouchers_created,
    s.count * coalesce(${amountOf('d.template')}, 0) AS amount_created
  FROM jsonb_to_recordset($1::jsonb) AS s(project_id text, campaign_id text, definition_id text, count int, at text)
  LEFT JOIN voucher_definitions d ON d.project_id = s.project_id AND d.id = s.definition_id AND d.newest`;

const ownSql = `
  SELECT s.project_id, v.campaign_id, s.at, s.amount - ${amountOf('d.template')} AS amount_created
  FROM jsonb_to_recordset($1::jsonb) AS s(project_id text, voucher_id text, amount numeric, at text)
  JOIN vouchers v ON v.project_id = s.project_id AND v.id = s.voucher_id
  JOIN voucher_definitions d ON d.project_id = v.project_id AND d.id = v.definition_id AND d.newest`;

const add = async (manager: EntityManager, rows: readonly object[]): Promise<void> => {
  if (rows.length > 0) await runQuery(manager, addSql, [JSON.stringify(rows)]);
};

/** Adds to the sums of campaigns; a campaign may come more than once. */
export const addToSummaries = (manager: EntityManager, additions: readonly AdditionOf[]): Promise<void> =>
  add(
    manager,
    additions.map(({ sums: added, ...of }) => ({ ...of, ...added })),
  );

/** Adds codes and what they are worth. */
export const addMadeCodes = async (manager: EntityManager, made: readonly MadeCodes[]): Promise<void> => {
  if (made.length > 0) await add(manager, await runQuery<object>(manager, madeSql, [JSON.stringify(made)]));
};

/** Corrects what imported codes are worth by what their rows said. */
export const addOwnAmounts = async (manager: EntityManager, own: readonly OwnAmount[]): Promise<void> => {
  if (own.length > 0) await add(manager, await runQuery<object>(manager, ownSql, [JSON.stringify(own)]));
};

const days = { first: '$3', last: '$4', zone: '$5' };

/** The sums of the campaign $2 in the project $1, from the day $3 to $4 in the time zone $5. */
export const summedSql = `
  SELECT ${summedNames.map((name) => `coalesce(sum(${name}), 0)::text AS ${name}`).join(', ')}
  FROM campaign_summaries WHERE project_id = $1 AND campaign_id = $2 AND ${onDaysSql('quarter', days)}`;
