import ConsumerGroup from 'kafkajs/src/consumer/consumerGroup';

const { fetch } = ConsumerGroup.prototype;
/** The longest wait while a partition is held back: it is fetched again only after the fetch under way. */
const heldMs = 250;
/** What ends the fetches that wait, by group. */
const waiting = new Map<string, Set<() => void>>();
const longest = new WeakMap<ConsumerGroup, number>();

/** Lets consumers of kafkajs 2.2.4 wait for fetches as long as they were told only while all their partitions are fetched,
 *  and makes `endFetches` work. */
export const makeFetchesPatient = (): void => {
  ConsumerGroup.prototype.fetch = async function fetchPatiently(this: ConsumerGroup, nodeId: string) {
    const longestMs = longest.get(this) ?? this.maxWaitTime;
    longest.set(this, longestMs);
    this.maxWaitTime = this.paused().length > 0 ? Math.min(heldMs, longestMs) : longestMs;
    const ends = waiting.get(this.groupId) ?? new Set();
    waiting.set(this.groupId, ends);
    let end: () => void = () => undefined;
    const ended = new Promise<readonly unknown[]>((resolve) => (end = () => resolve([])));
    ends.add(end);
    try {
      return await Promise.race([fetch.call(this, nodeId), ended]);
    } finally {
      ends.delete(end);
      if (ends.size === 0) waiting.delete(this.groupId);
    }
  };
};

/** Lets the fetches of this process's consumers of a group that wait now end without entries. One that leaves its group
 *  would wait for them. `group`: as the brokers call it. */
export const endFetches = (group: string): void => {
  for (const end of waiting.get(group) ?? []) end();
};
