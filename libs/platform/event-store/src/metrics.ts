/** Counters and gauges of one context's event store, for an exporter to read. Counters only rise. */
export class EventStoreMetrics {
  /** Batches that were written. */
  commits = 0;
  /** Statements that wrote batches of several streams, and the batches that they wrote. */
  mergedStatements = 0;
  mergedWrites = 0;
  /** Commands that were answered, refusals included. */
  decisions = 0;
  events = 0;
  /** Batches whose state had changed under them. */
  versionConflicts = 0;
  /** Batches that were run one by one because of one member. */
  isolatedBatches = 0;
  /** Commits whose end was unknown at first. */
  inDoubtCommits = 0;
  /** Commands refused because too many were waiting. */
  overloaded = 0;
  /** Commands whose deadline passed before their answer. */
  expired = 0;
  /** Commands waiting or in flight, now. */
  mailboxDepth = 0;
  /** Streams with commands waiting or in flight, now. */
  activeStreams = 0;
}
