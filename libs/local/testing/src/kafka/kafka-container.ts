import { brokerSettings, freePort, kafkaAnswers } from '@scrip/local-kafka';
import { GenericContainer, ImageName, Wait, getContainerRuntimeClient } from 'testcontainers';
import { waitUntil } from '../wait-until';
import type { KafkaSource, TestKafka } from './kafka-source';

const image = 'apache/kafka:4.3.0';
const clientPort = 9092;

const variableOf = (property: string): string => `KAFKA_${property.toUpperCase().replaceAll('.', '_')}`;

/** Environment of the image for a broker that its clients reach at `host:port`. It talks to itself inside. */
export const containerEnvironment = (host: string, port: number): Record<string, string> =>
  Object.fromEntries(
    Object.entries({
      ...brokerSettings,
      'controller.quorum.voters': '1@localhost:9093',
      listeners: `CLIENTS://:${clientPort},CONTROLLER://:9093,PLAINTEXT://:9094`,
      'advertised.listeners': `CLIENTS://${host}:${port},PLAINTEXT://localhost:9094`,
      'listener.security.protocol.map': 'CLIENTS:PLAINTEXT,CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
    }).map(([property, value]) => [variableOf(property), value]),
  );

const start = async (): Promise<TestKafka> => {
  const { host } = (await getContainerRuntimeClient()).info.containerRuntime;
  // The broker has to know its outer port before it starts.
  const port = await freePort();
  const container = await new GenericContainer(image)
    .withEnvironment(containerEnvironment(host, port))
    .withExposedPorts({ container: clientPort, host: port })
    .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/))
    .start();
  const brokers = `${host}:${port}`;
  await waitUntil(() => kafkaAnswers(brokers), { what: `Kafka at ${brokers}`, timeoutMs: 30_000 });
  return { brokers, stop: async () => void (await container.stop()) };
};

/** Apache Kafka's image in a container, removed by testcontainers also when the run is killed. */
export const kafkaContainer: KafkaSource = {
  name: `a container of ${image}`,
  prepare: async () => {
    const { image: images } = await getContainerRuntimeClient();
    const name = ImageName.fromString(image);
    if (!(await images.exists(name))) await images.pull(name);
  },
  start,
};
