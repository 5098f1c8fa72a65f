import type { StoredEvent } from '@scrip/event-store';
import { type TraceStep, beginStep } from '@scrip/kernel';

/** Begins a step for each event that belongs to a trace; answers how to end them all. */
export const beginEventSteps = (
  events: readonly StoredEvent[],
  step: TraceStep,
): ((error?: unknown) => void) => {
  const open = events.flatMap(({ metadata: { traceparent } }) =>
    traceparent === undefined ? [] : [beginStep(step, traceparent)],
  );
  return (error) => open.forEach(({ end }) => end(error));
};
