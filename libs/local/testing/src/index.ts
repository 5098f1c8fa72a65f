export { type Certificates, makeCertificates } from './internal-certificates';
export { type DatabaseWay, databaseWay } from './database-way';
export { contextDatabaseUrls, createDatabase, dropDatabase, preparedDatabase } from './databases';
export { FrozenEvents } from './frozen-events';
export { type Decided, type Past, givenFor } from './given-when-then';
export { type KafkaOptions, type KafkaServer, freePort, prepareKafka, startKafka } from '@scrip/local-kafka';
export { holdFirst } from './hold-first';
export { messagesOf } from '@scrip/local-kafka';
export { kafkaBrokers } from './kafka/kafka-brokers';
export { patientAnswers } from './patient-answers';
export { startPostgres } from './postgres-server';
export { prepareS3, type S3Server, startS3 } from './s3-server';
export { leastCpuMs } from './cpu-time';
export { projectOf } from './project';
export { rounds } from './rounds';
export { type TouchedRows, touchedRows } from './touched-rows';
export { untilTheHourLasts } from './until-the-hour-lasts';
export { type Waiting, waitUntil } from './wait-until';
export { type ReceivedWebhook, type SinkAnswer, type WebhookSink, webhookSink } from './webhook-sink';
export { type RunningChild, startChild } from './child-process';
export { KilledProgram } from './killed-program';
export {
  type Scrip,
  type ScripAnswer,
  type ScripCredentials,
  type ScripProject,
  campaignOf,
  discard,
  generationEnds,
  projectId,
  startScrip,
  startScripOnTestServers,
  taskEnds,
} from './scrip-process';
export { adminPassword, type SharedScrip, sharedScrip } from './shared-scrip';
export { type ScripOptions, type ScripProgram, type Shape, spawnScrip, testedShape } from './scrip-program';
