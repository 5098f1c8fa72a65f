import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { OpenConnections } from './open-connections';

// Long enough that a busy machine does not spend it between two lines of a test.
const patienceMs = 300;

describe('the connections of a server that closes', () => {
  let server: Server;
  let connections: OpenConnections;
  let answers: ServerResponse[];

  beforeEach(async () => {
    answers = [];
    server = createServer((request, response) => {
      answers.push(response);
      request.resume();
    });
    connections = new OpenConnections(server, patienceMs);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  const sends = async (head: string): Promise<Socket> => {
    const accepted = once(server, 'connection');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined);
    const [, [there]] = await Promise.all([once(socket, 'connect'), accepted]);
    if (head) {
      socket.write(head);
      await once(there as Socket, 'data');
    }
    return socket;
  };

  const close = async (): Promise<number> => {
    const from = performance.now();
    const closed = new Promise((resolve) => server.close(resolve));
    const sweep = setInterval(() => connections.closeUnused(from), 10);
    await closed;
    clearInterval(sweep);
    return performance.now() - from;
  };

  it.each([
    ['nothing has come', ''],
    ['half a head has come', 'GET / HTTP/1.1\r\nHost:'],
    ['half a body has come', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf'],
  ])('end after a while where %s', async (_case, head) => {
    const socket = await sends(head);
    const gone = once(socket, 'close');
    expect(await close()).toBeGreaterThanOrEqual(patienceMs - 1);
    await gone;
  });

  it('end after their answer, however long that takes', async () => {
    const socket = await sends('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const answer = text(socket);
    const closed = close();
    setTimeout(() => answers[0]?.end('late'), 3 * patienceMs);
    expect(await closed).toBeGreaterThanOrEqual(3 * patienceMs - 1);
    expect(await answer).toMatch(/late/);
  });

  it('have a while from their beginning, also when the server began to close long ago', async () => {
    // The clock stands from the beginning of the connection until it is looked at.
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    const socket = await sends('');
    const gone = once(socket, 'close');
    connections.closeUnused(performance.now() - 10 * patienceMs);
    clock.mockRestore();
    const from = performance.now();
    expect(
      await Promise.race([
        gone.then(() => 'gone'),
        new Promise((resolve) => setTimeout(resolve, 20, 'open')),
      ]),
    ).toBe('open');
    await close();
    expect(performance.now() - from).toBeGreaterThanOrEqual(patienceMs - 1);
  });

  it('end where half of a second request has come', async () => {
    const socket = await sends('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    answers[0]?.end('first');
    await once(socket, 'data');
    socket.write('GET / HTTP/1.1\r\nHo');
    expect(await close()).toBeLessThan(40 * patienceMs);
  });
});
