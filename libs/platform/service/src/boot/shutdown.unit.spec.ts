import { Logger } from '@nestjs/common';
import { closeOnSignals } from './shutdown';

type OnSignal = (signal: NodeJS.Signals) => void;

describe('a process that gets signals', () => {
  let nowMs: number;
  let exit: jest.SpyInstance;
  let closed: () => void;
  let close: jest.Mock<Promise<void>, []>;
  let listeners: Map<string | symbol, OnSignal>;

  const send = (signal: NodeJS.Signals): void => listeners.get(signal)?.(signal);

  beforeEach(() => {
    nowMs = 0;
    listeners = new Map();
    close = jest.fn(() => new Promise<void>((resolve) => (closed = resolve)));
    exit = jest.spyOn(process, 'exit').mockReturnValue(undefined as never);
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
    jest.spyOn(Logger.prototype, 'log').mockReturnValue(undefined);
    jest.spyOn(process, 'on').mockImplementation((name: string | symbol, listener: OnSignal) => {
      listeners.set(name, listener);
      return process;
    });
    closeOnSignals(close, 60_000);
  });
  afterEach(async () => {
    closed?.();
    await Promise.resolve();
    jest.restoreAllMocks();
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'closes on %s, then ends with status 0',
    async (signal) => {
      send(signal);
      expect(close).toHaveBeenCalledTimes(1);
      expect(exit).not.toHaveBeenCalled();
      closed();
      await Promise.resolve();
      expect(exit).toHaveBeenCalledWith(0);
    },
  );

  it.each([
    ['SIGTERM', 'SIGTERM'],
    ['SIGTERM', 'SIGHUP'],
    ['SIGHUP', 'SIGTERM'],
    ['SIGINT', 'SIGTERM'],
  ] as const)('goes on closing after %s when %s follows', (first, second) => {
    send(first);
    nowMs = 5_000;
    send(second);
    expect(close).toHaveBeenCalledTimes(1);
    expect(exit).not.toHaveBeenCalled();
  });

  it('ends at once on another Ctrl-C, not on the copy that npm passes on', () => {
    send('SIGINT');
    nowMs = 999;
    send('SIGINT');
    expect(exit).not.toHaveBeenCalled();
    nowMs = 1_000;
    send('SIGINT');
    expect(exit).toHaveBeenCalledWith(1);
  });
});
