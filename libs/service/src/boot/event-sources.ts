import type { EventStore } from '@scrip/event-store';
import type { DataSource } from 'typeorm';
import type { ScripConfig } from '../config/scrip-config';
import type { ContextName } from '../context/context-definition';
import type { Metrics } from '../metrics/metrics';

/** What events come from and go to. */
export interface EventSources {
  eventStores: ReadonlyMap<ContextName, EventStore>;
  dataSources: ReadonlyMap<ContextName, DataSource>;
  metrics: Metrics;
  config: Pick<ScripConfig, 'distribution'>;
}
