import type { KafkaRelay, RelayMetrics, RelayStatus } from '@scrip/messaging';
import type { Metrics } from './metrics';

/** What relays send to Kafka, and how long after the append. */
export const measuredRelays = (metrics: Metrics): RelayMetrics => {
  const relayed = metrics.counter('scrip_relayed_events_total', 'Events sent to Kafka.', ['service']);
  const delay = metrics.durations('scrip_relay_delay_seconds', 'From an append until Kafka has the event.', [
    'service',
  ]);
  const refused = metrics.counter('scrip_relay_refused_events_total', 'Events that Kafka never takes.', [
    'service',
    'topic',
  ]);
  return {
    published: ({ service, events, delayMs }) => {
      relayed({ service }, events);
      delay(delayMs / 1_000, { service });
    },
    refused: ({ service, topic }) => refused({ service, topic }),
  };
};

/** How far relays are behind their logs, looked up at each scrape. */
export const measureRelayLag = (metrics: Metrics, relays: readonly KafkaRelay[]): void => {
  const sample = (name: string, help: string, value: (status: RelayStatus) => number): void =>
    metrics.sampled(name, help, ['service'], async () => {
      const statuses = await Promise.all(relays.map((relay) => relay.status()));
      return statuses.map((status) => ({ labels: { service: status.service }, value: value(status) }));
    });
  sample('scrip_relay_leading', "1 where this process sends a service's events.", ({ leading }) =>
    Number(leading),
  );
  sample('scrip_relay_lag_events', 'Events that Kafka does not have yet.', ({ lagEvents }) => lagEvents);
  sample('scrip_relay_lag_seconds', 'Age of the oldest of them.', ({ lagSeconds }) => lagSeconds);
  sample('scrip_unpublished_events', 'Events that Kafka refused.', ({ refused }) => refused);
};
