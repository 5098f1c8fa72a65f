// The producer's process in the measurement of Kafka: its relay, and nothing else.
import { EventStore } from '@scrip/event-store';
import { KafkaRelay } from '@scrip/messaging';
import { connected, kafkaOf, noteDefinition } from './kafka-notes';

const main = async (): Promise<void> => {
  const { DATABASE_URL = '', BENCH_BROKERS = '', BENCH_SERVICE = '' } = process.env;
  const database = await connected(DATABASE_URL, 'bench_shop');
  const store = new EventStore(BENCH_SERVICE, database);
  store.aggregate(noteDefinition);
  const relay = new KafkaRelay({ store, database, kafka: kafkaOf(BENCH_BROKERS, BENCH_SERVICE) });
  await relay.start();
  process.stdout.write(`relaying ${BENCH_SERVICE}\n`);
  process.on('SIGTERM', () => void relay.stop().then(() => database.destroy()));
};

void main();
