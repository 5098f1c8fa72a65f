/** A Kafka for the suites of one jest run. */
export interface TestKafka {
  /** `host:port` */
  readonly brokers: string;
  stop(): Promise<void>;
}

/** A way to come by one. */
export interface KafkaSource {
  readonly name: string;
  /** Fetches what a start needs, which may take minutes on a machine's first run. */
  prepare(): Promise<unknown>;
  start(): Promise<TestKafka>;
}
