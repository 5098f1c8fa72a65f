import type { KafkaRelay, RelayMetrics, RelayStatus } from '@scrip/messaging';
import type { Metrics, Sample } from './metrics';

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
