import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { LocationUser, LocationUsersPort } from '@scrip/contracts/auth';
import { catalogPort } from '@scrip/contracts/catalog';
import { customersPort } from '@scrip/contracts/customers';
import { Fault, internalContext, type Refusal, refuse, type RequestContext } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import { Periodic } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { ProjectHandlers } from '../projects/project.handlers';
import {
  forgetChange,
  forgetUses,
  type LocationChange,
  type LocationUse,
  usesOf,
  waitingChange,
  waitingChanges,
} from './location-use.table';

/** How soon what failed is told again. */
const everyMs = 5_000;
const changesTogether = 100;
/** Users that a refusal names. */
const namedMax = 100;

const plurals: Record<LocationUser, string> = {
  segment: 'segments',
  products_collection: 'product_collections',
};

/** Which filters of other contexts refer to locations. A note stands from before a filter is stored until a deletion of the location
 *  finds that the filter no longer refers to it. Source: reference 07 §9, ADR 113. */
@Injectable()
export class LocationUses implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(LocationUses.name);
  private readonly owners: Record<LocationUser, LocationUsersPort>;
  private readonly rounds = new Periodic({ name: LocationUses.name, everyMs, run: () => this.tellWaiting() });

  constructor(
    @InjectDataSource('auth') private readonly database: DataSource,
    @InjectPort(customersPort) customers: LocationUsersPort,
    @InjectPort(catalogPort) catalog: LocationUsersPort,
    private readonly projects: ProjectHandlers,
  ) {
    this.owners = { segment: customers, products_collection: catalog };
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }

  /** Refuses `resource_in_use` where filters refer to a location now, naming those of one kind. Forgets notes of others. */
  async refusalOf(context: RequestContext, locationId: string): Promise<Refusal<'resource_in_use'> | null> {
    const { id } = context.project;
    let uses = await usesOf(this.database, id, locationId);
    while (uses.length > 0) {
      for (const user of Object.keys(this.owners) as LocationUser[]) {
        const ofKind = uses.filter(({ used_by }) => used_by === user);
        const users = await this.refreshed(context, locationId, user, ofKind);
        if (users.length > 0) return inUse(locationId, user, users);
      }
      uses = await usesOf(this.database, id, locationId, uses.at(-1));
    }
    return null;
  }

  /** Has what refers to a changed location tested again. What fails is told again later. */
  async tellChange(context: RequestContext, locationId: string): Promise<void> {
    const change = await waitingChange(this.database, context.project.id, locationId);
    if (change) await this.tell(context, change);
  }

  private async tellWaiting(): Promise<void> {
    for (const change of await waitingChanges(this.database, changesTogether)) {
      const found = await this.projects.find(change.project_id);
      if (found) await this.tell(internalContext(found.project), change);
      else await forgetChange(this.database, change);
    }
  }

  private async tell(context: RequestContext, change: LocationChange): Promise<void> {
    const { location_id } = change;
    try {
      for (const owner of Object.values(this.owners)) await owner.retestLocation(context, { location_id });
      await forgetChange(this.database, change);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.logger.warn(`a change of location ${location_id} is told later: ${error.message}`);
    }
  }

  /** The users that refer to the location now; notes of the others are forgotten. */
  private async refreshed(
    context: RequestContext,
    location_id: string,
    user: LocationUser,
    uses: readonly LocationUse[],
  ): Promise<string[]> {
    if (uses.length === 0) return [];
    const asked = { location_id, ids: uses.map(({ user_id }) => user_id) };
    const { ids } = await this.owners[user].refersToLocation(context, asked);
    const refer = new Set(ids);
    const others = uses.filter(({ user_id }) => !refer.has(user_id));
    await forgetUses(this.database, context.project.id, location_id, others);
    return ids;
  }
}

const inUse = (id: string, user: LocationUser, users: readonly string[]): Refusal<'resource_in_use'> => {
  const named = users.slice(0, namedMax);
  return refuse(
    'resource_in_use',
    `Resource location with id ${id} is in use by ${plurals[user]} with ids [${named.join(',')}]`,
    {
      resourceId: id,
      resourceType: 'location',
      related_object_ids: named,
      related_object_type: plurals[user],
    },
  );
};
