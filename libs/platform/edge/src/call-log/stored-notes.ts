import type { OperationsPort } from '@scrip/contracts/operations';
import { newRequestId } from '@scrip/kernel';
import { CallNotes } from './call-notes';

const patienceMs = 5_000;

/** Registers measurements of a process. */
export interface Counters {
  counter(name: string, help: string): (labels?: Record<string, string>, count?: number) => void;
}

/** Notes that operations store. */
export const storedNotes = (operations: OperationsPort, counters: Counters): CallNotes => {
  const lost = counters.counter('scrip_api_log_lost_total', 'Calls that are not in the log of API calls');
  return new CallNotes({
    store: async (calls) => {
      const call = { requestId: newRequestId(), deadlineAt: Date.now() + patienceMs, traceparent: null };
      await operations.noteCalls(call, { calls });
    },
    lost: (count) => lost({}, count),
  });
};
