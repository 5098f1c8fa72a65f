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
import { type Figure, type Scenario, atMost, none, told } from '../scenario';
import { type Distributed, movable, startDistributed } from '../shape/distributed';
import type { Postgres } from '../shape/postgres';
import { restoredServer } from '../shape/restored';

const settleWithinSeconds = 60;
const visibleWithinSeconds = 5;
/** A port that nobody listens on. */
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

/** Restores databases of two services from a dump into a new server. Figures: docs/reliability.md#restore. */
export const restore: Scenario = {
  name: 'restore',
  what: `the databases of ${movable.join(' and ')} restored from a dump into a new PostgreSQL server`,
  seconds: 30,
  async run({ seconds, rate, tell }) {
    const shape = await startDistributed();
    const folder = openDataDirectory(mkdtempSync(join(tmpdir(), 'scrip-chaos-restored-')));
    let server: Postgres | undefined;
    try {
      const experiment = await beginLoad(shape, { rate });
      await pause(seconds * 1_000);
      const before: Figure[] = await endAndCompare(
        experiment,
        () => shape.databases,
        settleWithinSeconds,
        tell,
      );
      shape.movableDatabase.targetPort = nowhere;
      shape.movableDatabase.cut();
      server = await restoredServer(shape.postgres, folder, masterKeyOf(shape.folder));
      const transactions = [
        await lastTransaction(shape.postgres.directUrl),
        await lastTransaction(server.directUrl),
      ];
      tell(
        `restored; transaction ids of the old server at ${transactions[0]}, of the new one at ${transactions[1]}`,
      );
      shape.movableDatabase.targetPort = server.port;
      const visibleAfter = await secondsToBeTold(shape, experiment);
      experiment.load.start();
      await pause(seconds * 1_000);
      const restored = server;
      const after = await endAndCompare(
        experiment,
        () => databasesOn(shape, restored),
        settleWithinSeconds,
        tell,
      );
      const order = await StreamOrder.watch(shape.kafka.brokers);
      const seen = await order.settled(databasesOn(shape, restored));
      await order.close();
      return [
        told('last transaction id of the old server / of the new one', transactions.join(' / ')),
        atMost(
          'first redemption on the new server until its webhook',
          visibleAfter,
          visibleWithinSeconds,
          's',
        ),
        none('bars missed before the restore', before.filter(({ isMet }) => isMet === false).length),
        ...after,
        none('out of order within their stream', seen.outOfOrder),
        none('events that never came to Kafka', seen.missing),
      ];
    } finally {
      await shape.stop();
      await server?.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
