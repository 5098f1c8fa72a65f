import type { NotedCall } from '@scrip/contracts/operations';
import { CallNotes } from './call-notes';

const callOf = (n: number, project_id = 'proj_1'): NotedCall => ({
  ...{ id: `log_${n}`, project_id, created_at: '2026-03-31T10:00:00.000Z', status: 200, request_id: 'v-1' },
  ...{ channel: 'API', method: 'GET', endpoint: '/v1/vouchers', url: '/v1/vouchers' },
  ...{ app_id: 'app', client_app_id: null },
});

describe('notes of calls', () => {
  let stored: string[][];
  let lost: number;
  let isAway: boolean;
  let notes: CallNotes;

  beforeEach(() => {
    stored = [];
    lost = 0;
    isAway = false;
    notes = new CallNotes({
      store: async (calls) => {
        if (isAway) throw new Error('away');
        stored.push(calls.map(({ id }) => id));
      },
      lost: (count) => (lost += count),
      waitingMax: 1_200,
    });
  });
  const add = (from: number, to: number, projectId?: string): void => {
    for (let n = from; n < to; n += 1) notes.add(callOf(n, projectId));
  };
  const storedSizes = (): number[] => stored.map(({ length }) => length);

  it('wait for the next second, and are stored together then', async () => {
    add(0, 3);
    expect(stored).toEqual([]);
    await notes.settle();
    expect(stored).toEqual([['log_0', 'log_1', 'log_2']]);
    await notes.settle();
    expect(stored).toHaveLength(1);
  });

  it('are stored at once where there are 500, no more than these by one statement', async () => {
    add(0, 499);
    await Promise.resolve();
    expect(stored).toEqual([]);
    add(499, 600);
    await notes.settle();
    expect(storedSizes()).toEqual([500, 100]);
    expect(lost).toBe(0);
  });

  it('of a project that has half of the room are lost and counted, those of others are not', async () => {
    isAway = true;
    add(0, 601);
    expect(lost).toBe(1);
    add(601, 1_201, 'proj_2');
    expect(lost).toBe(1);
    add(1_201, 1_202, 'proj_3');
    expect(lost).toBe(2);
    await notes.settle().catch(() => undefined);
    isAway = false;
    await notes.settle();
    expect(stored.flat()).toHaveLength(1_200);
    add(1_202, 1_203, 'proj_3');
    expect(lost).toBe(2);
  });

  it('that could not be stored are tried again, in their order', async () => {
    isAway = true;
    add(0, 2);
    await expect(notes.settle()).rejects.toThrow('away');
    add(2, 3);
    isAway = false;
    await notes.settle();
    expect(stored).toEqual([['log_0', 'log_1', 'log_2']]);
    expect(lost).toBe(0);
  });

  it('are lost after 60 tries, so that those behind them have their turn', async () => {
    isAway = true;
    add(0, 501);
    for (let tries = 0; tries < 60; tries += 1) {
      expect(lost).toBe(0);
      await notes.settle().catch(() => undefined);
    }
    expect(lost).toBe(500);
    isAway = false;
    await notes.settle();
    expect(stored).toEqual([['log_500']]);
  });

  it('are stored at the end, or lost and counted', async () => {
    add(0, 2);
    await notes.close();
    expect(stored).toEqual([['log_0', 'log_1']]);
    add(2, 5);
    isAway = true;
    await expect(notes.close()).rejects.toThrow('away');
    expect(lost).toBe(3);
  });
});
