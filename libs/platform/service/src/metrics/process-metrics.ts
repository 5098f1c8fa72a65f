import { type EventStore, poolOf } from '@scrip/event-store';
import { collectDefaultMetrics } from 'prom-client';
import type { DataSource } from 'typeorm';
import type { ContextName } from '@scrip/contracts/registry';
import type { ListReader } from '../lists/list-reader';
import type { Metrics } from './metrics';

/** Milliseconds between two looks at the delay of the event loop, each of which wakes the process. They are part of the
 *  delays that are shown. */
const eventLoopMonitoringPrecision = 100;

/** Memory, CPU, event loop and garbage collection of the process. */
export const measureProcess = (metrics: Metrics): void =>
  collectDefaultMetrics({ register: metrics.registry, prefix: 'scrip_', eventLoopMonitoringPrecision });

/** Connections of each context's pool, by state. */
export const measurePools = (metrics: Metrics, dataSources: ReadonlyMap<ContextName, DataSource>): void =>
  metrics.sampled(
    'scrip_pool_connections',
    'Connections of a pool, and callers waiting for one.',
    ['context', 'state'],
    () =>
      [...dataSources].flatMap(([context, dataSource]) => {
        const pool = poolOf(dataSource);
        return [
          { labels: { context, state: 'open' }, value: pool.totalCount },
          { labels: { context, state: 'idle' }, value: pool.idleCount },
          { labels: { context, state: 'waiting' }, value: pool.waitingCount },
        ];
      }),
  );

/** Lists of each context that are read or wait for a turn, and those refused. */
export const measureLists = (metrics: Metrics, readers: ReadonlyMap<ContextName, ListReader>): void => {
  metrics.sampled('scrip_lists', 'Lists under way.', ['context', 'state'], () =>
    [...readers].flatMap(([context, { turns }]) => [
      { labels: { context, state: 'reading' }, value: turns.running },
      { labels: { context, state: 'waiting' }, value: turns.waiting },
    ]),
  );
  metrics.sampled(
    'scrip_lists_overloaded',
    'Lists refused because too many were read or waited.',
    ['context'],
    () => [...readers].map(([context, { turns }]) => ({ labels: { context }, value: turns.overloaded })),
  );
};

const storeCounters = [
  ['scrip_event_store_commits', 'Statements that wrote a batch of decisions.', 'commits'],
  ['scrip_event_store_decisions', 'Commands answered, refusals included.', 'decisions'],
  ['scrip_event_store_events', 'Events appended.', 'events'],
  ['scrip_event_store_version_conflicts', 'Batches whose state had changed under them.', 'versionConflicts'],
  ['scrip_event_store_isolated_batches', 'Batches run one by one because of one member.', 'isolatedBatches'],
  ['scrip_event_store_in_doubt_commits', 'Commits whose end was unknown at first.', 'inDoubtCommits'],
  ['scrip_event_store_overloaded', 'Commands refused because too many were waiting.', 'overloaded'],
  ['scrip_event_store_expired', 'Commands whose deadline passed before their answer.', 'expired'],
  ['scrip_mailbox_depth', 'Commands waiting or in flight.', 'mailboxDepth'],
  ['scrip_event_store_active_streams', 'Streams with commands waiting or in flight.', 'activeStreams'],
] as const;

/** What each context's event store counts, and how long the oldest writing transaction has held its readers back. */
export const measureEventStores = (metrics: Metrics, stores: readonly EventStore[]): void => {
  for (const [name, help, field] of storeCounters) {
    metrics.sampled(name, help, ['context'], () =>
      stores.map((store) => ({ labels: { context: store.service }, value: store.metrics[field] })),
    );
  }
  metrics.sampled(
    'scrip_horizon_age_seconds',
    'Age of the oldest transaction that holds readers of the log back.',
    [],
    async () => {
      const [store] = stores;
      return store ? [{ value: await store.horizonAgeSeconds() }] : [];
    },
  );
};
