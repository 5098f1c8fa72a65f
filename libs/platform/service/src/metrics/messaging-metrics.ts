import type { EventTransport, MessagingMetrics } from '@scrip/messaging';
import type { Metrics, Sample } from './metrics';

/** What consumers do: events applied, their delay since the append, keys that failed. */
export const measuredConsumers = (metrics: Metrics): MessagingMetrics => {
  const events = metrics.counter('scrip_consumed_events_total', 'Events that took effect.', [
    'group',
    'topic',
  ]);
  const duration = metrics.durations('scrip_consumer_batch_seconds', 'Time of one batch.', [
    'group',
    'topic',
  ]);
  const delay = metrics.durations('scrip_projection_delay_seconds', 'From an append until it took effect.', [
    'group',
    'topic',
  ]);
  const setAside = metrics.counter('scrip_keys_set_aside_total', 'Keys that failed.', [
    'group',
    'topic',
    'state',
  ]);
  return {
    applied: ({ group, topic, events: count, durationMs, delayMs }) => {
      events({ group, topic }, count);
      duration(durationMs / 1_000, { group, topic });
      delay(delayMs / 1_000, { group, topic });
    },
    setAside: ({ group, topic, state }) => setAside({ group, topic, state }),
  };
};

/** How far consumers are behind, looked up at each scrape; a topic's partitions together, without those of which
 *  nothing is known. */
export const measureLag = (metrics: Metrics, transport: EventTransport): void => {
  const labels = ['group', 'topic'];
  const sample = async (
    value: 'lagEvents' | 'lagSeconds' | 'parkedKeys',
    together: (a: number, b: number) => number,
  ): Promise<Sample[]> => {
    const samples = new Map<string, { labels: { group: string; topic: string }; value: number }>();
    for (const status of await transport.consumerStatus()) {
      const { group, topic, [value]: one } = status;
      if (one === null) continue;
      const known = samples.get(`${group} ${topic}`)?.value ?? 0;
      samples.set(`${group} ${topic}`, { labels: { group, topic }, value: together(known, one) });
    }
    return [...samples.values()];
  };
  const sum = (a: number, b: number): number => a + b;
  metrics.sampled('scrip_projection_lag_events', 'Events known to wait.', labels, () =>
    sample('lagEvents', sum),
  );
  metrics.sampled('scrip_projection_lag_seconds', 'Age of the oldest event known to wait.', labels, () =>
    sample('lagSeconds', Math.max),
  );
  metrics.sampled('scrip_parked_keys', 'Keys whose events are set aside.', labels, () =>
    sample('parkedKeys', sum),
  );
};
