import { type Offer, offer } from '../offer';
import type { KafkaSource, TestKafka } from './kafka-source';

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

/** Offers a Kafka, whose brokers are the answer. */
export const offerKafka = (sources: readonly KafkaSource[]): Promise<Offer> =>
  offer(async () => {
    const kafka = await startFirst(sources);
    return { answer: () => kafka.brokers, stop: () => kafka.stop() };
  });
