import type { ConnectionMetrics, PortMetrics } from '@scrip/rpc';
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

const stateValues = { closed: 0, opening: 1, open: 2 } as const;

/** Connections to the services that this process asks. */
export const measuredConnections = (metrics: Metrics): ConnectionMetrics => {
  const circuit = metrics.gauge(
    'scrip_port_circuit',
    '0: the port can be reached, 1: connecting, 2: calls fail at once.',
    ['port'],
  );
  const sockets = metrics.gauge('scrip_port_sockets', 'Open connections that take calls.', ['port']);
  const reconnected = metrics.counter(
    'scrip_port_reconnects_total',
    'Connections opened again after a loss.',
    ['port'],
  );
  return {
    circuit: (port, state) => circuit(stateValues[state], { port }),
    sockets: (port, open) => sockets(open, { port }),
    reconnected: (port) => reconnected({ port }),
  };
};
