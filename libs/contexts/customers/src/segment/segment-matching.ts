import type { SegmentSnapshot } from '@scrip/contracts/customers';
import { isRefused } from '@scrip/kernel';
import { filtersOf, filtersTogether, locationsOf, type Places, StatementValues } from '@scrip/list-query';
import type { FilterContextNow } from '@scrip/metadata';
import type { DataSource, EntityManager } from 'typeorm';
import { membersRead, type SegmentDocument, segmentFilterSql, segmentPlacesSql } from './segment-filter';

/** A customer to test. */
export interface Candidate {
  id: string;
  doc: SegmentDocument;
}

/** What is tested: segments with a filter, on the project's day at `now`. */
export interface Tested extends FilterContextNow {
  segments: readonly SegmentSnapshot[];
}

/** Returns the candidates' ids with the ids of the segments that each matches, in one statement unless the filters are very
 *  long. The documents are opened by the caller, and what the filters read of them travels as a value of the statement: none
 *  of it is stored by the test. Publications are read from their tables in the same statement. Source: ADR 86, ADR 155. */
export const matchingSegments = async (
  on: DataSource | EntityManager,
  { segments, ...at }: Tested,
  candidates: readonly Candidate[],
): Promise<Map<string, Set<string>>> => {
  const matches = new Map<string, Set<string>>(candidates.map(({ id }) => [id, new Set()]));
  if (candidates.length === 0) return matches;
  const places = await placesOf(on, { segments, ...at }, candidates);
  const tested = { ...at, ...(places && { places }) };
  for (const chunk of filtersTogether(segments)) {
    for (const [id, matched] of await matchingTogether(on, { segments: chunk, ...tested }, candidates))
      for (const segment of matched) matches.get(id)?.add(segment);
  }
  return matches;
};

/** The candidates with no more of their documents than is read. */
const withMembers = (
  candidates: readonly Candidate[],
  members: readonly (keyof SegmentDocument)[],
): Candidate[] =>
  candidates.map(({ id, doc }) => ({
    id,
    doc: Object.fromEntries(members.map((member) => [member, doc[member]])),
  }));

const rowsOf = (documents: string): string =>
  `jsonb_to_recordset(${documents}::jsonb) AS c(id text, doc jsonb)`;

/** The candidates' places, where a filter asks for locations: one more statement, and a call of auth. */
const placesOf = async (
  on: DataSource | EntityManager,
  { segments, placesIn }: Tested,
  candidates: readonly Candidate[],
): Promise<Places | null> => {
  const filters = segments.map(({ filter }) => filter ?? {});
  const locations = filters.flatMap((filter) => locationsOf(filtersOf(filter)));
  if (locations.length === 0) return null;
  const { add, all } = new StatementValues();
  const sql = segmentPlacesSql(
    filters,
    rowsOf(add(JSON.stringify(withMembers(candidates, ['metadata'])))),
    add,
  );
  const rows = sql === null ? [] : await on.query<{ place: string }[]>(sql, all);
  return placesIn(
    rows.map(({ place }) => place),
    locations,
  );
};

const matchingTogether = async (
  on: DataSource | EntityManager,
  { segments, ...at }: Omit<Tested, 'placesIn'>,
  candidates: readonly Candidate[],
): Promise<[id: string, segments: string[]][]> => {
  const { add, all } = new StatementValues();
  const conditions = segments.map(({ id, filter }) => {
    const sql = segmentFilterSql(filter ?? {}, at, add);
    if (isRefused(sql)) throw new Error(`the filter of segment ${id} is refused: ${sql.details}`);
    return `(${sql}) IS TRUE`;
  });
  const documents = add(JSON.stringify(withMembers(candidates, membersRead(conditions.join()))));
  const rows = await on.query<{ id: string; matches: boolean[] }[]>(
    `SELECT c.id, ARRAY[${conditions.join(', ')}] AS matches
     FROM ${rowsOf(documents)}`,
    all,
  );
  return rows.map(({ id, matches }) => [
    id,
    segments.filter((_, index) => matches[index]).map((segment) => segment.id),
  ]);
};

/** Returns the candidates' ids that match one filter, as `matchingSegments` tests them. */
export const matchingDocuments = async (
  on: DataSource | EntityManager,
  { filter, ...at }: FilterContextNow & { filter: SegmentSnapshot['filter'] },
  candidates: readonly Candidate[],
): Promise<Set<string>> => {
  const one = { id: 'filter', filter } as SegmentSnapshot;
  const matching = await matchingSegments(on, { ...at, segments: [one] }, candidates);
  return new Set([...matching].flatMap(([id, segments]) => (segments.has(one.id) ? [id] : [])));
};
