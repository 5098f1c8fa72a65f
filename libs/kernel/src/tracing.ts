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

/** What a step of a trace is called and what it says about itself: ids and names, never payloads. */
export interface TraceStep {
  name: string;
  kind?: keyof typeof SpanKind;
  attributes?: Attributes;
}

/** A step under way. */
export interface OpenStep {
  /** W3C trace context for whatever this step causes; null where there is no trace. */
  readonly traceparent: string | null;
  /** Call once. With an error the step counts as failed. */
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

/** From now on steps of this process are recorded; null: they are not. Callers' trace contexts travel on either way. */
export const recordTraces = (tracer: Tracer | null): void => {
  recorder = tracer;
};

/** Begins a step of the trace that `traceparent` names, or of a new one. Source: W3C Trace Context. */
export const beginStep = ({ name, kind, attributes }: TraceStep, traceparent: string | null): OpenStep => {
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
        // Messages may name people and hosts; the log has them.
        span.setStatus({
          code: SpanStatusCode.ERROR,
          message: error instanceof Error ? error.name : 'failed',
        });
      }
      span.end();
    },
  };
};

/** Runs `work` as a step of the caller's trace; what it does with its context belongs to the step. Without a trace of the
 *  caller there is no step: work that nobody asked for, such as regular looks at a table, begins none. */
export const traced = async <C extends { readonly traceparent?: string | null }, T>(
  step: TraceStep,
  context: C,
  work: (context: C) => Promise<T>,
): Promise<T> => {
  if (!recorder || !context.traceparent) return work(context);
  const open = beginStep(step, context.traceparent);
  try {
    const answer = await work({ ...context, traceparent: open.traceparent });
    open.end();
    return answer;
  } catch (error) {
    open.end(error);
    throw error;
  }
};
