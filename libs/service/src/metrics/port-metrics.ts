import type { PortMetrics } from '@scrip/rpc';
import type { Metrics } from './metrics';

/** Calls between contexts, as their callers saw them. */
export const measuredPorts = (metrics: Metrics): PortMetrics => {
  const called = metrics.durations('scrip_port_call_seconds', 'Time of a call to another context.', [
    'port',
    'method',
    'outcome',
  ]);
  const inFlight = metrics.gauge('scrip_port_calls_in_flight', 'Calls being served.', ['port']);
  return {
    called: ({ port, method, outcome, durationMs }) => called(durationMs / 1_000, { port, method, outcome }),
    inFlight: (port, calls) => inFlight(calls, { port }),
  };
};
