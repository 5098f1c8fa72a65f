import { definePort, type Fault } from '@scrip/kernel';
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

  it('refuses calls of a project that has half of the places, and serves those of others', async () => {
    const release: (() => void)[] = [];
    const held = (): Promise<number> => new Promise((resolve) => release.push(() => resolve(1)));
    const busy = new PortServer(() => ({ count: held }), {
      maxInFlight: 4,
      checkJson: false,
      metrics: noPortMetrics,
    });
    const callOf = (project?: string) =>
      busy.serve(
        stockPort,
        'count',
        { deadlineAt: Date.now() + 5_000, ...(project ? { project: { id: project } } : {}) },
        {},
      );
    const served = [callOf('noisy'), callOf('noisy')];
    await expect(callOf('noisy')).rejects.toMatchObject({ kind: 'overloaded' } satisfies Partial<Fault>);
    served.push(callOf('quiet'), callOf());
    await expect(callOf()).rejects.toMatchObject({ kind: 'overloaded' } satisfies Partial<Fault>);
    release.forEach((end) => end());
    expect(await Promise.all(served)).toEqual([1, 1, 1, 1]);
  });

  it('frees the place of a call that failed', async () => {
    const context = { deadlineAt: Date.now() + 5_000 };
    count.mockRejectedValueOnce(new Error('defect'));
    await expect(server.serve(stockPort, 'count', context, {})).rejects.toThrow('defect');
    expect(await server.serve(stockPort, 'count', context, {})).toBe(3);
  });
});
