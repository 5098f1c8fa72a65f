import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  type BusinessClock,
  calendarDayOf,
  type IdSource,
  isRefused,
  notFound,
  type Refusal,
  refuse,
  type RequestContext,
} from '@scrip/kernel';
import { readShape, type Shape } from '@scrip/locations';
import { InjectBusinessClock, InjectListReader, type ListReader } from '@scrip/service';
import { isDeepStrictEqual } from 'node:util';
import type { DataSource } from 'typeorm';
import type { AuditFact } from '../audit/audit-entry';
import { storeAudit } from '../audit/audit.table';
import { type LocationListQuery, locationListStatements } from './location-list.query';
import { noteChange, usesOf } from './location-use.table';
import { LocationUses } from './location-uses';
import { countLocations, deleteLocation, type Location, locationById, storeLocation } from './location.table';

/** Locations of a project. Source: reference 07 §9. */
export const locationsMax = 1_000;

export type LocationRefusal = Refusal<
  'invalid_payload' | 'invalid_query_params' | 'not_found' | 'resource_in_use' | 'multiple_requests'
>;

/** What a caller sends of a location; absent stays. */
export interface SentLocation {
  name?: string | null;
  shape?: unknown;
}

/** A page of locations. */
export interface LocationPage {
  /** With one more than the page has, where there is one. */
  locations: Location[];
  total: number;
}

const locationNotFound = (id: string): Refusal<'not_found'> => notFound('location', id);

const locationFact = ({ project }: RequestContext, action: string, resource_id: string): AuditFact => ({
  ...{ action, project_id: project.id, resource_type: 'location', resource_id },
});

const shapeIn = (sent: unknown): Shape | Refusal<'invalid_payload'> => {
  const read = readShape(sent);
  return 'problem' in read ? refuse('invalid_payload', `Property .shape${read.problem}`) : read;
};

/** Locations of projects: rows without a stream. Source: reference 07 §9. */
@Injectable()
export class LocationHandlers {
  constructor(
    @InjectDataSource('auth') private readonly database: DataSource,
    @InjectListReader('auth') private readonly lists: ListReader,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly uses: LocationUses,
  ) {}

  /** Refuses `invalid_query_params`. */
  async list(context: RequestContext, query: LocationListQuery): Promise<LocationPage | LocationRefusal> {
    const { project } = context;
    const statements = locationListStatements(project.id, query, {
      today: calendarDayOf(this.clock.now(project), project.timezone),
      zone: project.timezone,
    });
    if (isRefused(statements)) return statements;
    const { rows, total } = await this.lists.page<Location>(context, statements);
    return { locations: rows, total };
  }

  /** Refuses `not_found`. */
  async find({ project }: RequestContext, id: string): Promise<Location | LocationRefusal> {
    return (await locationById(this.database, project.id, id)) ?? locationNotFound(id);
  }

  /** Adds a location; repeated under the same id, returns the first result. Refuses `invalid_payload` for what is no shape, and
   *  beyond `locationsMax`. */
  async create(
    context: RequestContext,
    ids: IdSource,
    { name, shape: sent }: { name: string; shape: unknown },
  ): Promise<Location | LocationRefusal> {
    const { project } = context;
    const shape = shapeIn(sent);
    if (isRefused(shape)) return shape;
    const id = ids.next('loc_', 'location');
    return this.database.transaction(async (manager) => {
      const count = await countLocations(manager, project.id);
      const known = await locationById(manager, project.id, id);
      if (known) return known;
      if (count >= locationsMax)
        return refuse('invalid_payload', `A project can have at most ${locationsMax} locations`);
      const location = { id, name, shape, created_at: this.clock.now(project), updated_at: null };
      await storeLocation(manager, project.id, location);
      await storeAudit(manager, context, [locationFact(context, 'location.created', id)]);
      return location;
    });
  }

  /** Changes what is sent. What filters keep by the shape is tested again in the background. Refuses `not_found`, and
   *  `invalid_payload` for what is no shape. */
  async update(context: RequestContext, id: string, sent: SentLocation): Promise<Location | LocationRefusal> {
    const { project } = context;
    const shape = sent.shape == null ? null : shapeIn(sent.shape);
    if (isRefused(shape)) return shape;
    const updated = await this.database.transaction(async (manager) => {
      const known = await locationById(manager, project.id, id, { lock: true });
      if (!known) return locationNotFound(id);
      const changed = { ...known, name: sent.name ?? known.name, shape: shape ?? known.shape };
      if (isDeepStrictEqual(changed, known)) return known;
      const location = { ...changed, updated_at: this.clock.now(project) };
      await storeLocation(manager, project.id, location);
      if (shape) await noteChange(manager, project.id, id);
      await storeAudit(manager, context, [locationFact(context, 'location.updated', id)]);
      return location;
    });
    if (shape && !isRefused(updated)) await this.uses.tellChange(context, id);
    return updated;
  }

  /** Refuses `not_found`, `resource_in_use` while filters refer to it, and `multiple_requests` where one is about to. */
  async delete(context: RequestContext, id: string): Promise<LocationRefusal | null> {
    const inUse = await this.uses.refusalOf(context, id);
    if (inUse) return inUse;
    const projectId = context.project.id;
    return this.database.transaction(async (manager) => {
      if (!(await locationById(manager, projectId, id, { lock: true }))) return locationNotFound(id);
      if ((await usesOf(manager, projectId, id)).length > 0)
        return refuse('multiple_requests', 'A filter that refers to the location is being stored');
      await deleteLocation(manager, projectId, id);
      await storeAudit(manager, context, [locationFact(context, 'location.deleted', id)]);
      return null;
    });
  }
}
