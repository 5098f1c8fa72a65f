import { Logger } from '@nestjs/common';
import { makeCertificates } from '@scrip/testing';
import { connect } from 'node:net';
import { once } from 'node:events';
import type { InternalTls } from '../internal-tls';
import { portClient } from '../port-client';
import { noPortMetrics } from '../port-metrics';
import { type Owner, ShopHandlers, type ShopPort, endOf, shopPort, soon, startOwner } from './tcp.fixture';
import { TcpPorts } from './tcp-ports';

const secret = Buffer.alloc(32, 7);
const own = makeCertificates('owner', 'asker');
const foreign = makeCertificates('stranger');

describe('calls between processes that have certificates', () => {
  const open: { close(): Promise<void> }[] = [];
  let handlers: ShopHandlers;
  let owner: Owner;

  const shopWith = (tls: InternalTls | null, { port } = owner.address): ShopPort => {
    const tcp = new TcpPorts({ secret, tls, addressesOf: () => [{ host: '127.0.0.1', port }] });
    open.unshift(tcp);
    return portClient(shopPort, tcp.transportTo('shop'), noPortMetrics);
  };

  beforeEach(async () => {
    jest.spyOn(Logger.prototype, 'log').mockImplementation();
    jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    handlers = new ShopHandlers();
    owner = await startOwner(new Map([[shopPort, handlers]]), { secret, tls: own.owner });
    open.push(owner);
  });
  afterEach(async () => {
    for (const opened of open.splice(0)) await opened.close();
    jest.restoreAllMocks();
  });

  it('are answered', async () => {
    expect(await shopWith(own.asker).echo(soon(), 'a friend')).toBe('a friend');
  });

  it.each<[string, InternalTls | null]>([
    ['without encryption', null],
    ['with the certificate of another authority', foreign.stranger],
    ['without a certificate', { ...own.asker, cert: '', key: '' }],
    [
      'that knows this authority, with a certificate of another one',
      { ...foreign.stranger, ca: own.owner.ca },
    ],
  ])('are refused to a process %s, although it knows the secret', async (_, tls) => {
    const { end } = await endOf(shopWith(tls).echo(soon(), 'x'));
    expect(end).toBe('unavailable');
    expect(handlers.asked).toEqual([]);
  });

  it('are not sent to a server of another authority', async () => {
    const stranger = await startOwner(new Map([[shopPort, handlers]]), { secret, tls: foreign.stranger });
    open.push(stranger);
    expect((await endOf(shopWith(own.asker, stranger.address).echo(soon(), 'x'))).end).toBe('unavailable');
    expect(handlers.asked).toEqual([]);
  });

  it('are not delayed by who connects and says nothing', async () => {
    const silent = connect(owner.address.port, '127.0.0.1');
    await once(silent, 'connect');
    expect(await shopWith(own.asker).echo(soon(), 'a friend')).toBe('a friend');
    const gone = once(silent, 'close');
    silent.resume();
    await gone;
  });
});
