import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { IdSource, RequestContext } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import type { AuditFact } from '../audit/audit-entry';
import { storeAudit } from '../audit/audit.table';
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

const brandingFact = ({ project }: RequestContext, action: string, resource_id: string): AuditFact => ({
  ...{ action, project_id: project.id, resource_type: 'branding', resource_id },
});

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
  create(
    context: RequestContext,
    ids: IdSource,
    sent: BrandingChange,
  ): Promise<StoredBranding | BrandingRefusal> {
    const { project } = context;
    const made = { id: ids.next('brd_', 'branding'), branding: changedBranding(emptyBranding, sent) };
    return this.database.transaction(async (manager) => {
      const inserted = await manager.query<unknown[]>(
        `INSERT INTO brandings (project_id, id, branding) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING 1`,
        [project.id, made.id, JSON.stringify(made.branding)],
      );
      if (inserted.length === 1) {
        await storeAudit(manager, context, [brandingFact(context, 'branding.created', made.id)]);
        return made;
      }
      const there = await stored(manager, project.id);
      // Removed between the two statements: as if the one before had been there.
      return there?.id === made.id ? there : brandingExists(there?.id ?? made.id);
    });
  }

  /** Changes what is sent. Refuses `not_found`. */
  update(
    context: RequestContext,
    id: string,
    sent: BrandingChange,
  ): Promise<StoredBranding | BrandingRefusal> {
    const { project } = context;
    return this.database.transaction(async (manager) => {
      const known = await stored(manager, project.id, { lock: true });
      if (known?.id !== id) return brandingNotFound(id);
      const branding = changedBranding(known.branding, sent);
      await manager.query('UPDATE brandings SET branding = $2 WHERE project_id = $1', [
        project.id,
        JSON.stringify(branding),
      ]);
      await storeAudit(manager, context, [brandingFact(context, 'branding.updated', id)]);
      return { id, branding };
    });
  }

  /** Refuses `not_found`. */
  delete(context: RequestContext, id: string): Promise<BrandingRefusal | null> {
    return this.database.transaction(async (manager) => {
      const [, deleted] = await manager.query<[unknown[], number]>(
        'DELETE FROM brandings WHERE project_id = $1 AND id = $2 RETURNING 1',
        [context.project.id, id],
      );
      if (deleted === 0) return brandingNotFound(id);
      await storeAudit(manager, context, [brandingFact(context, 'branding.deleted', id)]);
      return null;
    });
  }
}
