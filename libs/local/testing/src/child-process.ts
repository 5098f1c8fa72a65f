import { endWithThisProcess } from '@scrip/local-kafka';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { resolve } from 'node:path';

/** A Node process of ours that says where it listens. */
export interface RunningChild {
  readonly pid: number;
  readonly origin: string;
  /** From spawn until it listened. */
  readonly readyMs: number;
  stop(): Promise<void>;
  /** Ends it at once, as `kill -9` does, and waits until it is gone. */
  kill(): Promise<void>;
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  if (hasEnded(child)) return;
  child.kill(signal);
  await once(child, 'exit');
};

/** Starts `script` and resolves once a line of its output matches `ready`, whose first group is the origin.
 *  Throws with its output when it ends before. */
export const startChild = async (
  script: string,
  environment: Record<string, string>,
  ready: RegExp,
): Promise<RunningChild> => {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // A test that ran out of time may leave it behind, and jest waits for every process that has its output open.
  if (child.pid !== undefined) endWithThisProcess(child.pid);
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    const origin = ready.exec(line)?.[1];
    if (!origin) continue;
    child.stdout.resume();
    return {
      pid: child.pid ?? 0,
      origin,
      readyMs: performance.now() - startedAt,
      stop: () => end(child, 'SIGTERM'),
      kill: () => end(child, 'SIGKILL'),
    };
  }
  throw new Error(`${script} ended before it listened:\n${lines.join('\n')}`);
};

const typescript = resolve(__dirname, '../typescript/require-typescript.cjs');

/** Starts a TypeScript program on the sources of the workspace and resolves once it prints `ready <origin>`. Throws as
 *  `startChild` does. */
export const startTypescript = (
  program: string,
  environment: Record<string, string>,
): Promise<RunningChild> =>
  startChild(
    program,
    { NODE_OPTIONS: `--conditions=@scrip/source --require=${typescript}`, NODE_ENV: 'test', ...environment },
    /^ready (.+)$/,
  );
