import type { Metrics } from './metrics';

/** Told by a gateway about each request that it sent on. */
export interface UpstreamMeasurements {
  called(call: { service: string; outcome: string; durationMs: number }): void;
}

/** Requests that a gateway sent on to services. */
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
