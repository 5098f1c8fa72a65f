import { Logger } from '@nestjs/common';
import { Periodic } from './periodic';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

test('runs again and again, counted from the end of a run', async () => {
  const ends: (() => void)[] = [];
  const run = jest.fn(() => new Promise<void>((resolve) => ends.push(resolve)));
  const periodic = new Periodic({ name: 'Work', everyMs: 100, run });
  periodic.start();
  await jest.advanceTimersByTimeAsync(99);
  expect(run).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(1_000);
  expect(run).toHaveBeenCalledTimes(1);
  ends[0]!();
  await jest.advanceTimersByTimeAsync(99);
  expect(run).toHaveBeenCalledTimes(1);
  await jest.advanceTimersByTimeAsync(1);
  expect(run).toHaveBeenCalledTimes(2);
});

test('the first run may come earlier than the others', async () => {
  const run = jest.fn(() => Promise.resolve());
  const periodic = new Periodic({ name: 'Work', everyMs: 100, firstMs: 10, run });
  periodic.start();
  await jest.advanceTimersByTimeAsync(10);
  expect(run).toHaveBeenCalledTimes(1);
  await jest.advanceTimersByTimeAsync(99);
  expect(run).toHaveBeenCalledTimes(1);
  await jest.advanceTimersByTimeAsync(1);
  expect(run).toHaveBeenCalledTimes(2);
});

test('a run that fails is logged and followed by the next', async () => {
  const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  const run = jest.fn().mockRejectedValueOnce(new Error('the database is away')).mockResolvedValue(undefined);
  const periodic = new Periodic({ name: 'Work', everyMs: 100, run });
  periodic.start();
  await jest.advanceTimersByTimeAsync(200);
  expect(run).toHaveBeenCalledTimes(2);
  expect(warned.mock.calls).toEqual([['the database is away']]);
});

test('stop waits for the run under way, and none follows', async () => {
  let end = (): void => undefined;
  const run = jest.fn(() => new Promise<void>((resolve) => (end = resolve)));
  const periodic = new Periodic({ name: 'Work', everyMs: 100, run });
  periodic.start();
  await jest.advanceTimersByTimeAsync(100);
  let stopped = false;
  const stop = periodic.stop().then(() => (stopped = true));
  await jest.advanceTimersByTimeAsync(1_000);
  expect(stopped).toBe(false);
  end();
  await stop;
  await jest.advanceTimersByTimeAsync(1_000);
  expect(run).toHaveBeenCalledTimes(1);
});

test('stop before the first run lets none begin', async () => {
  const run = jest.fn(() => Promise.resolve());
  const periodic = new Periodic({ name: 'Work', everyMs: 100, run });
  periodic.start();
  await periodic.stop();
  await jest.advanceTimersByTimeAsync(1_000);
  expect(run).not.toHaveBeenCalled();
});
