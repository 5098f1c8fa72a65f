import { describeEventAdapter } from '../testing/adapter-suite.fixture';
import { kafkaHarness, useBroker } from '../testing/kafka-harness.fixture';

useBroker();
describeEventAdapter('Kafka', () => kafkaHarness());
