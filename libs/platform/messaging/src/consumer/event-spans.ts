import type { StoredEvent } from '@scrip/event-store';
import { type Span, beginSpan } from '@scrip/kernel';

/** Begins a span for each event that belongs to a trace; answers how to end them all. */
export const beginEventSpans = (events: readonly StoredEvent[], span: Span): ((error?: unknown) => void) => {
  const open = events.flatMap(({ metadata: { traceparent } }) =>
    traceparent === undefined ? [] : [beginSpan(span, traceparent)],
  );
  return (error) => open.forEach(({ end }) => end(error));
};
