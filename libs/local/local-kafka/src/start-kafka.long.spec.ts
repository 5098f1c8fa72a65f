import { Kafka, Partitioners, logLevel } from 'kafkajs';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { kafkaAnswers } from './kafka-answers';
import { isAlive } from './process-identity';
import { runningBroker } from './registration';
import { type KafkaServer, startKafka } from './start-kafka';

// Java takes its time where other suites take the processors.
jest.setTimeout(180_000);

const topic = 'messages';

const clientOf = ({ brokers }: KafkaServer) =>
  new Kafka({ brokers: [brokers], clientId: 'spec', logLevel: logLevel.NOTHING });

const send = async (kafka: KafkaServer, value: string): Promise<void> => {
  const producer = clientOf(kafka).producer({ createPartitioner: Partitioners.DefaultPartitioner });
  await producer.connect();
  await producer.send({ topic, acks: -1, messages: [{ key: 'a', value }] });
  await producer.disconnect();
};

/** The first `count` messages of the topic, as a new group reads them. */
const receive = async (kafka: KafkaServer, count: number): Promise<string[]> => {
  const consumer = clientOf(kafka).consumer({ groupId: `readers-${count}` });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  const received: string[] = [];
  await new Promise<void>((resolve, reject) => {
    const eachMessage = async ({ message }: { message: { value: Buffer | null } }) => {
      received.push(String(message.value));
      if (received.length === count) resolve();
    };
    consumer.run({ eachMessage }).catch(reject);
  });
  await consumer.disconnect();
  return received;
};

describe('startKafka', () => {
  let dataDir: string;
  let kafka: KafkaServer;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'scrip-kafka-spec-'));
    kafka = await startKafka({ dataDir, quickStart: true });
    const admin = clientOf(kafka).admin();
    await admin.connect();
    await admin.createTopics({ topics: [{ topic, numPartitions: 1 }] });
    await admin.disconnect();
  });
  afterAll(async () => {
    await kafka.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('gives a broker through which messages go, also after kill -9 and after a stop', async () => {
    await send(kafka, 'first');
    await kafka.kill();
    expect(await kafkaAnswers(kafka.brokers)).toBe(false);
    await kafka.start();
    await send(kafka, 'second');
    await kafka.stop();
    await kafka.start();
    expect(await receive(kafka, 2)).toEqual(['first', 'second']);
  });

  it('tells that it was lost, and starts again', async () => {
    const { lost, pid } = kafka;
    process.kill(pid, 'SIGKILL');
    await lost;
    await kafka.start();
    expect(kafka.pid).not.toBe(pid);
    expect(runningBroker(dataDir)).toEqual({ pid: kafka.pid, port: kafka.port, ownerPid: process.pid });
  });

  it('keeps a temporary folder only as long as the broker runs', async () => {
    const other = await startKafka({ quickStart: true });
    expect(other.port).not.toBe(kafka.port);
    expect(readFileSync(other.logFile, 'utf8')).toContain('Kafka Server started');
    await other.stop();
    expect(isAlive(other.pid)).toBe(false);
    expect(existsSync(dirname(other.logFile))).toBe(false);
  });

  it('says which port is taken', async () => {
    await expect(startKafka({ port: kafka.port, quickStart: true })).rejects.toThrow(
      new RegExp(`Kafka does not start on port ${kafka.port}[^]*Address already in use`),
    );
  });
});
