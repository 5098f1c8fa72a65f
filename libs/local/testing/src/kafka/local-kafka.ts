import { prepareKafka, startKafka } from '@scrip/local-kafka';
import type { KafkaSource } from './kafka-source';

/** A broker on this machine, from Apache's jars. */
export const localKafka: KafkaSource = {
  name: 'a broker on this machine (libs/local/local-kafka)',
  prepare: prepareKafka,
  start: () => startKafka({ quickStart: true }),
};
