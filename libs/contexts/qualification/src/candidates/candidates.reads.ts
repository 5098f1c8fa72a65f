import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { runQuery } from '@scrip/event-store';
import type { RequestContext } from '@scrip/kernel';
import { StatementValues, type SqlStatement } from '@scrip/list-query';
import type { DataSource } from 'typeorm';
import { type CandidateFilters, filtersSql } from './candidate-filters';
import type { CandidateKind } from './candidate';

/** A place among candidates, the newest first, of one instant the later id first. */
export interface Place {
  readonly created_at: string;
  readonly id: string;
}

/** A candidate that the index found. */
export interface FoundCandidate extends Place {
  readonly kind: CandidateKind;
}

/** Which candidates are asked for. `terms`: those of the request; `after`: goes on behind it; null: from the newest on. */
export interface CandidatesWanted {
  readonly space: string;
  readonly terms: readonly string[];
  readonly kinds: readonly CandidateKind[];
  /** Candidates of every collection are taken. */
  readonly anyCollection: boolean;
  readonly filters: CandidateFilters;
  readonly after: Place | null;
  readonly now: Date;
  readonly limit: number;
}

const columns = {
  category_id: 'coalesce(r.category_id, c.category_id)',
  campaign_id: 'r.campaign_id',
  campaign_type: 'r.campaign_type',
  resource_id: 'r.id',
  resource_type: 'r.kind',
  voucher_type: 'r.voucher_type',
  code: 'r.code',
  holder_role: 'NULL::text',
};

const everyCollection = (project: string, space: string): string =>
  `UNION SELECT term FROM candidate_terms
   WHERE project_id = ${project} AND space = ${space} AND term >= 'collection:' AND term < 'collection;'`;

// Each term is a walk through its own part of the index, which ends after a page: what other requests find costs nothing. The row of
// the campaign has its switch and its dates. With LIMIT 1 the planner looks rows up one by one, and not all of them at once.
/** A page of candidates that have one of the terms. */
export const candidatesStatement = (
  projectId: string,
  { space, terms, kinds, anyCollection, filters, after, now, limit }: CandidatesWanted,
): SqlStatement => {
  const { all, add } = new StatementValues();
  const [project, inSpace] = [add(projectId), add(space)];
  const behind = after
    ? `AND (t.created_at, t.id) < (${add(after.created_at)}::timestamptz, ${add(after.id)}::text)`
    : '';
  const instant = `${add(now.toISOString())}::timestamptz`;
  return {
    text: `SELECT DISTINCT ON (f.created_at, f.id) f.id, f.kind, f.created_at
      FROM (SELECT unnest(${add(terms)}::text[]) ${anyCollection ? everyCollection(project, inSpace) : ''}) AS a(term)
      CROSS JOIN LATERAL (
        SELECT t.id, t.created_at, row.kind FROM candidate_terms t
        CROSS JOIN LATERAL (
          SELECT r.kind FROM candidates r
          LEFT JOIN candidates c ON c.project_id = ${project} AND c.id = r.campaign_id
          WHERE r.project_id = ${project} AND r.id = t.id
            AND r.kind = ANY(${add(kinds)}::text[]) AND coalesce(c.active, true)
            AND coalesce(r.starts_at, c.starts_at, '-infinity') <= ${instant}
            AND coalesce(r.ends_at, c.ends_at, 'infinity') >= ${instant}
            AND ${filtersSql(filters, columns, add)}
          LIMIT 1) row
        WHERE t.project_id = ${project} AND t.space = ${inSpace} AND t.term = a.term ${behind}
        ORDER BY t.created_at DESC, t.id DESC LIMIT ${limit}
      ) f
      ORDER BY f.created_at DESC, f.id DESC LIMIT ${limit}`,
    values: all,
  };
};

/** Terms of one kind that are looked up before a request; of more, all are taken as asked for. */
const askedMax = 200;

const askedOf = (prefix: string): string => `
  (WITH RECURSIVE asked AS (
     (SELECT t.term FROM candidate_terms t
      WHERE t.project_id = $1 AND t.space = $2 AND t.term >= '${prefix}:' AND t.term < '${prefix};'
      ORDER BY t.project_id, t.space, t.term LIMIT 1)
     UNION ALL
     SELECT (SELECT t.term FROM candidate_terms t
       WHERE t.project_id = $1 AND t.space = $2 AND t.term > a.term AND t.term < '${prefix};'
       ORDER BY t.project_id, t.space, t.term LIMIT 1)
     FROM asked a WHERE a.term IS NOT NULL)
   SELECT term FROM asked WHERE term IS NOT NULL LIMIT ${askedMax + 1})`;

// It steps from each term to the next one: as many index probes as there are terms.
/** The segments and collections that candidates of a space are looked up by. */
export const askedStatement = `${askedOf('segment')} UNION ALL ${askedOf('collection')}`;

/** What has to be known of a request before its terms are: ids; null: more than `askedMax`. */
export interface AskedTerms {
  readonly segments: readonly string[] | null;
  readonly collections: readonly string[];
  /** There may be more collections than these. */
  readonly moreCollections: boolean;
}

/** Finds candidates by the index. Source: reference 02 §10. */
@Injectable()
export class CandidateReads {
  constructor(@InjectDataSource('qualification') private readonly dataSource: DataSource) {}

  /** A page, the newest first. */
  async find({ project }: RequestContext, wanted: CandidatesWanted): Promise<FoundCandidate[]> {
    const { text, values } = candidatesStatement(project.id, wanted);
    const rows = await runQuery<Omit<FoundCandidate, 'created_at'> & { created_at: Date }>(
      this.dataSource,
      text,
      values,
    );
    return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
  }

  async asked({ project }: RequestContext, space: string): Promise<AskedTerms> {
    const rows = await runQuery<{ term: string }>(this.dataSource, askedStatement, [project.id, space]);
    const idsOf = (prefix: string): string[] =>
      rows.flatMap(({ term }) => (term.startsWith(prefix) ? [term.slice(prefix.length)] : []));
    const [segments, collections] = [idsOf('segment:'), idsOf('collection:')];
    return {
      segments: segments.length > askedMax ? null : segments,
      collections: collections.slice(0, askedMax),
      moreCollections: collections.length > askedMax,
    };
  }
}
