import { spawn } from 'node:child_process';
import { isAlive } from './process-identity';

const pauseMs = 20;

/** Ends process `pid` with `signal`, with SIGKILL when it still runs after `patienceMs`, and waits until it is gone. */
export const endProcess = async (
  pid: number,
  signal: NodeJS.Signals = 'SIGTERM',
  patienceMs = 20_000,
): Promise<void> => {
  const send = (sent: NodeJS.Signals): void => {
    if (isAlive(pid)) process.kill(pid, sent);
  };
  send(signal);
  const killAt = Date.now() + patienceMs;
  for (let killed = false; isAlive(pid);) {
    if (!killed && Date.now() > killAt) {
      send('SIGKILL');
      killed = true;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
};

const watch =
  'while kill -0 "$1" 2>/dev/null && kill -0 "$2" 2>/dev/null; do sleep 1; done; kill -"$3" "$2" 2>/dev/null';

/** Ends process `pid` with `signal` about a second after this process is gone, `kill -9` included. A shell of its own
 *  watches both. */
export const endWithThisProcess = (pid: number, signal: 'TERM' | 'INT' = 'TERM'): void => {
  spawn('/bin/sh', ['-c', watch, 'sh', String(process.pid), String(pid), signal], {
    cwd: '/',
    detached: true,
    stdio: 'ignore',
  }).unref();
};
