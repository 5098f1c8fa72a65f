/** How a process reaches its brokers, and how the topics are made that it finds missing. Source: architecture §6. */
export interface KafkaSettings {
  /** `host:port` of some brokers; they name the others. */
  brokers: readonly string[];
  /** Shows in the brokers' logs and metrics. */
  clientId: string;
  /** Stands in front of the names of all topics and groups, with a dot: several installations may share brokers. Null or
   *  absent: nothing does. */
  namespace?: string | null;
  /** Of each new topic. */
  partitions: number;
  /** Of each new topic; at most the number of brokers. */
  replicationFactor: number;
  /** How long topics keep events. Dead letters stay for 30 days. */
  retentionMs: number;
  /** The largest message, and the largest set of messages of one partition, that a topic takes. */
  messageBytesMax: number;
}

/** What the brokers call a topic or a group of ours. */
export const nameInKafka = ({ namespace }: Pick<KafkaSettings, 'namespace'>, name: string): string =>
  namespace ? `${namespace}.${name}` : name;
