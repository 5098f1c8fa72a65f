import { InjectDataSource } from '@nestjs/typeorm';
import { Injectable } from '@nestjs/common';
import type { CategorySnapshot } from '@scrip/contracts/snapshot';
import { notFound, type IdSource, type RequestContext } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import type { CampaignsRefusal } from '../campaigns.refusals';

/** How a caller names a category: by id or by name. */
export interface CategoryChoice {
  category?: string | null | undefined;
  category_id?: string | null | undefined;
}

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
/** What a category gets that is created by its name alone. Source: reference 04 §15. */
const defaultHierarchy = 1;

/** Categories of campaigns and vouchers: plain records. */
@Injectable()
export class Categories {
  constructor(@InjectDataSource('campaigns') private readonly dataSource: DataSource) {}

  /** The category that a caller names; null when none is. A name that is not in use yet becomes a category of its own
   *  right, also when the call is refused later. Refuses `not_found` for an unknown id. Source: reference 04 §9,
   *  §15. */
  async choose(
    context: RequestContext,
    { category, category_id }: CategoryChoice,
    ids: IdSource,
    now: Date,
  ): Promise<CategorySnapshot | CampaignsRefusal | null> {
    if (category_id) {
      return (await this.find(context.project.id, 'id', category_id)) ?? notFound('category', category_id);
    }
    if (!category) return null;
    return (
      (await this.find(context.project.id, 'name', category)) ?? this.create(context, category, ids, now)
    );
  }

  private async find(
    projectId: string,
    column: 'id' | 'name',
    value: string,
  ): Promise<CategorySnapshot | undefined> {
    const [row] = await this.dataSource.query<CategoryRow[]>(
      `SELECT ${columns} FROM categories WHERE project_id = $1 AND ${column} = $2`,
      [projectId, value],
    );
    return row && snapshotOf(row);
  }

  private async create(
    { project }: RequestContext,
    name: string,
    ids: IdSource,
    now: Date,
  ): Promise<CategorySnapshot> {
    // The update changes nothing; it makes the statement return the row that another call stored first.
    const [row] = await this.dataSource.query<CategoryRow[]>(
      `INSERT INTO categories (project_id, id, name, hierarchy, created_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (project_id, name) DO UPDATE SET name = excluded.name RETURNING ${columns}`,
      [project.id, ids.next('cat_', 'category'), name, defaultHierarchy, now],
    );
    if (!row) throw new Error(`category ${name} was not stored`);
    return snapshotOf(row);
  }
}
