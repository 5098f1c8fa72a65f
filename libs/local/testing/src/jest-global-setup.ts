import { randomBytes } from 'node:crypto';
import { runVariable, serverVariable } from './databases';
import { dockerEngineAnswers } from './kafka/docker-engine';
import { brokersVariable, offerVariable } from './kafka/kafka-brokers';
import { offerKafka } from './kafka/kafka-offer';
import { kafkaContainer } from './kafka/kafka-container';
import { localKafka } from './kafka/local-kafka';
import { type Offer, offer } from './offer';
import { type PostgresServer, startPostgres } from './postgres-server';
import { sharedScripVariable, startSharedScrip } from './shared-scrip';

/** What a jest run has started, for its teardown. */
export interface StartedServers {
  scripTestPostgres?: PostgresServer;
  scripTestKafka?: Offer;
  sharedScrip?: Offer;
}

const started = globalThis as StartedServers;

const setUpPostgres = async (): Promise<void> => {
  if (process.env[serverVariable]) return;
  started.scripTestPostgres = await startPostgres({ survivesPowerCuts: false });
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

// Never the one of a run around this one: that runs another program.
const setUpScrip = async (): Promise<void> => {
  started.sharedScrip = await offer(startSharedScrip);
  process.env[sharedScripVariable] = started.sharedScrip.url;
};

/** One PostgreSQL server, and one Kafka and one Scrip once a suite asks for them, for all suites of a jest run; not the
 *  servers that the environment names. */
const setUp = async (): Promise<void> => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // The servers' own exit handlers run on process.exit, but not when a signal ends the process.
    process.once(signal, () => process.exit(130));
  }
  process.env[runVariable] = randomBytes(6).toString('hex');
  await Promise.all([setUpPostgres(), setUpKafka(), setUpScrip()]);
};

export default setUp;
