import { once } from 'node:events';
import { type AddressInfo, type Server, createServer } from 'node:net';
import { Logger } from '@nestjs/common';
import { waitUntil } from '@scrip/testing';
import { portClient } from '../port-client';
import { noPortMetrics } from '../port-metrics';
import { newNonce, proofOf, protocol } from './handshake';
import { TcpPorts } from './tcp-ports';
import {
  type Owner,
  RawPeer,
  ShopHandlers,
  type ShopPort,
  endAtOnce,
  endOf,
  shopPort,
  soon,
  startOwner,
} from './tcp.fixture';

const secret = Buffer.alloc(32, 7);
// No peer is closed for being slow, but where a test is about that.
const limits = { handshakeTimeoutMs: 60_000, unproved: 4 };
// Calls have 30 s. What is refused takes milliseconds, on a busy machine some seconds.
const longBeforeDeadlineMs = 15_000;

const open: { close(): Promise<void> }[] = [];
let handlers: ShopHandlers;
let owner: Owner;

const shopWith = (ownSecret: Buffer, ...ports: number[]): ShopPort => shopOf(ownSecret, ports, 0);

const shopOf = (
  ownSecret: Buffer,
  ports: readonly number[],
  startTogetherMs: number,
  connectTimeoutMs = 60_000,
): ShopPort => {
  const addresses = (ports.length > 0 ? ports : [owner.address.port]).map((port) => ({
    host: '127.0.0.1',
    port,
  }));
  const tcp = new TcpPorts({
    secret: ownSecret,
    addressesOf: () => addresses,
    limits: { startTogetherMs, connectTimeoutMs },
  });
  open.unshift(tcp);
  return portClient(shopPort, tcp.transportTo('shop'), noPortMetrics);
};

/** A client that knows the secret, up to the server's welcome. */
const provedPeer = async (): Promise<RawPeer> => {
  const peer = await RawPeer.to(owner.address);
  const hello = await waitUntil(() => peer.received[0], { what: 'the challenge' });
  const nonces = { client: newNonce(), server: String(hello[2]) };
  peer.send('prove', nonces.client, proofOf(secret, 'client', nonces));
  await waitUntil(() => peer.received[1]?.[0] === 'welcome', { what: 'the welcome' });
  return peer;
};

const closedBy = (peer: RawPeer) => waitUntil(() => peer.isClosed, { what: 'the close' });

const ownerStillServes = async () => expect(await shopWith(secret).echo(soon(), 'a friend')).toBe('a friend');

/** A server that does what it likes with its connections. */
const serverThat = async (does: (peer: RawPeer) => void): Promise<number> => {
  const server: Server = createServer((socket) => does(new RawPeer(socket)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push({ close: () => new Promise((resolve) => server.close(() => resolve())) });
  return (server.address() as AddressInfo).port;
};

beforeEach(async () => {
  jest.spyOn(Logger.prototype, 'log').mockImplementation();
  jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  handlers = new ShopHandlers();
  owner = await startOwner(new Map([[shopPort, handlers]]), { secret, limits });
  open.push(owner);
});
afterEach(async () => {
  for (const opened of open.splice(0)) await opened.close();
  jest.restoreAllMocks();
});

describe('a server', () => {
  it('serves nobody with another secret', async () => {
    const end = await endOf(shopWith(Buffer.alloc(32, 8)).echo(soon(), 'x'));
    expect(end.end).toBe('unavailable');
    expect(end.afterMs).toBeLessThan(longBeforeDeadlineMs);
    expect(handlers.asked).toEqual([]);
    expect(Logger.prototype.warn).toHaveBeenCalledWith(
      'closed the connection of 127.0.0.1: the other side does not know the secret',
    );
  });

  it('serves a client with a secret that is accepted beside its own, and proves that one to it', async () => {
    const [next, foreign] = [Buffer.alloc(32, 8), Buffer.alloc(32, 9)];
    owner = await startOwner(new Map([[shopPort, handlers]]), { secret, acceptedSecrets: [next], limits });
    open.push(owner);
    expect(await shopWith(next).echo(soon(), 'a neighbour')).toBe('a neighbour');
    expect(await shopWith(secret).echo(soon(), 'a friend')).toBe('a friend');
    expect((await endOf(shopWith(foreign).echo(soon(), 'x'))).end).toBe('unavailable');
  });

  it.each<[string, unknown[]]>([
    ['a call', [1, 'shop', 'echo', soon(), 'x']],
    ['a ping', ['ping']],
    ['a proof without a text', ['prove', 'nonce']],
    ['its own proof', ['welcome', 'proof', []]],
  ])('closes a connection that sends %s before its proof', async (_what, message) => {
    const peer = await RawPeer.to(owner.address);
    peer.send(...message);
    await closedBy(peer);
    expect(peer.received.map(([kind]) => kind)).toEqual(['hello']);
    expect(handlers.asked).toEqual([]);
  });

  it('does not take the proof of another connection', async () => {
    const first = await RawPeer.to(owner.address);
    const hello = await waitUntil(() => first.received[0], { what: 'the challenge' });
    const nonces = { client: newNonce(), server: String(hello[2]) };
    const proof = proofOf(secret, 'client', nonces);
    const second = await RawPeer.to(owner.address);
    await waitUntil(() => second.received[0], { what: 'the challenge' });
    second.send('prove', nonces.client, proof);
    await closedBy(second);
    first.send('prove', nonces.client, proof);
    await waitUntil(() => first.received[1]?.[0] === 'welcome', { what: 'the welcome' });
    first.socket.destroy();
  });

  it('never sends the secret, nor a proof before it got one', async () => {
    const bytes: Buffer[] = [];
    const peer = await RawPeer.to(owner.address);
    peer.socket.on('data', (chunk) => bytes.push(chunk));
    await waitUntil(() => peer.received[0], { what: 'the challenge' });
    expect(peer.received).toEqual([['hello', protocol, expect.any(String)]]);
    for (const form of [secret.toString(), secret.toString('base64url'), secret.toString('hex')]) {
      expect(Buffer.concat(bytes).includes(form)).toBe(false);
    }
    peer.socket.destroy();
  });

  it('closes a connection that proves nothing in time', async () => {
    owner = await startOwner(new Map([[shopPort, handlers]]), {
      secret,
      limits: { handshakeTimeoutMs: 300 },
    });
    open.push(owner);
    const openedAt = performance.now();
    const peer = await RawPeer.to(owner.address);
    await closedBy(peer);
    expect(performance.now() - openedAt).toBeGreaterThan(200);
  });

  it('keeps few connections without proof: the oldest makes room, and friends still get in', async () => {
    const strangers = await Promise.all(Array.from({ length: 4 }, () => RawPeer.to(owner.address)));
    await waitUntil(() => strangers.every(({ received }) => received.length === 1), { what: 'challenges' });
    expect(strangers.filter(({ isClosed }) => isClosed)).toHaveLength(0);
    const fifth = await RawPeer.to(owner.address);
    await waitUntil(() => strangers.filter(({ isClosed }) => isClosed).length === 1, { what: 'a close' });
    expect(fifth.isClosed).toBe(false);
    await ownerStillServes();
    for (const { socket } of [...strangers, fifth]) socket.destroy();
  });

  it.each<[string, Buffer]>([
    ['an HTTP request', Buffer.from('GET / HTTP/1.1\r\nHost: shop\r\n\r\n')],
    ['a frame of 2 GB', Buffer.of(0x7f, 0xff, 0xff, 0xff, 1)],
    ['a frame that is no JSON', Buffer.concat([Buffer.of(0, 0, 0, 2), Buffer.from('{x')])],
    ['an empty frame', Buffer.alloc(4)],
    ['a call without a context', Buffer.concat([Buffer.of(0, 0, 0, 17), Buffer.from('[1,"shop","echo"]')])],
    ['a number', Buffer.concat([Buffer.of(0, 0, 0, 2), Buffer.from('42')])],
  ])('closes the connection of a friend that sends %s, and serves the others', async (_what, bytes) => {
    const peer = await provedPeer();
    peer.socket.write(bytes);
    await closedBy(peer);
    expect(handlers.asked).toEqual([]);
    await ownerStillServes();
  });

  it.each([
    [1_048_576, false],
    [1_048_577, true],
  ])('reads a frame of %i bytes: refused %p', async (size, refused) => {
    const peer = await provedPeer();
    const call = [1, 'shop', 'echo', soon(), ''];
    const padding = size - Buffer.byteLength(JSON.stringify(call));
    peer.send(...call.slice(0, 4), 'x'.repeat(padding));
    if (refused) await closedBy(peer);
    else await waitUntil(() => handlers.asked.length === 1, { what: 'the call' });
    expect(handlers.asked).toHaveLength(refused ? 0 : 1);
    peer.socket.destroy();
  });

  it('answers a port that it does not know as unavailable, and an unknown method as a defect', async () => {
    jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const peer = await provedPeer();
    peer.send(1, 'library', 'echo', soon(), 'x');
    peer.send(2, 'shop', 'constructor', soon(), 'x');
    await waitUntil(() => peer.received.length === 4, { what: 'both answers' });
    expect(peer.received.slice(2)).toEqual([
      [1, 'fault', 'unavailable', true],
      [2, 'defect'],
    ]);
    peer.socket.destroy();
  });
});

describe('a client', () => {
  it('sends no call to a server that does not know the secret', async () => {
    const got: unknown[] = [];
    const port = await serverThat((peer) => {
      peer.send('hello', protocol, newNonce());
      peer.socket.on('data', () => {
        got.push(...peer.received.splice(0));
        peer.send('welcome', newNonce(), ['shop']);
      });
    });
    expect((await endOf(shopWith(secret, port).echo(soon(), 'x'))).end).toBe('unavailable');
    expect(got.length).toBeGreaterThan(0);
    expect(got.every((message) => (message as unknown[])[0] === 'prove')).toBe(true);
  });

  it('is not fooled by its own proof', async () => {
    const got: unknown[][] = [];
    const port = await serverThat((peer) => {
      peer.send('hello', protocol, newNonce());
      peer.socket.on('data', () => {
        got.push(...peer.received.splice(0));
        peer.send('welcome', got.at(-1)?.[2], ['shop']);
      });
    });
    expect((await endOf(shopWith(secret, port).echo(soon(), 'x'))).end).toBe('unavailable');
    expect(new Set(got.map(([kind]) => kind))).toEqual(new Set(['prove']));
  });

  it('does not use a peer that serves other ports: somebody else got the address', async () => {
    const other = await startOwner(new Map(), { secret });
    open.push(other);
    const shop = shopWith(secret, other.address.port, owner.address.port);
    for (let count = 0; count < 20; count += 1) expect(await shop.echo(soon(), count)).toBe(count);
    expect((await endOf(shopWith(secret, other.address.port).echo(soon(), 'x'))).end).toBe('unavailable');
    expect(Logger.prototype.warn).toHaveBeenCalledWith(
      'shop cannot be reached: those at its addresses do not serve it',
    );
  });

  it('warns of an owner that was never there only when it cannot be starting along with this process', async () => {
    const gone = await startOwner(new Map(), { secret });
    await gone.close();
    const warned = expect.stringMatching(/^shop cannot be reached: /);
    expect((await endOf(shopOf(secret, [gone.address.port], 600_000).echo(soon(), 'x'))).end).toBe(
      'unavailable',
    );
    expect(Logger.prototype.warn).not.toHaveBeenCalledWith(warned);
    expect((await endOf(shopOf(secret, [gone.address.port], 500).echo(soon(), 'x'))).end).toBe('unavailable');
    await waitUntil(() => (expect(Logger.prototype.warn).toHaveBeenCalledWith(warned), true), {
      what: 'the warning',
    });
  });

  it('gives up on a server that accepts and says nothing, and later calls fail at once', async () => {
    const port = await serverThat(() => undefined);
    const shop = shopOf(secret, [port], 0, 1_000);
    const first = await endOf(shop.echo(soon(), 'x'));
    expect(first.end).toBe('unavailable');
    expect(first.afterMs).toBeLessThan(longBeforeDeadlineMs);
    expect(await endAtOnce(shop.echo(soon(), 'x'))).toBe('unavailable');
  });

  it.each<[string, (peer: RawPeer) => void]>([
    ['garbage', (peer) => peer.socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['a frame of 2 GB', (peer) => peer.socket.write(Buffer.of(0x7f, 0xff, 0xff, 0xff))],
    ['an answer of no kind', (peer) => peer.send(1, 'stack', 'at index.ts')],
    ['a call', (peer) => peer.send('prove', 'a', 'b')],
  ])('survives a server that answers with %s: the call is unavailable', async (_what, answers) => {
    const port = await serverThat((peer) => {
      const server = newNonce();
      peer.send('hello', protocol, server);
      peer.socket.on('data', () => {
        const message = peer.received.shift();
        if (message?.[0] !== 'prove') return answers(peer);
        const nonces = { client: String(message[1]), server };
        peer.send('welcome', proofOf(secret, 'server', nonces, ['shop']), ['shop']);
      });
    });
    const end = await endOf(shopWith(secret, port).echo(soon(), 'x'));
    expect(end.end).toBe('unavailable');
    expect(end.afterMs).toBeLessThan(longBeforeDeadlineMs);
  });
});
