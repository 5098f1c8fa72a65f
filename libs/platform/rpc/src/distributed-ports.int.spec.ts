import { type INestApplication, Injectable, Logger, Module } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { definePort } from '@scrip/kernel';
import { PortServer } from './port-server';
import { InjectPort, servePort } from './port-tokens';
import { PortsModule } from './ports.module';
import { TcpPortServer } from './tcp/tcp-port-server';
import { TcpPorts } from './tcp/tcp-ports';

interface Context {
  deadlineAt: number;
}
interface StockPort {
  count(context: Context, request: { sku: string }): Promise<number>;
}
interface OrderPort {
  order(context: Context, request: { sku: string }): Promise<string>;
}

const stockPort = definePort<StockPort>('stock', ['count']);
const orderPort = definePort<OrderPort>('orders', ['order']);
const secret = Buffer.alloc(32, 7);

@Injectable()
class StockHandlers implements StockPort {
  async count(_context: Context, { sku }: { sku: string }) {
    return sku.length;
  }
}

@Injectable()
class OrderHandlers implements OrderPort {
  constructor(@InjectPort(stockPort) private readonly stock: StockPort) {}

  async order(context: Context, request: { sku: string }) {
    return `${await this.stock.count(context, request)} × ${request.sku}`;
  }
}

@Module({ providers: [servePort(stockPort, StockHandlers)] })
class StockModule {}
@Module({ providers: [servePort(orderPort, OrderHandlers)] })
class OrderModule {}

const open: INestApplication[] = [];

const start = async (
  context: new () => object,
  local: string,
  addresses: Record<string, number>,
): Promise<{ app: INestApplication; port: number; tcp: TcpPorts }> => {
  const tcp = new TcpPorts({
    secret,
    addressesOf: (name) => (addresses[name] ? [{ host: '127.0.0.1', port: addresses[name] }] : []),
  });
  const module = await Test.createTestingModule({
    imports: [PortsModule.distributed({ local: [local], tcp }), context],
  }).compile();
  const app = module.createNestApplication(new FastifyAdapter(), { logger: false });
  const strategy = new TcpPortServer(app.get(PortServer), { host: '127.0.0.1', port: 0, secret });
  app.connectMicroservice({ strategy });
  await app.startAllMicroservices();
  open.push(app);
  return { app, port: strategy.address.port, tcp };
};

beforeEach(() => {
  jest.spyOn(Logger.prototype, 'log').mockImplementation();
});
afterEach(async () => {
  for (const app of open.splice(0).reverse()) await app.close();
  jest.restoreAllMocks();
});

describe('contexts in processes of their own', () => {
  it('call each other as in one process, and close with their application', async () => {
    const stock = await start(StockModule, 'stock', {});
    const orders = await start(OrderModule, 'orders', { stock: stock.port });
    const caller = await start(class Nothing {}, 'gateway', { orders: orders.port });
    const server = caller.app.get<OrderPort>(Symbol.for('scrip.port.orders'));
    const context = { deadlineAt: Date.now() + 5_000 };
    expect(await server.order(context, { sku: 'mug' })).toBe('3 × mug');
    expect(caller.tcp.circuitOf('orders')).toBe('closed');
    await stock.app.close();
    await expect(server.order(context, { sku: 'mug' })).rejects.toMatchObject({ kind: 'unavailable' });
    await orders.app.close();
    await expect(server.order(context, { sku: 'mug' })).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('refuse to start where the port is taken', async () => {
    const { port } = await start(StockModule, 'stock', {});
    const app = (
      await Test.createTestingModule({ imports: [PortsModule.inProcess()] }).compile()
    ).createNestApplication(new FastifyAdapter(), { logger: false });
    open.push(app);
    app.connectMicroservice({
      strategy: new TcpPortServer(app.get(PortServer), { host: '127.0.0.1', port, secret }),
    });
    await expect(app.startAllMicroservices()).rejects.toThrow('EADDRINUSE');
  });
});
