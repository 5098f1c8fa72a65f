import { type Fault } from '@scrip/kernel';
import { definePort } from './port';
import { noPortMetrics } from './port-metrics';
import { PortServer } from './port-server';

interface StockPort {
  count(context: { deadlineAt: number }, request: object): Promise<number>;
}

const stockPort = definePort<StockPort>('stock', ['count']);

describe('PortServer', () => {
  const count = jest.fn(async () => 3);
  const server = new PortServer(() => ({ count, secret: async () => 'internal' }), {
    maxInFlight: 1,
    checkJson: true,
    metrics: noPortMetrics,
  });

  it('refuses to start after the deadline, however the call got here', async () => {
    await expect(server.serve(stockPort, 'count', { deadlineAt: Date.now() }, {})).rejects.toMatchObject({
      kind: 'deadline',
    } satisfies Partial<Fault>);
    expect(count).not.toHaveBeenCalled();
  });

  it('serves the methods of the port and no other member of the handlers', async () => {
    const context = { deadlineAt: Date.now() + 5_000 };
    expect(await server.serve(stockPort, 'count', context, {})).toBe(3);
    await expect(server.serve(stockPort, 'secret', context, {})).rejects.toThrow(
      'port stock has no method secret',
    );
  });

  it('frees the place of a call that failed', async () => {
    const context = { deadlineAt: Date.now() + 5_000 };
    count.mockRejectedValueOnce(new Error('defect'));
    await expect(server.serve(stockPort, 'count', context, {})).rejects.toThrow('defect');
    expect(await server.serve(stockPort, 'count', context, {})).toBe(3);
  });
});
