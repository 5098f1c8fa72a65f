export { findPrograms as prepareKafka } from './broker-process';
export { brokerSettings } from './broker-settings';
export { kafkaFolder } from './data-folder';
export { endWithThisProcess } from './end-process';
export { freePort } from './free-port';
export { kafkaAnswers } from './kafka-answers';
export { runningBroker } from './registration';
export { type KafkaOptions, type KafkaServer, startKafka } from './start-kafka';
export { messagesOf } from './messages-of';
