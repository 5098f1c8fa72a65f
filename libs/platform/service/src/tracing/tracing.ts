import { recordTraces } from '@scrip/kernel';
import type { TracingSettings } from '../config/scrip-config';

/** Loads what sends spans; a process without a receiver starts without it. */
const sendingParts = async () => ({
  ...(await import('@opentelemetry/exporter-trace-otlp-proto')),
  ...(await import('@opentelemetry/resources')),
  ...(await import('@opentelemetry/sdk-trace')),
});

/** Sends spans of this process to an OTLP receiver, as `service.name` scrip-`process`, when one is configured.
 *  Returns a function that stops it and sends waiting spans for at most two seconds. A receiver that is down loses
 *  only its traces. */
export const startTracing = async (
  process: string,
  { endpoint, sampledShare }: TracingSettings,
): Promise<() => Promise<void>> => {
  if (endpoint === null) return async () => undefined;
  const parts = await sendingParts();
  const provider = new parts.TracerProvider({
    resource: parts.resourceFromAttributes({ 'service.name': `scrip-${process}` }),
    sampler: new parts.ParentBasedSampler({ root: new parts.TraceIdRatioBasedSampler(sampledShare) }),
    spanProcessors: [
      new parts.BatchSpanProcessor({
        exporter: new parts.OTLPTraceExporter({
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
