import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';
import { KafkaClient } from '../kafka/kafka-client';
import { testKafka } from './kafka-harness.fixture';

/** The one way to the broker for this test's clients, which can be closed and opened again. */
export interface BrokerDoor {
  close(): Promise<void>;
  open(): Promise<void>;
  /** From now on connections stay, and nothing passes. */
  stall(): void;
  /** Lets clients connect directly again. */
  remove(): Promise<void>;
}

/** Leads every connection of `KafkaClient` through a proxy, also those to the addresses that the broker tells. */
export const brokerDoor = async (): Promise<BrokerDoor> => {
  const [host = '', port = ''] = (testKafka().brokers[0] ?? '').split(':');
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  let doorPort = 0;
  let stalled = false;
  const open = async (): Promise<void> => {
    server = createServer((client) => {
      const broker = connect(Number(port), host);
      for (const socket of [client, broker]) {
        sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          client.destroy();
          broker.destroy();
          sockets.delete(socket);
        });
      }
      if (stalled) return;
      client.pipe(broker);
      broker.pipe(client);
    });
    await new Promise<void>((resolve) => server?.listen(doorPort, '127.0.0.1', resolve));
    doorPort = (server?.address() as AddressInfo).port;
  };
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => server?.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await open();
  const clients = KafkaClient.prototype as unknown as {
    open(host: string, port: number, ssl: undefined, onConnect: () => void): Socket;
  };
  const direct = clients.open;
  const led = jest.spyOn(clients, 'open').mockImplementation(function (
    this: unknown,
    _host,
    _port,
    ssl,
    onConnect,
  ) {
    return direct.call(this as typeof clients, '127.0.0.1', doorPort, ssl, onConnect);
  });
  return {
    close,
    open,
    stall: () => {
      stalled = true;
      for (const socket of sockets) socket.unpipe();
    },
    remove: async () => {
      led.mockRestore();
      await close();
    },
  };
};
