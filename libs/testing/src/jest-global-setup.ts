import { serverVariable } from './databases';
import { dockerEngineAnswers } from './kafka/docker-engine';
import { brokersVariable, offerVariable } from './kafka/kafka-brokers';
import { type KafkaOffer, offerKafka } from './kafka/kafka-offer';
import { kafkaContainer } from './kafka/kafka-container';
import { localKafka } from './kafka/local-kafka';
import { type PostgresServer, startPostgres } from './postgres-server';

/** What a jest run has started, for its teardown. */
export interface StartedServers {
  scripTestPostgres?: PostgresServer;
  scripTestKafka?: KafkaOffer;
}

const started = globalThis as StartedServers;

const setUpPostgres = async (): Promise<void> => {
  if (process.env[serverVariable]) return;
  started.scripTestPostgres = await startPostgres();
  process.env[serverVariable] = started.scripTestPostgres.url;
};

const setUpKafka = async (): Promise<void> => {
  if (process.env[brokersVariable]) return;
  const sources = (await dockerEngineAnswers()) ? [kafkaContainer, localKafka] : [localKafka];
  // Downloads would outlast the time limit of a suite. What fails here is told to the suites that need Kafka.
  await sources[0]?.prepare().catch(() => undefined);
  started.scripTestKafka = await offerKafka(sources);
  process.env[offerVariable] = started.scripTestKafka.url;
};

/** One PostgreSQL server, and one Kafka once a suite asks for it, for all suites of a jest run, unless the environment
 *  names them. */
const setUp = async (): Promise<void> => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // The servers' own exit handlers run on process.exit, but not when a signal ends the process.
    process.once(signal, () => process.exit(130));
  }
  await Promise.all([setUpPostgres(), setUpKafka()]);
};

export default setUp;
