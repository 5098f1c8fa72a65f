import { setMaxListeners } from 'node:events';

/** Waits `ms`, or until `signal` aborts; never rejects. Does not keep the process alive. Any number may wait on one signal: all
 *  consumers of a process do while the database is away. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, Math.min(ms, 2 ** 31 - 1));
    timer.unref();
    setMaxListeners(Infinity, signal);
    signal.addEventListener('abort', done);
  });
