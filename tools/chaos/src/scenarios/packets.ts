import { contextNames } from '@scrip/contracts/registry';
import { setTimeout as pause } from 'node:timers/promises';
import { beginAllLoads, endAllAndCompare } from '../experiment';
import { type Scenario, atMost } from '../scenario';
import { type Distributed, startDistributed } from '../shape/distributed';
import type { TcpProxy } from '../shape/tcp-proxy';

const callsWithinSeconds = 5;
const between = 5;
const settleWithinSeconds = 60;

interface Link {
  between: string;
  proxies: TcpProxy[];
}

const linksOf = ({ proxies, postgres, movableDatabase, kafkaProxy }: Distributed): Link[] => [
  ...contextNames.map((name) => ({
    between: `gateway and ${name} (HTTP)`,
    proxies: proxies.of(name, 'http'),
  })),
  ...contextNames.map((name) => ({
    between: `all others and ${name} (RPC)`,
    proxies: proxies.of(name, 'rpc'),
  })),
  // One of two replicas only: the other one can do its work.
  ...(['campaigns', 'qualification'] as const).map((name) => ({
    between: `all others and one replica of ${name} (RPC)`,
    proxies: proxies.of(name, 'rpc').slice(0, 1),
  })),
  { between: 'services and Kafka', proxies: [kafkaProxy] },
  { between: 'services and PostgreSQL', proxies: [postgres.proxy, movableDatabase] },
];

/** Drops every packet between two parties, one pair after the other. Figures: docs/reliability.md#packets. */
export const packets: Scenario = {
  name: 'packets',
  what: 'every packet dropped between two parties, one pair after the other; seconds: of each',
  seconds: 30,
  async run({ seconds, rate, tell }) {
    const shape = await startDistributed();
    try {
      const loads = await beginAllLoads(shape, { rate });
      const { told: callers } = loads.experiment.load;
      await pause(between * 1_000);
      for (const link of linksOf(shape)) {
        const answers = callers.snapshot();
        for (const proxy of link.proxies) proxy.freeze();
        await pause(seconds * 1_000);
        for (const proxy of link.proxies) proxy.thaw();
        const thawedAt = Date.now();
        tell(
          `${link.between}: ${callers.since(answers)}; slowest answer so far ${Math.round(callers.slowestMs)} ms`,
        );
        await pause(between * 1_000);
        if (callers.lastSuccessAt < thawedAt) tell(`  no success within ${between} s after`);
      }
      return [
        atMost('slowest answer to a caller', callers.slowestMs / 1_000, callsWithinSeconds, 's'),
        ...(await endAllAndCompare(loads, () => shape.databases, settleWithinSeconds, tell)),
      ];
    } finally {
      await shape.stop();
    }
  },
};
