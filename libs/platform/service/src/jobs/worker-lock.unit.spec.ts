import { Client } from 'pg';
import { lockHolderOptions } from '../context/context-data-source';
import { WorkerLock } from './worker-lock';

jest.mock('pg', () => ({
  ...jest.requireActual<object>('pg'),
  Client: jest.fn(() => ({
    on: jest.fn(),
    connect: jest.fn(),
    query: jest.fn(async () => ({ rows: [] })),
    end: jest.fn(async () => undefined),
    connection: { stream: { destroy: jest.fn() } },
  })),
}));

const url = 'postgres://scrip@db/scrip';
const times = { checkMs: 1_000, answerMs: 5_000 };

/** The client of the lock that was taken last. */
const lastClient = () =>
  jest.mocked(Client).mock.results.at(-1)?.value as { query: jest.Mock; end: jest.Mock };

describe('the lock of a worker', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => {
    jest.useRealTimers();
    jest.clearAllMocks();
  });

  it('is freed soon when its machine vanishes', async () => {
    const lock = await WorkerLock.take(url, 'worker-1', () => undefined);
    expect(jest.mocked(Client).mock.calls).toEqual([
      [expect.objectContaining({ connectionString: url, options: lockHolderOptions })],
    ]);
    await lock.release();
  });

  it('counts as lost when the server does not answer on its connection any more', async () => {
    const onLost = jest.fn();
    await WorkerLock.take(url, 'worker-1', onLost, times);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(onLost).not.toHaveBeenCalled();
    lastClient().query.mockReturnValue(new Promise(() => undefined));
    await jest.advanceTimersByTimeAsync(6_000);
    expect(onLost).toHaveBeenCalledTimes(1);
  });

  it('is not lost when it is released', async () => {
    const onLost = jest.fn();
    const lock = await WorkerLock.take(url, 'worker-1', onLost, times);
    await lock.release();
    expect(onLost).not.toHaveBeenCalled();
    expect(lastClient().end).toHaveBeenCalledTimes(1);
  });
});
