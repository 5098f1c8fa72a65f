import { replacePrivateFile } from '@scrip/data-directory';
import { join, resolve } from 'node:path';
import { labelOf, type ProcessPlan } from './plan';
import { environmentOf, type SharedEnvironment } from './process-environment';
import type { ProcessLog } from './process-log';
import { untilReady } from './readiness';
import { StartFailure } from './start-failure';
import { SupervisedProcess } from './supervised-process';

const root = resolve(__dirname, '..', '..', '..');
const startTimeoutMs = 120_000;
/** So many failures in a row before everything was ready are not chance. */
const failuresMax = 5;

/** Content of `services.json` in the data directory, for tools that look at processes or kill them. */
export interface RunningProcess extends ProcessPlan {
  readonly pid: number;
}

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
    const host = this.shared.reachableHost;
    const urls = this.running.map(({ plan }) => [labelOf(plan), `http://${host}:${plan.httpPort}`] as const);
    await untilReady(new Map(urls), startTimeoutMs, () => {
      const failing = this.running.find(({ process }) => process.failures >= failuresMax);
      if (failing)
        throw new StartFailure(`${labelOf(failing.plan)} ends again and again; its lines above say why`);
    });
  }

  /** Ends the gateway, which lets its calls end, and then the services. */
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
    replacePrivateFile(join(this.shared.dataDir, 'services.json'), `${JSON.stringify(processes, null, 2)}\n`);
  }
}
