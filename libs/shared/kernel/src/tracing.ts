import {
  type Attributes,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  isSpanContextValid,
  trace,
} from '@opentelemetry/api';

/** The name and attributes of a span: ids and names, never payloads. */
export interface Span {
  name: string;
  kind?: keyof typeof SpanKind;
  attributes?: Attributes;
}

/** A span that has begun. */
export interface OpenSpan {
  /** The W3C trace context for calls made inside this span; null without a trace. */
  readonly traceparent: string | null;
  /** Ends the span; call it once. With an error the span counts as failed. */
  end(error?: unknown): void;
}

const traceparentForm = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/;

const spanContextOf = (traceparent: string): SpanContext | undefined => {
  const [, traceId = '', spanId = '', flags = ''] = traceparentForm.exec(traceparent) ?? [];
  const found = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(found) ? found : undefined;
};

const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;

let recorder: Tracer | null = null;

/** Sets the recorder of this process's spans; with null none are recorded. Trace contexts of callers are passed on in
 *  both cases. */
export const recordTraces = (tracer: Tracer | null): void => {
  recorder = tracer;
};

/** Begins a span of the trace that `traceparent` names, or of a new one. Source: W3C Trace Context. */
export const beginSpan = ({ name, kind, attributes }: Span, traceparent: string | null): OpenSpan => {
  if (!recorder) return { traceparent, end: () => undefined };
  const parent = traceparent === null ? undefined : spanContextOf(traceparent);
  const span = recorder.startSpan(
    name,
    { kind: SpanKind[kind ?? 'INTERNAL'], ...(attributes ? { attributes } : {}) },
    parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT,
  );
  return {
    traceparent: traceparentOf(span.spanContext()),
    end: (error) => {
      if (error !== undefined) {
        // Messages may contain names and hosts; only the log shows them.
        span.setStatus({
          code: SpanStatusCode.ERROR,
          message: error instanceof Error ? error.name : 'failed',
        });
      }
      span.end();
    },
  };
};

/** Runs `work` as a span of the caller's trace and passes it the context of that span. Without a trace of a caller it
 *  records no span; periodic work therefore begins no traces. */
export const traced = async <C extends { readonly traceparent?: string | null }, T>(
  span: Span,
  context: C,
  work: (context: C) => Promise<T>,
): Promise<T> => {
  if (!recorder || !context.traceparent) return work(context);
  const open = beginSpan(span, context.traceparent);
  try {
    const answer = await work({ ...context, traceparent: open.traceparent });
    open.end();
    return answer;
  } catch (error) {
    open.end(error);
    throw error;
  }
};
