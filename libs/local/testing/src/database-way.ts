import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** A way to a database that can fall silent. */
export interface DatabaseWay {
  url: string;
  /** From now on the connections that are there stay, and nothing passes; new ones do. */
  stall(): void;
  close(): Promise<void>;
}

/** Leads connections to the server of `url` through a proxy. */
export const databaseWay = async (url: string): Promise<DatabaseWay> => {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(Number(target.port || 5432), target.hostname);
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        database.destroy();
        sockets.delete(socket);
      });
    }
    client.pipe(database);
    database.pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String((server.address() as AddressInfo).port);
  return {
    url: through.href,
    stall: () => {
      for (const socket of sockets) socket.unpipe().resume();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
