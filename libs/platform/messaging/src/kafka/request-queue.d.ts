/** The part of kafkajs 2.2.4 that `quiet-request-queue.ts` mends; kafkajs declares no types for it. */
declare module 'kafkajs/src/network/requestQueue' {
  export default class RequestQueue {
    /** What waits until it may be sent. */
    readonly pending: readonly unknown[];
    /** Milliseconds since 1970 until which the broker asked for silence; -1 = never. */
    readonly throttledUntil: number;
    scheduleCheckPendingRequests(): void;
  }
}
