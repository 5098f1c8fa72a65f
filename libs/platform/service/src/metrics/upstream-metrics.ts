import type { Metrics } from './metrics';

/** Receives each request that a gateway forwarded. */
export interface UpstreamMeasurements {
  called(call: { service: string; outcome: string; durationMs: number }): void;
}

/** Requests that a gateway forwarded to services. */
export const measuredUpstreams = (metrics: Metrics): UpstreamMeasurements => {
  const observe = metrics.durations(
    'scrip_upstream_request_seconds',
    "Time from sending a request on to its service's answer.",
    ['service', 'outcome'],
  );
  return {
    called: ({ service, outcome, durationMs }) => observe(durationMs / 1_000, { service, outcome }),
  };
};
