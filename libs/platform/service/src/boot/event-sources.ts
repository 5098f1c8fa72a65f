import type { EventStore } from '@scrip/event-store';
import type { DataSource } from 'typeorm';
import type { ScripConfig } from '../config/scrip-config';
import type { ContextName } from '@scrip/contracts/registry';
import type { Metrics } from '../metrics/metrics';

/** The sources and destinations of events. */
export interface EventSources {
  eventStores: ReadonlyMap<ContextName, EventStore>;
  dataSources: ReadonlyMap<ContextName, DataSource>;
  metrics: Metrics;
  config: Pick<ScripConfig, 'distribution'>;
}
