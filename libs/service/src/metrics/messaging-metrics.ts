import type { EventTransport, MessagingMetrics } from '@scrip/messaging';
import type { Metrics } from './metrics';

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

/** How far consumers are behind, looked up at each scrape. */
export const measureLag = (metrics: Metrics, transport: EventTransport): void => {
  const labels = ['group', 'topic'];
  const sample = async (value: 'lagEvents' | 'lagSeconds' | 'parkedKeys') =>
    (await transport.consumerStatus()).map((status) => ({
      labels: { group: status.group, topic: status.topic },
      value: status[value],
    }));
  metrics.sampled('scrip_projection_lag_events', 'Events known to wait.', labels, () => sample('lagEvents'));
  metrics.sampled('scrip_projection_lag_seconds', 'Age of the oldest event known to wait.', labels, () =>
    sample('lagSeconds'),
  );
  metrics.sampled('scrip_parked_keys', 'Keys whose events are set aside.', labels, () =>
    sample('parkedKeys'),
  );
};
