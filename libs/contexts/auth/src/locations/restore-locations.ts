import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { KeptLocation } from '@scrip/contracts/auth';
import type { CreatedResource, RenamedResource, RestoredResources } from '@scrip/contracts/snapshot';
import { findKept, type Id, isRefused, type RequestContext, type Standing } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import { LocationHandlers, type LocationRefusal } from './location.handlers';
import { type Location, locationColumns } from './location.table';

/** Locations that templates keep. Source: reference 04 §12. */
@Injectable()
export class RestoreLocations {
  constructor(
    @InjectDataSource('auth') private readonly database: DataSource,
    private readonly handlers: LocationHandlers,
  ) {}

  /** See `AuthPort.keepLocations`. */
  async keep({ project }: RequestContext, ids: readonly string[]): Promise<{ locations: KeptLocation[] }> {
    const locations = await this.database.query<KeptLocation[]>(
      'SELECT id, name, shape FROM locations WHERE project_id = $1 AND id = ANY($2) ORDER BY id',
      [project.id, ids],
    );
    return { locations };
  }

  /** See `AuthPort.restoreLocations`. */
  async restore(
    context: RequestContext,
    { locations, template_id }: { locations: readonly KeptLocation[]; template_id: string },
  ): Promise<RestoredResources | LocationRefusal> {
    const created: CreatedResource[] = [];
    const renamed: RenamedResource[] = [];
    for (const { id, name, shape } of locations) {
      const found = await findKept<Location, 'loc_'>(
        { id, prefix: 'loc_', owner: template_id },
        (some) => this.standing(context.project.id, some),
        (one) => isDeepStrictEqual(one.shape, shape),
      );
      const to = 'id' in found ? found.id : found.created;
      if ('created' in found) {
        const ids = { next: <Prefix extends string>() => to as Id<Prefix> };
        const made = await this.handlers.create(context, ids, { name, shape });
        if (isRefused(made)) return made;
        created.push({ id: to, object: 'location' });
      }
      if (to !== id) renamed.push({ object: 'location', from: id, to });
    }
    return { renamed, created };
  }

  private async standing(
    projectId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Standing<Location>>> {
    const locations = await this.database.query<Location[]>(
      `SELECT ${locationColumns} FROM locations t WHERE t.project_id = $1 AND t.id = ANY($2)`,
      [projectId, ids],
    );
    return new Map(locations.map((record) => [record.id, { record, deleted: false }] as const));
  }
}
