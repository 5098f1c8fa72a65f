import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { recordTraces } from '@scrip/kernel';
import type { TracingSettings } from '../config/scrip-config';

/** Sends spans of this process to an OTLP receiver, as `service.name` scrip-`process`, when one is configured.
 *  Returns a function that stops it and sends waiting spans for at most two seconds. A receiver that is down loses
 *  only its traces. */
export const startTracing = (
  process: string,
  { endpoint, sampledShare }: TracingSettings,
): (() => Promise<void>) => {
  if (endpoint === null) return async () => undefined;
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': `scrip-${process}` }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampledShare) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({
          url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
          timeoutMillis: 2_000,
        }),
      }),
    ],
    forceFlushTimeoutMillis: 2_000,
  });
  recordTraces(provider.getTracer('scrip'));
  return async () => {
    recordTraces(null);
    await provider.shutdown().catch(() => undefined); // A receiver that is gone keeps no process alive.
  };
};
