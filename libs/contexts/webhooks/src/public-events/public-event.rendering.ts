import { Inject, Injectable } from '@nestjs/common';
import { type AuthPort, authPort } from '@scrip/contracts/auth';
import { type CustomerSnapshot, type CustomersPort, customersPort } from '@scrip/contracts/customers';
import type { StoredEvent } from '@scrip/event-store';
import {
  Fault,
  type ProjectContext,
  internalContext,
  isRefused,
  newRequestId,
  noDeadline,
} from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import { purposeRing, SCRIP_CONFIG, type ScripConfig } from '@scrip/service';
import { type AssetIds, assetIds, assetIdsPurpose } from '@scrip/wire/campaigns';
import { type TrackingIds, trackingIds, trackingIdsPurpose } from '@scrip/wire/qualification';
import { type PublicEvent, publicEventsOf, sourceOf } from './public-event';
import type { Renderer } from './renderer';
import { isTold, renderersOf } from './renderers';

/** A domain event that may be told of as one kind of public event. */
export interface Tellable {
  event: StoredEvent;
  project: ProjectContext;
  renderer: Renderer;
}

const customerIdsOf = ({ event, renderer }: Tellable): string[] => [
  ...new Set((renderer.customers?.(event.data as never) ?? []).filter((id) => id !== null)),
];

/** Turns sets of domain events into public events: the same ones whenever it is asked, as their ids follow from the events
 *  and everything they show of a redeemable is in the events. It calls other contexts, so it must run before the
 *  transaction. */
@Injectable()
export class PublicEventRendering {
  private readonly assets: AssetIds;
  private readonly tracking: TrackingIds;

  constructor(
    @InjectPort(authPort) private readonly auth: AuthPort,
    @InjectPort(customersPort) private readonly customers: CustomersPort,
    @Inject(SCRIP_CONFIG) config: ScripConfig,
  ) {
    this.assets = assetIds(purposeRing(config, assetIdsPurpose), () => config.baseUrl);
    this.tracking = trackingIds(purposeRing(config, trackingIdsPurpose));
  }

  /** Returns which public events a set of domain events can have, in its order; none of deleted projects. */
  async tellable(events: readonly StoredEvent[]): Promise<Tellable[]> {
    const told = events.filter(({ type }) => isTold(type));
    const ids = [...new Set(told.map(({ projectId }) => projectId))];
    const projects = new Map(
      await Promise.all(ids.map(async (id) => [id, await this.projectOf(id)] as const)),
    );
    return told.flatMap((event) => {
      const project = projects.get(event.projectId);
      if (!project) return [];
      return renderersOf(project.webhookVersion, event.type).map((renderer) => ({
        event,
        project,
        renderer,
      }));
    });
  }

  /** Returns their public events, in the same order. */
  async render(told: readonly Tellable[]): Promise<PublicEvent[]> {
    const projects = [...new Set(told.map(({ project }) => project))];
    const customers = new Map(
      await Promise.all(
        projects.map(
          async (project) =>
            [
              project,
              await this.customersOf(
                project,
                told.filter((one) => one.project === project),
              ),
            ] as const,
        ),
      ),
    );
    return told.flatMap((one) => {
      const { event, project, renderer } = one;
      const rendered = renderer.render(event.data as never, {
        customer: (id) => (id === null ? null : (customers.get(project)?.get(id) ?? null)),
        user: sourceOf(event.metadata).user ?? null,
        assets: (code) => this.assets.of(project.id, code),
        trackingId: (identity) => this.tracking.encode(project.id, identity),
      });
      return publicEventsOf(event, renderer.kind, rendered, customerIdsOf(one));
    });
  }

  private async projectOf(projectId: string): Promise<ProjectContext | null> {
    const call = { requestId: newRequestId(), deadlineAt: noDeadline, traceparent: null };
    const project = await this.auth.loadProject(call, { project_id: projectId });
    if (!isRefused(project)) return project;
    if (project.refused === 'not_found') return null;
    throw new Fault('unavailable', `project ${projectId}: ${project.refused}`);
  }

  private async customersOf(
    project: ProjectContext,
    told: readonly Tellable[],
  ): Promise<ReadonlyMap<string, CustomerSnapshot>> {
    const ids = [...new Set(told.flatMap(customerIdsOf))];
    if (ids.length === 0) return new Map();
    const loaded = await this.customers.loadCustomers(internalContext(project), { ids, deleted: true });
    return new Map(loaded.map((customer) => [customer.id, customer]));
  }
}
