import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { KafkaSource, TestKafka } from './kafka-source';

/** Kafka for whoever asks first, in the process that outlives all suites of a run. */
export interface KafkaOffer {
  /** GET answers 200 with the brokers, or 503 with why there are none. */
  readonly url: string;
  /** Stops the broker where one was started. */
  stop(): Promise<void>;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

// The first source that works; the error of each that does not is part of the last word.
const startFirst = async (sources: readonly KafkaSource[]): Promise<TestKafka> => {
  const reasons: string[] = [];
  for (const source of sources) {
    try {
      return await source.start();
    } catch (error) {
      reasons.push(`${source.name}: ${messageOf(error)}`);
    }
  }
  throw new Error(
    `no Kafka for these tests. Start Docker, or install Java 17 and Maven, or set SCRIP_TEST_KAFKA_BROKERS.\n${reasons.join('\n')}`,
  );
};

/** Offers a Kafka that starts when the first suite asks, since most runs need none. */
export const offerKafka = async (sources: readonly KafkaSource[]): Promise<KafkaOffer> => {
  let started: Promise<TestKafka> | undefined;
  const server = createServer((_request, response) => {
    started ??= startFirst(sources);
    started.then(
      ({ brokers }) => response.end(brokers),
      (error: unknown) => response.writeHead(503).end(messageOf(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await (await started?.catch(() => undefined))?.stop();
    },
  };
};
