/** The part of kafkajs 2.2.4 that `patient-fetches.ts` changes; kafkajs declares no types for it. */
declare module 'kafkajs/src/consumer/consumerGroup' {
  export default class ConsumerGroup {
    readonly groupId: string;
    /** Milliseconds that the broker may keep a fetch waiting. */
    maxWaitTime: number;
    /** The assigned partitions that are paused, by topic. */
    paused(): readonly unknown[];
    fetch(nodeId: string): Promise<readonly unknown[]>;
  }
}
