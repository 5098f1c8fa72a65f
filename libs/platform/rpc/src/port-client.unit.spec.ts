import { definePort, Fault } from '@scrip/kernel';
import { type PortTransport, portClient } from './port-client';
import { noPortMetrics } from './port-metrics';

interface OvenPort {
  bake(context: { deadlineAt: number }, request: { minutes: number }): Promise<string>;
}

const ovenPort = definePort<OvenPort>('oven', ['bake']);

const now = Date.parse('2026-03-31T10:00:00Z');

let answer: (bread: string) => void;
const transport: jest.Mocked<PortTransport> = { call: jest.fn() };
const oven = portClient(ovenPort, transport, noPortMetrics);

beforeEach(() => {
  jest.useFakeTimers({ now });
  transport.call.mockReset().mockReturnValue(new Promise((resolve) => (answer = resolve)));
});
afterEach(() => {
  jest.useRealTimers();
});

describe('a port client', () => {
  it('sends nothing when the deadline has passed', async () => {
    await expect(oven.bake({ deadlineAt: now }, { minutes: 5 })).rejects.toMatchObject({
      kind: 'deadline',
    } satisfies Partial<Fault>);
    expect(transport.call).not.toHaveBeenCalled();
  });

  it('waits until the deadline and no longer', async () => {
    const bread = oven.bake({ deadlineAt: now + 1_000 }, { minutes: 5 });
    const rejected = expect(bread).rejects.toThrow(new Fault('deadline', 'oven.bake took too long'));
    jest.advanceTimersByTime(999);
    expect(jest.getTimerCount()).toBe(1);
    jest.advanceTimersByTime(1);
    await rejected;
  });

  it.each([
    ['none', Number.POSITIVE_INFINITY],
    ['one further away than a timer reaches', now + 2 ** 32],
  ])('waits as long as it takes when the deadline is %s', async (_what, deadlineAt) => {
    const bread = oven.bake({ deadlineAt }, { minutes: 5 });
    jest.advanceTimersByTime(86_400_000);
    answer('bread');
    expect(await bread).toBe('bread');
  });

  it('leaves no timer behind an answer', async () => {
    const bread = oven.bake({ deadlineAt: now + 1_000 }, { minutes: 5 });
    answer('bread');
    expect(await bread).toBe('bread');
    expect(jest.getTimerCount()).toBe(0);
  });
});
