import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { IdSource, RequestContext } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import type { Queries } from '../users/user.table';
import {
  type BrandingChange,
  brandingExists,
  brandingNotFound,
  type BrandingRefusal,
  changedBranding,
  emptyBranding,
  type StoredBranding,
} from './branding';

const stored = async (
  database: Queries,
  projectId: string,
  { lock = false } = {},
): Promise<StoredBranding | null> => {
  const [row] = await database.query<StoredBranding[]>(
    `SELECT id, branding FROM brandings WHERE project_id = $1${lock ? ' FOR UPDATE' : ''}`,
    [projectId],
  );
  return row ?? null;
};

/** The branding of a project, of which there is one at most: a row without a stream. Source: reference 07 §14. */
@Injectable()
export class BrandingHandlers {
  constructor(@InjectDataSource('auth') private readonly database: DataSource) {}

  /** Null: none. */
  current({ project }: RequestContext): Promise<StoredBranding | null> {
    return stored(this.database, project.id);
  }

  /** Refuses `not_found`. */
  async find(context: RequestContext, id: string): Promise<StoredBranding | BrandingRefusal> {
    const found = await this.current(context);
    return found?.id === id ? found : brandingNotFound(id);
  }

  /** Repeated under the same id, returns the first result. Refuses `branding_exist`. */
  async create(
    { project }: RequestContext,
    ids: IdSource,
    sent: BrandingChange,
  ): Promise<StoredBranding | BrandingRefusal> {
    const made = { id: ids.next('brd_', 'branding'), branding: changedBranding(emptyBranding, sent) };
    const inserted = await this.database.query<unknown[]>(
      `INSERT INTO brandings (project_id, id, branding) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING 1`,
      [project.id, made.id, JSON.stringify(made.branding)],
    );
    if (inserted.length === 1) return made;
    const there = await stored(this.database, project.id);
    // Removed between the two statements: as if the one before had been there.
    return there?.id === made.id ? there : brandingExists(there?.id ?? made.id);
  }

  /** Changes what is sent. Refuses `not_found`. */
  update(
    { project }: RequestContext,
    id: string,
    sent: BrandingChange,
  ): Promise<StoredBranding | BrandingRefusal> {
    return this.database.transaction(async (manager) => {
      const known = await stored(manager, project.id, { lock: true });
      if (known?.id !== id) return brandingNotFound(id);
      const branding = changedBranding(known.branding, sent);
      await manager.query('UPDATE brandings SET branding = $2 WHERE project_id = $1', [
        project.id,
        JSON.stringify(branding),
      ]);
      return { id, branding };
    });
  }

  /** Refuses `not_found`. */
  async delete({ project }: RequestContext, id: string): Promise<BrandingRefusal | null> {
    const [, deleted] = await this.database.query<[unknown[], number]>(
      'DELETE FROM brandings WHERE project_id = $1 AND id = $2 RETURNING 1',
      [project.id, id],
    );
    return deleted === 1 ? null : brandingNotFound(id);
  }
}
