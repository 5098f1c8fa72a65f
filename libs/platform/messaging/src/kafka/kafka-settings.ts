import type { Secret } from '@scrip/kernel';

/** How a process reaches its brokers, and how the topics are made that it finds missing. Source: architecture §6. */
export interface KafkaSettings {
  /** `host:port` of some brokers; they name the others. */
  brokers: readonly string[];
  /** Shows in the brokers' logs and metrics. */
  clientId: string;
  /** Connections are encrypted and the broker's certificate is checked. `ca`: PEM of who signs it; the system's authorities
   *  unless given. Absent or null: nothing is encrypted. */
  tls?: { ca: string | null } | null;
  /** Who this process is to the brokers. Absent or null: it does not say. */
  sasl?: {
    mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
    username: string;
    password: Secret;
  } | null;
  /** Stands in front of the names of all topics and groups, with a dot: several installations may share brokers. Null or
   *  absent: nothing does. */
  namespace?: string | null;
  /** Of each new topic. */
  partitions: number;
  /** Of each new topic; at most the number of brokers. 3 where events must outlive the loss of a broker: a majority
   *  has each message then before it counts as stored. */
  replicationFactor: number;
  /** How long topics keep events. Dead letters stay for 30 days. */
  retentionMs: number;
  /** The largest message, and the largest set of messages of one partition, that a topic takes. */
  messageBytesMax: number;
}

/** What the brokers call a topic or a group of ours. */
export const nameInKafka = ({ namespace }: Pick<KafkaSettings, 'namespace'>, name: string): string =>
  namespace ? `${namespace}.${name}` : name;
