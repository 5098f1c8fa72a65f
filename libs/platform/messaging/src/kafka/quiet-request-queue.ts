import RequestQueue from 'kafkajs/src/network/requestQueue';

const scheduleCheck = RequestQueue.prototype.scheduleCheckPendingRequests;

/** Lets the queues of kafkajs look only at what waits. Those of kafkajs 2.2.4 set a timer to a time long ago, which means 1 ms,
 *  after each look: every open connection looks at its empty queue a thousand times a second for as long as it is open. */
export const quietenRequestQueues = (): void => {
  RequestQueue.prototype.scheduleCheckPendingRequests = function scheduleWhenNeeded(this: RequestQueue) {
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) scheduleCheck.call(this);
  };
};
