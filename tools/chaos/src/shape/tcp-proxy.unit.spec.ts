import { waitUntil } from '@scrip/testing';
import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';
import { TcpProxy } from './tcp-proxy';

let echo: Server;
let accepted: Socket[];
let proxy: TcpProxy;
let clients: Socket[];

beforeEach(async () => {
  accepted = [];
  clients = [];
  echo = createServer((socket) => {
    accepted.push(socket);
    socket.on('error', () => undefined);
    socket.pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  proxy = await new TcpProxy((echo.address() as AddressInfo).port).listen();
});
afterEach(async () => {
  for (const socket of [...clients, ...accepted]) socket.destroy();
  await proxy.close();
  echo.close();
});

/** A client and what it has received. */
const client = (): { socket: Socket; received: () => string; isClosed: () => boolean } => {
  const socket = connect(proxy.port, '127.0.0.1');
  clients.push(socket);
  let text = '';
  let closed = false;
  socket.on('error', () => undefined);
  socket.on('data', (bytes: Buffer) => (text += bytes.toString()));
  socket.on('close', () => (closed = true));
  return { socket, received: () => text, isClosed: () => closed };
};

const arrives = (of: { received: () => string }, text: string): Promise<unknown> =>
  waitUntil(() => of.received() === text, { what: text });

describe('a proxy that drops packets', () => {
  it('carries both ways', async () => {
    const one = client();
    one.socket.write('hello');
    await arrives(one, 'hello');
  });

  it('forwards nothing while it is frozen, closes nothing, and delivers it all afterwards', async () => {
    const [one, witness] = [client(), client()];
    one.socket.write('before ');
    await arrives(one, 'before ');
    proxy.freeze();
    one.socket.write('meanwhile');
    const late = client();
    late.socket.write('late');
    await once(late.socket, 'connect');
    expect([one.received(), late.received(), one.isClosed(), late.isClosed()]).toEqual([
      'before ',
      '',
      false,
      false,
    ]);
    proxy.thaw();
    await arrives(one, 'before meanwhile');
    await arrives(late, 'late');
    witness.socket.write('too');
    await arrives(witness, 'too');
  });

  it('lets the other side know of an end only when it works again', async () => {
    const one = client();
    one.socket.write('hello');
    await arrives(one, 'hello');
    proxy.freeze();
    accepted[0]?.destroy();
    const witness = client();
    await once(witness.socket, 'connect');
    expect(one.isClosed()).toBe(false);
    proxy.thaw();
    await waitUntil(one.isClosed, { what: 'the end of the connection' });
  });

  it('leads new connections to where it is told to', async () => {
    const other = createServer((socket) => void socket.end('another')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    proxy.targetPort = (other.address() as AddressInfo).port;
    await arrives(client(), 'another');
    other.close();
  });
});
