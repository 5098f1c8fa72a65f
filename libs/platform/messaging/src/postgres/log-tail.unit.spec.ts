import { logStart } from '@scrip/event-store';
import type { Delivery } from '../feed/delivery';
import type { LogSource } from './log-source';
import { LogTail } from './log-tail';

afterEach(() => void jest.restoreAllMocks());

describe('the reader of new events', () => {
  it('goes on reading at its pace when the clock of the machine is set back', async () => {
    let hear: (position: string) => void;
    const heard = (): Promise<string> => new Promise((resolve) => (hear = resolve));
    let number = 0;
    const logs = {
      read: async () => {
        // While it reads, as a time server does it.
        jest.spyOn(Date, 'now').mockReturnValue(new Date('2026-03-31').getTime() - number * 3_600_000);
        number += 1;
        return { entries: [{ position: `1-700-${number}` } as Delivery], more: false };
      },
    } as unknown as LogSource;
    const tail = new LogTail('shop', logs, logStart);
    tail.listen({ offer: (_from, to) => (hear(to), true) });
    const first = heard();
    tail.start();
    tail.wake();
    expect(await first).toBe('1-700-1');
    const second = heard();
    tail.wake();
    expect(await second).toBe('1-700-2');
    await tail.stop();
  });
});
