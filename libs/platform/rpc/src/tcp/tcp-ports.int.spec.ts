import { Logger } from '@nestjs/common';
import { type Port, definePort, Fault, noDeadline } from '@scrip/kernel';
import { waitUntil } from '@scrip/testing';
import { portClient } from '../port-client';
import { noConnectionMetrics, noPortMetrics } from '../port-metrics';
import type { RpcAddress } from './address-book';
import type { TcpLimits } from './tcp-limits';
import { TcpPorts, type TcpPortsOptions } from './tcp-ports';
import {
  type Network,
  type Owner,
  type OwnerOptions,
  ShopHandlers,
  type ShopPort,
  endAtOnce,
  endOf,
  networkTo,
  shopPort,
  soon,
  startOwner,
} from './tcp.fixture';

const secret = Buffer.alloc(32, 7);
const market = definePort<ShopPort>('market', ['echo', 'hold', 'fail']);
/** For what a busy machine must not end. */
const patientMs = 60_000;

const open: { close(): Promise<void> }[] = [];

const ownerOf = async (handlers: ShopHandlers, options: Partial<OwnerOptions> = {}): Promise<Owner> => {
  const served = new Map<Port<object>, object>([
    [shopPort, handlers],
    [market, handlers],
  ]);
  const owner = await startOwner(served, { secret, ...options });
  open.push(owner);
  return owner;
};

const portsTo = (
  addresses: RpcAddress[],
  limits: Partial<TcpLimits> = {},
  options: Partial<TcpPortsOptions> = {},
): TcpPorts => {
  const tcp = new TcpPorts({
    secret,
    addressesOf: () => addresses,
    limits: { connectTimeoutMs: patientMs, ...limits },
    ...options,
  });
  // Clients go first: a server's close waits for them.
  open.unshift(tcp);
  return tcp;
};

const shopOf = (tcp: TcpPorts, port: Port<ShopPort> = shopPort): ShopPort =>
  portClient(port, tcp.transportTo(port.name), noPortMetrics);

const shopAt = (addresses: RpcAddress[], limits: Partial<TcpLimits> = {}): ShopPort =>
  shopOf(portsTo(addresses, limits));

/** A client whose sockets are both ready: an owner sees a socket before the client may use it. */
const shopOnBothSockets = async ({ address }: Owner, limits: Partial<TcpLimits>): Promise<ShopPort> => {
  let sockets = 0;
  const metrics = { ...noConnectionMetrics, sockets: (_port: string, count: number) => (sockets = count) };
  const shop = shopOf(portsTo([address], limits, { metrics }));
  await shop.echo(soon(), 'connected');
  await waitUntil(() => sockets === 2, { what: 'both sockets' });
  return shop;
};

const networkOf = async (address: RpcAddress): Promise<Network> => {
  const network = await networkTo(address);
  // Before the owners: their close waits for connections that hang in here.
  open.unshift(network);
  return network;
};

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const bothAnswer = (shop: ShopPort) =>
  waitUntil(async () => new Set(await Promise.all(times(8, () => shop.echo(soon(), 'who')))).size === 2, {
    what: 'answers of both',
  });

let errors: jest.SpyInstance;
beforeEach(() => {
  jest.spyOn(Logger.prototype, 'log').mockImplementation();
  jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  errors = jest.spyOn(Logger.prototype, 'error').mockImplementation();
});
afterEach(async () => {
  for (const opened of open.splice(0)) await opened.close();
  jest.restoreAllMocks();
});

/** The same handlers behind a port whose `echo` names the stream that it writes. */
const streamed = definePort<ShopPort>('streamed', ['echo', 'hold', 'fail'], {
  echo: (request) => (request as { stream: string }).stream,
});

describe('calls that name a stream', () => {
  const streams = times(40, (index) => ({ stream: `v_${index}` }));

  /** Two owners, and who of them was asked about each stream. */
  const twoOwners = async () => {
    const handlers = [new ShopHandlers('a'), new ShopHandlers('b')];
    const owners = [];
    for (const one of handlers) {
      const owner = await startOwner(new Map<Port<object>, object>([[streamed, one]]), { secret });
      open.push(owner);
      owners.push(owner);
    }
    const askedOf = (one: ShopHandlers | undefined): Set<string> =>
      new Set((one?.asked as { stream: string }[]).map(({ stream }) => stream));
    return { handlers, owners, askedOf };
  };
  const bothConnected = async (tcp: TcpPorts, handlers: readonly ShopHandlers[]): Promise<ShopPort> => {
    const shop = shopOf(tcp, streamed);
    await waitUntil(
      async () => {
        await Promise.all(streams.map((stream) => shop.echo(soon(), stream)));
        return handlers.every(({ asked }) => asked.length > 0);
      },
      { what: 'calls at both' },
    );
    for (const one of handlers) one.asked.splice(0);
    return shop;
  };

  it('meet at one replica each, whoever calls', async () => {
    const { handlers, owners, askedOf } = await twoOwners();
    const addresses = owners.map(({ address }) => address);
    const first = await bothConnected(portsTo(addresses), handlers);
    const second = await bothConnected(portsTo([...addresses].reverse()), handlers);
    for (const shop of [first, second, first])
      await Promise.all(streams.map((stream) => shop.echo(soon(), stream)));
    const [a, b] = handlers.map(askedOf);
    expect([a?.size, b?.size].every((size) => size !== undefined && size > 5)).toBe(true);
    expect([...(a ?? [])].filter((stream) => b?.has(stream))).toEqual([]);
  });

  it('go to the next replica when theirs is gone', async () => {
    const { handlers, owners } = await twoOwners();
    const shop = await bothConnected(portsTo(owners.map(({ address }) => address)), handlers);
    await owners[0]?.kill();
    await waitUntil(
      async () =>
        (await endOf(Promise.all(streams.map((stream) => shop.echo(soon(), stream))))).end === 'answered',
      { what: 'answers of the other' },
    );
    expect(new Set(handlers[1]?.asked.map((asked) => (asked as { stream: string }).stream)).size).toBe(40);
  });
});

describe('a call to another process', () => {
  let handlers: ShopHandlers;
  let owner: Owner;
  let shop: ShopPort;
  beforeEach(async () => {
    handlers = new ShopHandlers();
    owner = await ownerOf(handlers);
    shop = shopAt([owner.address]);
  });

  it('brings request and answer over unchanged, whatever their letters', async () => {
    const request = {
      code: 'gültig 東京 🎟️',
      lone: '\ud800',
      items: [{ amount: 1.5 }, null, true],
      empty: '',
    };
    expect(await shop.echo(soon(), request)).toEqual(request);
    expect(handlers.asked).toEqual([request]);
  });

  it('carries 900 KB there and back', async () => {
    const request = '東🎟'.repeat(900_000 / 7);
    expect(await shop.echo(soon(), request)).toBe(request);
  });

  it('gives each of many callers its own answer', async () => {
    const answers = await Promise.all(times(900, (index) => shop.echo(soon(), { index })));
    expect(answers).toEqual(times(900, (index) => ({ index })));
  });

  it('needs no deadline', async () => {
    expect(await shop.echo({ ...soon(), deadlineAt: Number.POSITIVE_INFINITY }, 'a')).toBe('a');
    expect(await shop.echo({ ...soon(), deadlineAt: noDeadline }, 'b')).toBe('b');
  });

  it('answers nothing where the owner answers nothing', async () => {
    expect(await shop.fail(soon(), { as: 'nothing' })).toBeUndefined();
  });

  it('brings refusals as values', async () => {
    expect(await shop.fail(soon(), { as: 'refusal' })).toEqual({
      refused: 'not_found',
      details: 'no such voucher',
      resourceId: 'v_1',
    });
  });

  it("brings the kind of the owner's faults, and whether to try again", async () => {
    await expect(shop.fail(soon(), { as: 'overloaded' })).rejects.toMatchObject({
      name: 'Fault',
      kind: 'overloaded',
      retryable: false,
      message: 'shop.fail was answered: overloaded',
    });
  });

  it('tells nothing of a defect to the caller, and everything to the log of its owner', async () => {
    const error: unknown = await shop.fail(soon(), { as: 'defect' }).catch((thrown: unknown) => thrown);
    expect(error).toEqual(new Error('shop.fail failed at its owner'));
    expect(errors).toHaveBeenCalledWith(
      'shop.fail failed',
      { request_id: 'v-1' },
      new Error('column "secret" of relation vouchers'),
    );
  });

  it('is a fault where its owner knows that the world failed, and nobody is alarmed', async () => {
    const faultOf = (error: unknown): Fault =>
      new Fault('unavailable', 'the database is away', { cause: error });
    const waiting = await ownerOf(handlers, { faultOf });
    await expect(shopAt([waiting.address]).fail(soon(), { as: 'defect' })).rejects.toMatchObject({
      name: 'Fault',
      kind: 'unavailable',
      retryable: true,
    });
    expect(errors).not.toHaveBeenCalled();
  });

  it('is a defect where the answer fits no frame, and the next call is answered', async () => {
    await expect(shop.fail(soon(), { as: 'huge' })).rejects.toThrow('shop.fail failed at its owner');
    expect(errors.mock.calls[0]?.[2]).toEqual(
      new RangeError('the answer of shop.fail has 1048591 bytes, 1048576 fit into a frame'),
    );
    expect(await shop.echo(soon(), 'next')).toBe('next');
  });

  it('is not sent where the request fits no frame', async () => {
    await expect(shop.echo(soon(), 'x'.repeat(1_048_576))).rejects.toThrow(RangeError);
    expect(await shop.echo(soon(), 'next')).toBe('next');
    expect(handlers.asked).toEqual(['next']);
  });

  it('is not started by an owner that gets it after its deadline', async () => {
    const tcp = portsTo([owner.address]);
    // On a connection that is there: a call that waits for one ends before it is sent.
    await shopOf(tcp).echo(soon(), 'early');
    const call = tcp.transportTo('shop').call(shopPort, 'echo', soon(-1), 'late');
    expect((await endOf(call)).end).toBe('deadline');
    await Promise.all(times(10, () => shopOf(tcp).echo(soon(), 'after')));
    expect(handlers.asked).not.toContain('late');
  });

  it('ends with its deadline, though its owner still works, and leaves its place to others', async () => {
    const narrow = await shopOnBothSockets(owner, { callsPerSocket: 1, waitingCalls: 1 });
    const calls = await Promise.all(times(2, () => endOf(narrow.hold(soon(150), 'slow'))));
    expect(calls.map(({ end }) => end)).toEqual(['deadline', 'deadline']);
    for (const { afterMs } of calls) expect(afterMs).toBeLessThan(10_000);
    expect(await narrow.echo(soon(), 'next')).toBe('next');
  });

  it('shares two sockets with all others to that address, also those of other ports', async () => {
    const tcp = portsTo([owner.address, { ...owner.address }]);
    await Promise.all(times(300, (index) => shopOf(tcp, index % 2 ? shopPort : market).echo(soon(), index)));
    await waitUntil(async () => (await owner.sockets()) === 2, { what: 'both sockets' });
    const waiting = times(40, () => shopOf(tcp).hold(soon(), 'x'));
    await waitUntil(() => handlers.holding === 40, { what: 'the calls' });
    expect(await owner.sockets()).toBe(2);
    handlers.release();
    await Promise.all(waiting);
  });
});

describe('many calls', () => {
  it('wait for room in bounded numbers; one more is overloaded at once', async () => {
    const handlers = new ShopHandlers();
    const owner = await ownerOf(handlers);
    const shop = await shopOnBothSockets(owner, { callsPerSocket: 2, waitingCalls: 3 });
    const calls = times(7, () => shop.hold(soon(), 'x'));
    expect(await endAtOnce(shop.hold(soon(), 'x'))).toBe('overloaded');
    await waitUntil(() => handlers.holding === 4, { what: 'as many calls as fit' });
    handlers.release();
    await waitUntil(() => handlers.holding === 3, { what: 'those that waited' });
    handlers.release();
    expect(await Promise.all(calls)).toEqual(times(7, () => 'shop'));
  });

  it('of one project leave places to wait for the others', async () => {
    const handlers = new ShopHandlers();
    const owner = await ownerOf(handlers);
    const shop = await shopOnBothSockets(owner, { callsPerSocket: 1, waitingCalls: 4 });
    const of = (id: string) => ({ ...soon(), project: { id } });
    const calls = times(4, () => shop.hold(of('noisy'), 'x'));
    expect((await endOf(shop.hold(of('noisy'), 'x'))).end).toBe('overloaded');
    calls.push(...times(2, () => shop.hold(of('quiet'), 'x')));
    for (const held of [2, 2, 2]) {
      await waitUntil(() => handlers.holding === held, { what: 'as many calls as fit' });
      handlers.release();
    }
    expect(await Promise.all(calls)).toEqual(times(6, () => 'shop'));
  });

  it('are counted by their owner too', async () => {
    const handlers = new ShopHandlers();
    const owner = await ownerOf(handlers, { maxInFlight: 1 });
    const shop = shopAt([owner.address]);
    const first = shop.hold(soon(), 'x');
    await waitUntil(() => handlers.holding === 1, { what: 'the first call' });
    expect((await endOf(shop.echo(soon(), 'x'))).end).toBe('overloaded');
    handlers.release();
    expect(await first).toBe('shop');
  });

  it('of 900 KB each way do not block each other', async () => {
    const owner = await ownerOf(new ShopHandlers());
    const shop = shopAt([owner.address]);
    const request = 'x'.repeat(900_000);
    for (const round of times(3, String)) {
      const answers = await Promise.all(times(16, () => shop.echo(soon(30_000), request + round)));
      expect(answers.every((answer) => answer === request + round)).toBe(true);
    }
  });
});

describe('an owner that goes away', () => {
  it('leaves calls under way unavailable, later ones fail at once, and a restart is noticed', async () => {
    const handlers = new ShopHandlers();
    const owner = await ownerOf(handlers);
    const tcp = portsTo([owner.address]);
    const shop = shopOf(tcp);
    const underWay = endOf(shop.hold(soon(), 'x'));
    await waitUntil(() => handlers.holding === 1, { what: 'the call' });
    await owner.kill();
    expect((await underWay).end).toBe('unavailable');
    await waitUntil(() => tcp.circuitOf('shop') === 'open', { what: 'the open circuit' });
    expect(await endAtOnce(shop.echo(soon(), 'x'))).toBe('unavailable');

    await ownerOf(handlers, { port: owner.address.port });
    await waitUntil(async () => (await shop.echo(soon(), 'back')) === 'back', { what: 'the connection' });
  });

  it('is found when it starts later than its callers', async () => {
    const owner = await ownerOf(new ShopHandlers());
    await owner.close();
    const shop = shopAt([owner.address]);
    expect((await endOf(shop.echo(soon(), 'x'))).end).toBe('unavailable');
    await ownerOf(new ShopHandlers(), { port: owner.address.port });
    await waitUntil(async () => (await shop.echo(soon(), 'x')) === 'x', { what: 'it' });
  });

  it('costs only the calls it had: another replica takes the rest', async () => {
    const [one, two] = [new ShopHandlers('one'), new ShopHandlers('two')];
    const owners = [await ownerOf(one), await ownerOf(two)];
    let sockets = 0;
    const metrics = { ...noConnectionMetrics, sockets: (_port: string, count: number) => (sockets = count) };
    const shop = shopOf(
      portsTo(
        owners.map(({ address }) => address),
        {},
        { metrics },
      ),
    );
    await shop.echo(soon(), 'connected');
    await waitUntil(() => sockets === 4, { what: 'all sockets' });
    const calls = times(20, () => endOf(shop.hold(soon(), 'x')));
    await waitUntil(() => one.holding === 10 && two.holding === 10, { what: 'even shares' });
    await owners[0]!.kill();
    await waitUntil(() => sockets === 2, { what: 'the loss to be noticed' });
    const after = await Promise.all(times(50, () => shop.echo(soon(), 'who')));
    expect(new Set(after)).toEqual(new Set(['two']));
    two.release();
    const ends = (await Promise.all(calls)).map(({ end }) => end);
    expect(ends.filter((end) => end === 'unavailable')).toHaveLength(10);
    expect(ends.filter((end) => end === 'answered')).toHaveLength(10);
  });

  it('says goodbye when it ends on purpose: its calls are answered, no call fails, none comes to it any more', async () => {
    const [one, two] = [new ShopHandlers('one'), new ShopHandlers('two')];
    const owners = [await ownerOf(one, { limits: { drainMs: patientMs } }), await ownerOf(two)];
    const shop = shopAt(owners.map(({ address }) => address));
    await bothAnswer(shop);
    const held = times(20, () => shop.hold(soon(), 'x'));
    await waitUntil(() => one.holding + two.holding === 20, { what: 'calls at both' });

    const ends: string[] = [];
    let isOver = false;
    const load = times(8, async () => {
      while (!isOver) ends.push((await endOf(shop.echo(soon(), 'who'))).end);
    });
    const someLoad = async () => {
      const before = ends.length;
      await waitUntil(() => ends.length > before + 100, { what: 'some load' });
    };
    const closing = owners[0]!.close();
    await someLoad();
    const asked = one.asked.length;
    await someLoad();
    one.release();
    await closing;
    await someLoad();
    two.release();
    isOver = true;
    await Promise.all(load);
    expect(new Set(ends)).toEqual(new Set(['answered']));
    expect(one.asked).toHaveLength(asked);
    expect((await Promise.all(held)).filter((name) => name === 'one').length).toBeGreaterThan(0);
  });

  it('does not wait longer than its patience for calls that never end', async () => {
    const handlers = new ShopHandlers();
    const owner = await ownerOf(handlers, { limits: { drainMs: 200 } });
    const call = endOf(shopAt([owner.address]).hold(soon(patientMs), 'x'));
    await waitUntil(() => handlers.holding === 1, { what: 'the call' });
    const closing = await endOf(owner.close());
    expect(closing.afterMs).toBeGreaterThanOrEqual(190);
    expect(closing.afterMs).toBeLessThan(20_000);
    expect((await call).end).toBe('unavailable');
  });
});

describe('a network that drops packets', () => {
  it('ends every call within seconds, and is used again when it heals', async () => {
    const handlers = new ShopHandlers();
    const network = await networkOf((await ownerOf(handlers)).address);
    const tcp = portsTo([network.address], { connectTimeoutMs: 1_000 });
    const shop = shopOf(tcp);
    const before = endOf(shop.hold(soon(60_000), 'x'));
    await waitUntil(() => handlers.holding === 1, { what: 'the call' });
    network.drop();
    const ends: Promise<{ end: string; afterMs: number }>[] = [];
    const caller = setInterval(() => ends.push(endOf(shop.echo(soon(60_000), 'x'))), 50);
    try {
      await waitUntil(() => tcp.circuitOf('shop') === 'open', { what: 'the open circuit' });
      for (const { end, afterMs } of [await before, ...(await Promise.all(ends))]) {
        expect(end).toBe('unavailable');
        // Three seconds where the machine has nothing else to do; their deadline is a minute away.
        expect(afterMs).toBeLessThan(30_000);
      }
      expect(await endAtOnce(shop.echo(soon(60_000), 'x'))).toBe('unavailable');
    } finally {
      clearInterval(caller);
    }
    network.heal();
    await waitUntil(async () => (await shop.echo(soon(), 'back')) === 'back', {
      what: 'the connection',
    });
  });

  it('costs another replica nothing, and what was never sent goes there', async () => {
    const [one, two] = [new ShopHandlers('one'), new ShopHandlers('two')];
    const network = await networkOf((await ownerOf(one)).address);
    const shop = shopAt([network.address, (await ownerOf(two)).address], {
      heartbeatMs: 250,
      queuedBytes: 64 * 1_048_576,
    });
    await bothAnswer(shop);
    network.drop();
    network.stall();
    const requests = times(80, (index) => `${index} ${'x'.repeat(900_000)}`);
    const [oneBefore, twoBefore] = [one.asked.length, two.asked.length];
    const ends = await Promise.all(requests.map((request) => endOf(shop.echo(soon(patientMs), request))));
    const answered = ends.filter(({ end }) => end === 'answered').length;
    // Half of them went each way; those that the kernel never took found theirs.
    expect(answered).toBeGreaterThan(41);
    expect(ends.filter(({ end }) => end === 'unavailable')).toHaveLength(80 - answered);
    expect(one.asked).toHaveLength(oneBefore);
    expect(two.asked).toHaveLength(twoBefore + answered);
  });
});

describe('a name', () => {
  it('is followed to its new addresses; calls under way at the old one still end', async () => {
    const [one, two] = [new ShopHandlers('one'), new ShopHandlers('two')];
    const before = await ownerOf(one);
    const after = await startOwner(new Map([[shopPort, two]]), {
      secret,
      port: before.address.port,
      host: '127.0.0.2',
    });
    open.push(after);
    let addresses = ['127.0.0.1'];
    const tcp = portsTo(
      [{ host: 'shop.internal', port: before.address.port }],
      { resolveEveryMs: 100 },
      {
        resolve: async () => addresses,
      },
    );
    const shop = shopOf(tcp);
    const held = shop.hold(soon(), 'x');
    await waitUntil(() => one.holding === 1, { what: 'the call' });
    await waitUntil(async () => (await before.sockets()) === 2, { what: 'both sockets' });
    addresses = ['127.0.0.1', '127.0.0.2'];
    await waitUntil(async () => (await shop.echo(soon(), 'who')) === 'two', { what: 'the new address' });
    addresses = ['127.0.0.2'];
    await waitUntil(async () => (await before.sockets()) === 1, { what: 'the idle socket to close' });
    const names = await Promise.all(times(50, () => shop.echo(soon(), 'who')));
    expect(new Set(names)).toEqual(new Set(['two']));
    one.release();
    expect(await held).toBe('one');
    await waitUntil(async () => (await before.sockets()) === 0, { what: 'the drained socket to close' });
    addresses = ['127.0.0.1'];
    await waitUntil(async () => (await shop.echo(soon(), 'who')) === 'one', { what: 'the old address' });
  });
});

describe('metrics of connections', () => {
  it('show the circuit, the sockets and how often one was opened again', async () => {
    const handlers = new ShopHandlers();
    const owner = await ownerOf(handlers);
    const circuits: string[] = [];
    let sockets = 0;
    let reconnects = 0;
    const tcp = portsTo(
      [owner.address],
      {},
      {
        metrics: {
          circuit: (_port, state) => circuits.push(state),
          sockets: (_port, count) => (sockets = count),
          reconnected: () => (reconnects += 1),
        },
      },
    );
    const shop = shopOf(tcp);
    await shop.echo(soon(), 'x');
    await waitUntil(() => sockets === 2, { what: 'both sockets' });
    await owner.kill();
    await waitUntil(() => circuits.at(-1) === 'open', { what: 'the open circuit' });
    expect(sockets).toBe(0);
    await ownerOf(handlers, { port: owner.address.port });
    await waitUntil(() => reconnects === 2 && sockets === 2, { what: 'both sockets again' });
    expect(circuits[0]).toBe('opening');
    expect(circuits.at(-1)).toBe('closed');
  });
});

describe('what is closed', () => {
  it('leaves no socket and no timer behind, and calls are unavailable', async () => {
    const handles = () =>
      process.getActiveResourcesInfo().filter((kind) => /^(TCP|Timeout|ConnectWrap|GetAddrInfo)/.test(kind));
    const before = handles();
    const owner = await ownerOf(new ShopHandlers());
    const unreachable = await ownerOf(new ShopHandlers());
    await unreachable.close();
    const tcp = portsTo([owner.address, unreachable.address]);
    const shop = shopOf(tcp);
    const held = endOf(shop.hold(soon(), 'x'));
    await shop.echo(soon(), 'x');
    await tcp.close();
    expect((await held).end).toBe('unavailable');
    expect((await endOf(shop.echo(soon(), 'x'))).end).toBe('unavailable');
    expect((await endOf(shopOf(tcp, market).echo(soon(), 'x'))).end).toBe('unavailable');
    await owner.close();
    await waitUntil(() => handles().length <= before.length, { what: `${before.join()} only` });
  });
});
