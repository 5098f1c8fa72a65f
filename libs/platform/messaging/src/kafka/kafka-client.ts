import { Kafka, type SASLOptions, logLevel } from 'kafkajs';
import { Socket, connect, isIP } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { kafkaLogCreator } from './kafka-logging';
import { type KafkaSettings, nameInKafka } from './kafka-settings';
import { makeFetchesPatient } from './patient-fetches';
import { quietenRequestQueues } from './quiet-request-queue';

quietenRequestQueues();
makeFetchesPatient();

const keepAliveMs = 10_000;

const saslOf = ({ mechanism, username, password }: NonNullable<KafkaSettings['sasl']>): SASLOptions => ({
  mechanism: mechanism as 'plain',
  username,
  password: password.reveal(),
});

/** An address is no name that TLS could ask for. */
const nameOf = (host: string): { servername?: string } => (isIP(host) === 0 ? { servername: host } : {});

/** kafkajs with sockets that can be cut: a producer that retries inside kafkajs cannot be stopped otherwise, and
 *  connects again after it was disconnected. */
export class KafkaClient {
  readonly kafka: Kafka;
  private readonly sockets = new Set<Socket>();
  private cut = false;

  constructor(
    private readonly settings: Pick<KafkaSettings, 'brokers' | 'clientId' | 'namespace' | 'tls' | 'sasl'>,
  ) {
    const { brokers, clientId, tls, sasl } = settings;
    this.kafka = new Kafka({
      brokers: [...brokers],
      clientId,
      connectionTimeout: 3_000,
      requestTimeout: 15_000,
      // Few tries: the loops around have their own, and stop when they are told to.
      retry: { initialRetryTime: 100, multiplier: 2, factor: 0.2, maxRetryTime: 2_000, retries: 4 },
      logLevel: logLevel.WARN,
      logCreator: kafkaLogCreator,
      ...(tls ? { ssl: { ...(tls.ca === null ? {} : { ca: tls.ca }) } } : {}),
      ...(sasl ? { sasl: saslOf(sasl) } : {}),
      socketFactory: ({ host, port, ssl, onConnect }) => this.open(host, port, ssl, onConnect),
    });
  }

  /** What the brokers call a topic or a group of ours. */
  nameOf(name: string): string {
    return nameInKafka(this.settings, name);
  }

  /** Ends every socket now, whatever is under way on it, and lets none be opened again. */
  cutOff(): void {
    this.cut = true;
    for (const socket of this.sockets) socket.destroy(this.reason());
  }

  private open(
    host: string,
    port: number,
    ssl: ConnectionOptions | undefined,
    onConnect: () => void,
  ): Socket {
    if (this.cut) return this.refusal();
    const socket = ssl
      ? connectTls({ host, port, ...nameOf(host), ...ssl }, onConnect)
      : connect({ host, port }, onConnect);
    socket.setKeepAlive(true, keepAliveMs);
    // kafkajs unrefs a socket that could not connect with every disconnect, which adds a listener each time.
    socket.setMaxListeners(0);
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    return socket;
  }

  private refusal(): Socket {
    const socket = new Socket().setMaxListeners(0);
    // kafkajs listens for errors only once it has the socket.
    setImmediate(() => socket.destroy(this.reason()));
    return socket;
  }

  private reason(): Error {
    return Object.assign(new Error('the connection was cut off'), { code: 'ECONNRESET' });
  }
}
