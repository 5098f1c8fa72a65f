import { contextNames } from '@scrip/contracts/registry';
import { runningDatabaseUrls } from '@scrip/embedded-postgres';
import { databasesOf } from '@scrip/reconcile';
import { freePort, startScrip } from '@scrip/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beginAllLoads, endAllAndCompare } from '../experiment';
import { type Scenario, atMost, told } from '../scenario';
import { callerOf, project } from '../shape/caller';

const everyMs = 10_000;
const settleWithinSeconds = 60;

/** The embedded shape's promise. */
export const embeddedKill: Scenario = {
  name: 'embedded-kill',
  what: 'kill -9 of the embedded shape’s one process, its database left running, every 10 seconds',
  seconds: 120,
  async run({ seconds, rate, tell }) {
    const dataDir = mkdtempSync(join(tmpdir(), 'scrip-chaos-'));
    const environment = {
      SCRIP_PORT: String(await freePort()),
      SCRIP_BOOTSTRAP_PROJECT_ID: project.id,
      SCRIP_BOOTSTRAP_APP_ID: project.appId,
      SCRIP_BOOTSTRAP_APP_TOKEN: project.appToken,
      SCRIP_BOOTSTRAP_MANAGEMENT_ID: project.managementId,
      SCRIP_BOOTSTRAP_MANAGEMENT_TOKEN: project.managementToken,
    };
    let scrip = await startScrip({ dataDir, environment });
    const loads = await beginAllLoads(callerOf(scrip.origin), { rate });
    const readyMs: number[] = [];
    const until = Date.now() + seconds * 1_000;
    while (Date.now() < until) {
      await pause(everyMs);
      await scrip.kill();
      scrip = await startScrip({ dataDir, environment });
      readyMs.push(scrip.readyMs);
      tell(`killed, ready again after ${Math.round(scrip.readyMs)} ms`);
    }
    const databases = databasesOf([], (name) =>
      runningDatabaseUrls(dataDir, contextNames).databaseUrls[name].reveal(),
    );
    const figures = await endAllAndCompare(loads, () => databases, settleWithinSeconds, tell);
    await scrip.stop();
    await loads.experiment.deliveries.close();
    rmSync(dataDir, { recursive: true, force: true });
    return [
      told('times killed', readyMs.length),
      atMost('slowest start to ready', Math.max(...readyMs) / 1_000, 10, 's'),
      ...figures,
    ];
  },
};
