import { Client } from 'pg';
import { lockHolderOptions } from '../context/context-data-source';
import { WorkerLock } from './worker-lock';

jest.mock('pg', () => ({
  Client: jest.fn(() => ({ on: jest.fn(), connect: jest.fn(), query: jest.fn() })),
}));

describe('the lock of a worker', () => {
  it('is freed soon when its machine vanishes', async () => {
    await WorkerLock.take('postgres://scrip@db/scrip', 'worker-1', () => undefined);
    expect(jest.mocked(Client).mock.calls).toEqual([
      [
        expect.objectContaining({
          connectionString: 'postgres://scrip@db/scrip',
          options: lockHolderOptions,
        }),
      ],
    ]);
  });
});
