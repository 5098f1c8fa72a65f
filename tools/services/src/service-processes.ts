import { replacePrivateFile } from '@scrip/data-directory';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { labelOf, type ProcessPlan } from './plan';
import { environmentOf, type SharedEnvironment } from './process-environment';
import type { ProcessLog } from './process-log';
import { untilReady } from './readiness';
import { StartFailure } from './start-failure';
import { SupervisedProcess } from './supervised-process';

const root = resolve(__dirname, '..', '..', '..');
const startTimeoutMs = 120_000;
/** After this many failures in a row before everything was ready, the start is given up. */
const failuresMax = 5;

/** A service or the gateway, as it runs now. */
export interface RunningProcess extends ProcessPlan {
  readonly pid: number;
}

/** Content of `services.json` in the data directory, for tools that look at processes or kill them. */
export interface RunningServices {
  /** Starts the others again when they end, and ends all of them with itself. */
  readonly supervisor: { readonly pid: number };
  readonly processes: readonly RunningProcess[];
}

const listIn = (dataDir: string): string => join(dataDir, 'services.json');

/** Reads `services.json` of a data directory. Throws where there is none. */
export const runningServices = (dataDir: string): RunningServices =>
  JSON.parse(readFileSync(listIn(dataDir), 'utf8')) as RunningServices;

/** The services and the gateway, as processes of this machine. */
export class ServiceProcesses {
  private readonly running: { plan: ProcessPlan; process: SupervisedProcess }[];

  constructor(
    private readonly shared: SharedEnvironment,
    private readonly log: ProcessLog,
  ) {
    this.running = shared.plans.map((plan) => ({
      plan,
      process: new SupervisedProcess(
        {
          label: labelOf(plan),
          script: join(root, 'apps', plan.name, 'dist', 'main.js'),
          environment: environmentOf(plan, shared, process.env),
        },
        log,
        () => this.store(),
      ),
    }));
    process.once('exit', this.kill);
  }

  /** Starts all of them, and resolves when all are ready. Throws `StartFailure` naming those that are not. */
  async start(): Promise<void> {
    for (const { process } of this.running) process.start();
    const urls = this.running.map(
      ({ plan }) => [labelOf(plan), `http://127.0.0.1:${plan.metricsPort}`] as const,
    );
    await untilReady(new Map(urls), startTimeoutMs, () => {
      const failing = this.running.find(({ process }) => process.failures >= failuresMax);
      if (failing)
        throw new StartFailure(`${labelOf(failing.plan)} ends again and again; its lines above say why`);
    });
  }

  /** Ends the gateway, after the calls in progress, and then the services. */
  async stop(patienceMs: number): Promise<void> {
    const stop = (isGateway: boolean) =>
      Promise.all(
        this.running
          .filter(({ plan }) => (plan.name === 'gateway') === isGateway)
          .map(({ process }) => process.stop(patienceMs)),
      );
    await stop(true);
    await stop(false);
    process.off('exit', this.kill);
  }

  private readonly kill = (): void => {
    for (const { process } of this.running) process.kill();
  };

  private store(): void {
    const processes: RunningProcess[] = this.running
      .filter(({ process }) => process.pid > 0)
      .map(({ plan, process }) => ({ ...plan, pid: process.pid }));
    const running: RunningServices = { supervisor: { pid: process.pid }, processes };
    replacePrivateFile(listIn(this.shared.dataDir), `${JSON.stringify(running, null, 2)}\n`);
  }
}
