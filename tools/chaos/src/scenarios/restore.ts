import { masterKeyOf, openDataDirectory } from '@scrip/data-directory';
import { type Databases, databasesOf } from '@scrip/reconcile';
import { waitUntil } from '@scrip/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { rowsOf } from '../checks/rows';
import { StreamOrder } from '../checks/stream-order';
import { type Experiment, beginLoad, endAndCompare } from '../experiment';
import { type Scenario, atMost, none } from '../scenario';
import { type Distributed, movable, startDistributed } from '../shape/distributed';
import type { Postgres } from '../shape/postgres';
import { restoredServer } from '../shape/restored';

const settleWithinSeconds = 60;
const visibleWithinSeconds = 5;
/** A port on which no process listens. */
const nowhere = 1;

/** Seconds from a success that a caller was told to its webhook. */
const secondsToBeTold = async (shape: Distributed, { codes, deliveries }: Experiment): Promise<number> => {
  const redeem = () =>
    shape.ask<{ redemptions: { id: string }[] }>('POST', '/v1/redemptions', {
      redeemables: [{ object: 'voucher', id: codes.unlimited[0] }],
    });
  const redeemed = await waitUntil(redeem, {
    what: 'a success on the new server',
    timeoutMs: 60_000,
    intervalMs: 100,
  });
  const from = Date.now();
  const id = redeemed.redemptions[0]?.id as string;
  await waitUntil(() => deliveries.summary().redemptions.has(id), { what: 'its webhook', timeoutMs: 60_000 });
  return (Date.now() - from) / 1_000;
};

const lastTransaction = async (databaseUrl: string): Promise<number> => {
  const [row] = await rowsOf<{ id: number }>(
    databaseUrl,
    `SELECT pg_snapshot_xmax(pg_current_snapshot())::text::int AS id`,
  );
  return row?.id ?? 0;
};

const databasesOn = (shape: Distributed, server: Postgres): Databases =>
  databasesOf(
    movable.map((name) => `${name}=${server.directUrl}`),
    () => shape.postgres.directUrl,
  );

/** Waits until nothing that was begun on the server can still be committed. */
const untilQuiet = (server: Postgres): Promise<unknown> =>
  waitUntil(
    async () => {
      const [row] = await rowsOf<{ open: string }>(
        server.directUrl,
        'SELECT count(*) AS open FROM pg_stat_activity WHERE backend_xid IS NOT NULL',
      );
      return row?.open === '0';
    },
    { what: 'the end of open transactions', timeoutMs: 60_000 },
  );

/** New servers of the movable databases. */
class NewServers {
  private readonly started: { server: Postgres; folder: string }[] = [];

  constructor(
    private readonly shape: Distributed,
    private readonly tell: (line: string) => void,
  ) {}

  /** Cuts the services off, restores a dump of what they wrote so far to the old server, and lets them go on there. */
  async restore(): Promise<Postgres> {
    const { movableDatabase, postgres: old } = this.shape;
    movableDatabase.targetPort = nowhere;
    movableDatabase.cut();
    await untilQuiet(old);
    const folder = openDataDirectory(mkdtempSync(join(tmpdir(), 'scrip-chaos-restored-')));
    const server = await restoredServer(old, folder, masterKeyOf(this.shape.folder));
    this.started.push({ server, folder });
    const transactions = [await lastTransaction(old.directUrl), await lastTransaction(server.directUrl)];
    this.tell(`restored; transaction ids of the old server at ${transactions.join(', of the new one at ')}`);
    movableDatabase.targetPort = server.port;
    return server;
  }

  async stop(): Promise<void> {
    for (const { server, folder } of this.started) {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** Restores databases of two services from a dump into a new server while callers call, and then the same dump once more
 *  into another one. Figures: docs/reliability.md#restore. */
export const restore: Scenario = {
  name: 'restore',
  what: `the databases of ${movable.join(' and ')} restored from a dump into a new PostgreSQL server under load, and once more`,
  seconds: 30,
  async run({ seconds, rate, tell }) {
    const shape = await startDistributed();
    const servers = new NewServers(shape, tell);
    try {
      const experiment = await beginLoad(shape, { rate });
      await pause(seconds * 1_000);
      const restored = await servers.restore();
      const visibleAfter = await secondsToBeTold(shape, experiment);
      await pause(seconds * 1_000);
      const databases = databasesOn(shape, restored);
      const after = await endAndCompare(experiment, () => databases, settleWithinSeconds, tell);
      const order = await StreamOrder.watch(shape.kafka.brokers);
      const seen = await order.settled(databases);
      await order.close();
      // What was recorded since the dump is gone with this one: only what comes after it can be held against anything.
      await servers.restore();
      const visibleAgain = await secondsToBeTold(shape, experiment);
      return [
        atMost(
          'first redemption on the new server until its webhook',
          visibleAfter,
          visibleWithinSeconds,
          's',
        ),
        ...after,
        none('out of order within their stream', seen.outOfOrder),
        none('events that never came to Kafka', seen.missing),
        atMost(
          'first redemption after the same dump was restored again until its webhook',
          visibleAgain,
          visibleWithinSeconds,
          's',
        ),
      ];
    } finally {
      await shape.stop();
      await servers.stop();
    }
  },
};
