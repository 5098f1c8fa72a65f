import { Inject, Injectable } from '@nestjs/common';
import {
  type AssetIds,
  type AuthPort,
  type CustomerSnapshot,
  type CustomersPort,
  assetIds,
  authPort,
  customersPort,
} from '@scrip/contracts';
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
import { SCRIP_CONFIG, type ScripConfig } from '@scrip/service';
import { type PublicEvent, publicEventOf } from './public-event';
import type { Renderer } from './renderer';
import { isTold, renderersOf } from './renderers';

interface Told {
  event: StoredEvent;
  renderer: Renderer;
}

const customerIdsOf = ({ event, renderer }: Told): string[] =>
  (renderer.customers?.(event.data as never) ?? []).filter((id) => id !== null);

/** Turns sets of domain events into public events. Asks other contexts, so it belongs before any transaction. */
@Injectable()
export class PublicEventRendering {
  private readonly assets: AssetIds;

  constructor(
    @InjectPort(authPort) private readonly auth: AuthPort,
    @InjectPort(customersPort) private readonly customers: CustomersPort,
    @Inject(SCRIP_CONFIG) config: ScripConfig,
  ) {
    this.assets = assetIds(Buffer.from(config.masterKey.reveal(), 'base64'), () => config.baseUrl);
  }

  /** In the order of the events; those of a project that is gone are left out. */
  async render(events: readonly StoredEvent[]): Promise<PublicEvent[]> {
    const told = events.filter(({ type }) => isTold(type));
    const projects = [...new Set(told.map(({ projectId }) => projectId))];
    const rendered = await Promise.all(
      projects.map((id) =>
        this.renderProject(
          id,
          told.filter(({ projectId }) => projectId === id),
        ),
      ),
    );
    return rendered.flat();
  }

  private async renderProject(projectId: string, events: readonly StoredEvent[]): Promise<PublicEvent[]> {
    const project = await this.projectOf(projectId);
    if (!project) return [];
    const told = events.flatMap((event) =>
      renderersOf(project.webhookVersion, event.type).map((renderer) => ({ event, renderer })),
    );
    const customers = await this.customersOf(project, told);
    const relations = {
      customer: (id: string | null) => (id === null ? null : (customers.get(id) ?? null)),
      assets: (code: string) => this.assets.of(projectId, code),
    };
    return told.flatMap(({ event, renderer }) => {
      const rendered = renderer.render(event.data as never, relations);
      return rendered ? [publicEventOf(event, renderer.kind, rendered)] : [];
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
    told: readonly Told[],
  ): Promise<ReadonlyMap<string, CustomerSnapshot>> {
    const ids = [...new Set(told.flatMap(customerIdsOf))];
    if (ids.length === 0) return new Map();
    const loaded = await this.customers.loadCustomers(internalContext(project), { ids });
    return new Map(loaded.map((customer) => [customer.id, customer]));
  }
}
