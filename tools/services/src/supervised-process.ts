import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { ProcessLog } from './process-log';

/** The program to run and its name in the log. */
export interface SupervisedProgram {
  label: string;
  /** A script for Node. */
  script: string;
  environment: NodeJS.ProcessEnv;
}

const firstPauseMs = 200;
const longestPauseMs = 5_000;
/** A process that ran this long did not fail at its start. */
const steadyMs = 10_000;

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/** A program that is started again when it ends by itself, after 200 ms at first and up to 5 s when it keeps failing.
 *  In a session of its own, so that Ctrl-C reaches only this process, which ends the others in order. */
export class SupervisedProcess {
  /** Number of ends in a row without a steady run. */
  failures = 0;
  private child: ChildProcess | undefined;
  private isStopping = false;
  private pause: NodeJS.Timeout | undefined;

  /** `changed` is called after each start. */
  constructor(
    readonly program: SupervisedProgram,
    private readonly log: ProcessLog,
    private readonly changed: () => void,
  ) {}

  /** Of the current process, or of the last one. */
  get pid(): number {
    return this.child?.pid ?? 0;
  }

  start(): void {
    const { label, script, environment } = this.program;
    const startedAt = performance.now();
    const child = spawn(
      process.execPath,
      ['--require', resolve(__dirname, '..', 'dist', 'end-with-parent.js'), script],
      {
        env: environment,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      },
    );
    this.child = child;
    for (const input of [child.stdout, child.stderr])
      if (input) createInterface({ input }).on('line', (line) => this.log.line(label, line));
    const onEnd = (how: string): void => {
      if (this.isStopping) return;
      this.failures = performance.now() - startedAt > steadyMs ? 1 : this.failures + 1;
      const pauseMs = Math.min(firstPauseMs * 2 ** (this.failures - 1), longestPauseMs);
      this.log.note(`${label} ended (${how}): it is started again in ${pauseMs} ms`);
      this.pause = setTimeout(() => this.start(), pauseMs);
    };
    child.once('exit', (status, signal) => onEnd(signal ?? `status ${status}`));
    child.once('error', (error) => onEnd(error.message));
    this.changed();
  }

  /** Asks it to end, and ends it when it has not after `patienceMs`. May be called twice. */
  async stop(patienceMs: number): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.pause);
    const { child } = this;
    if (!child || hasEnded(child)) return;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    const late = setTimeout(() => {
      this.log.note(`${this.program.label} has not ended after ${patienceMs} ms: it is killed`);
      child.kill('SIGKILL');
    }, patienceMs);
    await gone;
    clearTimeout(late);
  }

  /** Ends it at once, without waiting. */
  kill(): void {
    this.isStopping = true;
    clearTimeout(this.pause);
    if (this.child && !hasEnded(this.child)) this.child.kill('SIGKILL');
  }
}
