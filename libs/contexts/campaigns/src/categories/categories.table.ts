import { InjectDataSource } from '@nestjs/typeorm';
import { Injectable } from '@nestjs/common';
import type { CategorySnapshot } from '@scrip/contracts/snapshot';
import { runQuery } from '@scrip/event-store';
import { type IdSource, newId, type Refusal, type RequestContext } from '@scrip/kernel';
import type { CategoryChoice } from '@scrip/incentives';
import type { DataSource, EntityManager } from 'typeorm';
import {
  categoriesMax,
  type CategoryFields,
  categoryNotFound,
  type CategoryRefusal,
  type ChoiceRefusal,
  defaultHierarchy,
  duplicateCategory,
  tooManyCategories,
} from './category';

interface CategoryRow {
  id: string;
  name: string;
  hierarchy: number;
  created_at: Date;
  updated_at: Date | null;
}

const snapshotOf = (row: CategoryRow): CategorySnapshot => ({
  id: row.id,
  name: row.name,
  hierarchy: row.hierarchy,
  object: 'category',
  created_at: row.created_at.toISOString(),
  ...(row.updated_at ? { updated_at: row.updated_at.toISOString() } : {}),
});

const columns = 'id, name, hierarchy, created_at, updated_at';

/** Keeps other calls that name or count categories of a project waiting until the transaction ends. */
const lockCategories = async (manager: EntityManager, projectId: string): Promise<void> => {
  await manager.query(`SELECT pg_advisory_xact_lock(hashtext('scrip.categories'), hashtext($1))`, [
    projectId,
  ]);
};

/** Categories of campaigns, vouchers and promotions: plain records. Source: reference 04 §9. */
@Injectable()
export class Categories {
  constructor(@InjectDataSource('campaigns') private readonly dataSource: DataSource) {}

  /** The category that a caller names; null when none is. A name that is not in use yet becomes a category of its own
   *  right, also when the call is refused later. Refuses `not_found` for an unknown id, and `invalid_payload` for a new name
   *  beyond `categoriesMax`. Source: reference 04 §9, §15. */
  choose(
    context: RequestContext,
    choice: CategoryChoice,
    ids: IdSource,
    now: Date,
  ): Promise<CategorySnapshot | ChoiceRefusal | null> {
    return this.chooseUnder(context.project.id, choice, () => ids.next('cat_', 'category'), now);
  }

  /** As `choose`; a new category gets the id of `newId`. */
  async chooseUnder(
    projectId: string,
    { category, category_id }: CategoryChoice,
    newId: () => string,
    now: Date,
  ): Promise<CategorySnapshot | ChoiceRefusal | null> {
    if (category_id) return this.find(projectId, category_id);
    if (!category) return null;
    const known = await this.named(this.dataSource, projectId, category);
    if (known) return known;
    return this.alone(projectId, async (manager) => {
      const stored = await this.named(manager, projectId, category);
      return (
        stored ??
        this.insert(manager, projectId, { id: newId(), name: category, hierarchy: defaultHierarchy }, now)
      );
    });
  }

  /** Returns categories by what rows of a background task call them, an id or a name; the id wins. A name that is not in use yet
   *  becomes a category, in the transaction of `manager`, or a refusal beyond `categoriesMax`. */
  async resolve(
    manager: EntityManager,
    projectId: string,
    wanted: readonly string[],
    now: Date,
  ): Promise<ReadonlyMap<string, CategorySnapshot | Refusal<'invalid_payload'>>> {
    const unknown = new Set(wanted);
    const found = new Map<string, CategorySnapshot | Refusal<'invalid_payload'>>();
    const take = (categories: readonly CategorySnapshot[]): void => {
      for (const category of categories) found.set(category.name, category);
      for (const category of categories) found.set(category.id, category);
      for (const name of found.keys()) unknown.delete(name);
    };
    if (unknown.size === 0) return found;
    take(await this.idsOrNames(manager, projectId, [...unknown]));
    if (unknown.size === 0) return found;
    await lockCategories(manager, projectId);
    take(await this.idsOrNames(manager, projectId, [...unknown]));
    take(await this.insertNames(manager, projectId, [...unknown], now));
    for (const name of unknown) found.set(name, tooManyCategories());
    return found;
  }

  /** Refuses `not_found`. */
  async find(projectId: string, id: string): Promise<CategorySnapshot | Refusal<'not_found'>> {
    const [found] = await this.load(projectId, [id]);
    return found ?? categoryNotFound(id);
  }

  /** Those that exist, in any order. */
  async load(
    projectId: string,
    ids: readonly string[],
    on: DataSource | EntityManager = this.dataSource,
  ): Promise<CategorySnapshot[]> {
    const rows = await runQuery<CategoryRow>(
      on,
      `SELECT ${columns} FROM categories WHERE project_id = $1 AND id = ANY($2)`,
      [projectId, ids],
    );
    return rows.map(snapshotOf);
  }

  /** Those that exist, in any order, whatever projects they are of. */
  async loadOf(
    keys: readonly { projectId: string; id: string }[],
  ): Promise<{ projectId: string; category: CategorySnapshot }[]> {
    const rows = await runQuery<CategoryRow & { project_id: string }>(
      this.dataSource,
      `SELECT k.project_id, ${columns} FROM categories k
       JOIN unnest($1::text[], $2::text[]) AS wanted(project, category)
         ON k.project_id = wanted.project AND k.id = wanted.category`,
      [keys.map(({ projectId }) => projectId), keys.map(({ id }) => id)],
    );
    return rows.map((row) => ({ projectId: row.project_id, category: snapshotOf(row) }));
  }

  /** All of a project, newest first. */
  async all(projectId: string): Promise<CategorySnapshot[]> {
    const rows = await runQuery<CategoryRow>(
      this.dataSource,
      `SELECT ${columns} FROM categories WHERE project_id = $1 ORDER BY created_at DESC, id DESC`,
      [projectId],
    );
    return rows.map(snapshotOf);
  }

  /** Adds a category; repeated under the same id, returns the first result. Refuses `duplicate_found`, and `invalid_payload`
   *  beyond `categoriesMax`. */
  async create(
    projectId: string,
    id: string,
    fields: CategoryFields,
    now: Date,
  ): Promise<CategorySnapshot | CategoryRefusal> {
    return this.alone(projectId, async (manager) => {
      const [known] = await this.load(projectId, [id], manager);
      if (known) return known;
      if (await this.named(manager, projectId, fields.name)) return duplicateCategory(fields.name);
      return this.insert(manager, projectId, { id, ...fields }, now);
    });
  }

  /** Changes a category. Refuses `not_found`, and `duplicate_found` for the name of another one. */
  async update(
    projectId: string,
    id: string,
    { name, hierarchy }: CategoryFields,
    now: Date,
  ): Promise<CategorySnapshot | CategoryRefusal> {
    return this.alone(projectId, async (manager) => {
      const namesake = await this.named(manager, projectId, name);
      if (namesake && namesake.id !== id) {
        const [known] = await this.load(projectId, [id], manager);
        return known ? duplicateCategory(name) : categoryNotFound(id);
      }
      const [rows] = await manager.query<[CategoryRow[], number]>(
        `UPDATE categories SET name = $3, hierarchy = $4, updated_at = $5 WHERE project_id = $1 AND id = $2
         RETURNING ${columns}`,
        [projectId, id, name, hierarchy, now],
      );
      return rows[0] ? snapshotOf(rows[0]) : categoryNotFound(id);
    });
  }

  /** Removes a category. Refuses `not_found`. */
  async delete(projectId: string, id: string): Promise<CategoryRefusal | null> {
    const [rows] = await this.dataSource.query<[unknown[], number]>(
      'DELETE FROM categories WHERE project_id = $1 AND id = $2 RETURNING 1',
      [projectId, id],
    );
    return rows.length === 1 ? null : categoryNotFound(id);
  }

  private async named(
    on: DataSource | EntityManager,
    projectId: string,
    name: string,
  ): Promise<CategorySnapshot | undefined> {
    const [row] = await runQuery<CategoryRow>(
      on,
      `SELECT ${columns} FROM categories WHERE project_id = $1 AND name = $2`,
      [projectId, name],
    );
    return row && snapshotOf(row);
  }

  private async idsOrNames(
    on: DataSource | EntityManager,
    projectId: string,
    wanted: readonly string[],
  ): Promise<CategorySnapshot[]> {
    const rows = await runQuery<CategoryRow>(
      on,
      `SELECT ${columns} FROM categories WHERE project_id = $1 AND (id = ANY($2) OR name = ANY($2))`,
      [projectId, wanted],
    );
    return rows.map(snapshotOf);
  }

  /** Behind `lockCategories`: as many as the project can have. */
  private async insertNames(
    manager: EntityManager,
    projectId: string,
    names: readonly string[],
    now: Date,
  ): Promise<CategorySnapshot[]> {
    const rows = await runQuery<CategoryRow>(
      manager,
      `INSERT INTO categories (project_id, id, name, hierarchy, created_at)
       SELECT $1, named.id, named.name, $4, $5 FROM unnest($2::text[], $3::text[]) AS named (id, name)
       LIMIT greatest(0, $6 - (SELECT count(*) FROM categories WHERE project_id = $1))
       RETURNING ${columns}`,
      [projectId, names.map(() => newId('cat_')), names, defaultHierarchy, now, categoriesMax],
    );
    return rows.map(snapshotOf);
  }

  /** In a transaction of `alone`. */
  private async insert(
    manager: EntityManager,
    projectId: string,
    { id, name, hierarchy }: CategoryFields & { id: string },
    now: Date,
  ): Promise<CategorySnapshot | Refusal<'invalid_payload'>> {
    const [row] = await manager.query<CategoryRow[]>(
      `INSERT INTO categories (project_id, id, name, hierarchy, created_at)
       SELECT $1, $2, $3, $4, $5 WHERE (SELECT count(*) FROM categories WHERE project_id = $1) < $6
       RETURNING ${columns}`,
      [projectId, id, name, hierarchy, now, categoriesMax],
    );
    return row ? snapshotOf(row) : tooManyCategories();
  }

  /** Runs what names or counts categories; of one project, one after another. */
  private alone<Answer>(
    projectId: string,
    run: (manager: EntityManager) => Promise<Answer>,
  ): Promise<Answer> {
    return this.dataSource.transaction(async (manager) => {
      await lockCategories(manager, projectId);
      return run(manager);
    });
  }
}
