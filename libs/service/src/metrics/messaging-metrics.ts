import type {
  EventTransport,
  KafkaRelay,
  MessagingMetrics,
  RelayMetrics,
  RelayStatus,
} from '@scrip/messaging';
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

/** How far consumers are behind, looked up at each scrape; a topic's partitions together. */
export const measureLag = (metrics: Metrics, transport: EventTransport): void => {
  const labels = ['group', 'topic'];
  const sample = async (
    value: 'lagEvents' | 'lagSeconds' | 'parkedKeys',
    together: (a: number, b: number) => number,
  ): Promise<Sample[]> => {
    const samples = new Map<string, { labels: { group: string; topic: string }; value: number }>();
    for (const status of await transport.consumerStatus()) {
      const { group, topic } = status;
      const known = samples.get(`${group} ${topic}`)?.value ?? 0;
      samples.set(`${group} ${topic}`, { labels: { group, topic }, value: together(known, status[value]) });
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

/** What relays publish, and what brokers refuse. */
export const measuredRelay = (metrics: Metrics): RelayMetrics => {
  const events = metrics.counter('scrip_relay_events_total', 'Events published to Kafka.', ['context']);
  const duration = metrics.durations('scrip_relay_batch_seconds', 'Time to publish a batch.', ['context']);
  const delay = metrics.durations(
    'scrip_relay_delay_seconds',
    'From the append of the oldest event of a batch until it is in Kafka.',
    ['context'],
  );
  const refused = metrics.counter('scrip_relay_refused_total', 'Events that the broker refused for good.', [
    'context',
    'topic',
  ]);
  return {
    published: ({ service: context, events: count, durationMs, delayMs }) => {
      events({ context }, count);
      duration(durationMs / 1_000, { context });
      delay(delayMs / 1_000, { context });
    },
    refused: ({ service: context, topic }) => refused({ context, topic }),
  };
};

/** How far relays are behind, looked up at each scrape. */
export const measureRelay = (metrics: Metrics, relays: readonly Pick<KafkaRelay, 'status'>[]): void => {
  const sample = async (value: (status: RelayStatus) => number): Promise<Sample[]> =>
    (await Promise.all(relays.map((relay) => relay.status()))).map((status) => ({
      labels: { context: status.service },
      value: value(status),
    }));
  const labels = ['context'];
  metrics.sampled('scrip_relay_leading', '1 where this process publishes.', labels, () =>
    sample(({ leading }) => (leading ? 1 : 0)),
  );
  metrics.sampled('scrip_relay_lag_events', 'Events not in Kafka yet, up to 10,000.', labels, () =>
    sample(({ lagEvents }) => lagEvents),
  );
  metrics.sampled('scrip_relay_lag_seconds', 'Age of the oldest event not in Kafka yet.', labels, () =>
    sample(({ lagSeconds }) => lagSeconds),
  );
  metrics.sampled('scrip_relay_unpublished_events', 'Events that the broker refused for good.', labels, () =>
    sample(({ refused }) => refused),
  );
};
