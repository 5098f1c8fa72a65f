import { type RowChange, runQuery, UniqueViolation } from '@scrip/event-store';
import type { DataSource } from 'typeorm';

/** What the creation of an object with rules writes with it: `UniqueViolation` where that id was given up. */
export const creationRow = (projectId: string, id: string): RowChange => ({
  insert: 'ruled_creations',
  values: { project_id: projectId, id, given_up: false },
});

/** Whether a creation found that it was given up, or that it happened before. */
export const isSettledCreation = (error: unknown): boolean =>
  error instanceof UniqueViolation && error.constraint === 'ruled_creations_pkey';

/** Which creations of objects with rules came to their end: each happens or is given up, whichever is stored first, and never
 *  both. Source: ADR 114. */
export class RuledCreations {
  constructor(private readonly dataSource: DataSource) {}

  /** Gives up creations that did not happen yet: from then on they fail. Waits for those that are being stored. Returns the ids of
   *  all of these that are given up. */
  async giveUp(projectId: string, ids: readonly string[]): Promise<Set<string>> {
    await runQuery(
      this.dataSource,
      `INSERT INTO ruled_creations (project_id, id, given_up)
         SELECT $1, id, true FROM unnest($2::text[]) AS o(id) ORDER BY id
       ON CONFLICT DO NOTHING`,
      [projectId, [...new Set(ids)]],
    );
    return this.givenUp(projectId, ids);
  }

  /** Those of these ids whose creation was given up. */
  async givenUp(projectId: string, ids: readonly string[]): Promise<Set<string>> {
    const rows = await runQuery<{ id: string }>(
      this.dataSource,
      'SELECT id FROM ruled_creations WHERE project_id = $1 AND id = ANY($2) AND given_up',
      [projectId, ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Which of these objects do not exist and never will. `live`: which of them exist now. */
  async gone(
    projectId: string,
    ids: readonly string[],
    live: (ids: readonly string[]) => Promise<ReadonlySet<string>>,
  ): Promise<string[]> {
    if (ids.length === 0) return [];
    const found = await live(ids);
    const missing = ids.filter((id) => !found.has(id));
    if (missing.length === 0) return [];
    const givenUp = await this.giveUp(projectId, missing);
    // What happened meanwhile exists, unless it was deleted since.
    const happened = missing.filter((id) => !givenUp.has(id));
    const late = happened.length > 0 ? await live(happened) : new Set<string>();
    return missing.filter((id) => !late.has(id));
  }
}
