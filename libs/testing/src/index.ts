export { createDatabase, dropDatabase } from './databases';
export { type Decider, type Outcome, type Past, givenFor } from './given-when-then';
export { type KafkaOptions, type KafkaServer, freePort, startKafka } from '@scrip/local-kafka';
export { kafkaBrokers } from './kafka/kafka-brokers';
export { type PostgresServer, startPostgres } from './postgres-server';
export { type Waiting, waitUntil } from './wait-until';
export {
  type AnswerRule,
  type ReceivedWebhook,
  type SinkAnswer,
  type WebhookFilter,
  type WebhookSink,
  webhookSink,
} from './webhook-sink';
export { type RunningChild, startChild } from './child-process';
export {
  type Scrip,
  type ScripAnswer,
  type ScripCredentials,
  campaignOf,
  discard,
  generationEnds,
  projectId,
  startScrip,
} from './scrip-process';
export { type ScripOptions, type ScripProgram, type Shape, spawnScrip, testedShape } from './scrip-program';
