import type { Scrip } from '@scrip/testing';
import { Pool } from 'undici';

/** One HTTP call of a load: the next body is made for each call, so that callers may differ. */
export interface Call {
  origin: string;
  path: string;
  headers: Record<string, string>;
  body: () => string;
}

/** A call of a load on a running Scrip, with the project's server key. */
export const callOf = (scrip: Scrip, path: string, body: () => unknown): Call => ({
  origin: scrip.origin,
  path,
  headers: scrip.serverKeys,
  body: () => JSON.stringify(body()),
});

/** Latencies in milliseconds of the calls answered 2xx; the others only count. */
export interface Load {
  latenciesMs: number[];
  refused: number;
  elapsedMs: number;
}

const post = async (pool: Pool, call: Call): Promise<boolean> => {
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path: call.path,
    headers: { 'content-type': 'application/json', ...call.headers },
    body: call.body(),
  });
  await body.dump();
  return statusCode < 300;
};

const measured = async (pool: Pool, call: Call, load: Load, since: number): Promise<void> => {
  if (await post(pool, call)) load.latenciesMs.push(performance.now() - since);
  else load.refused += 1;
};

/** Open loop: `perSecond` calls start each second whatever the answers take, and each latency counts from the moment
 *  the call was due, so that a stalled server cannot hide its queue. */
export const openLoop = async (call: Call, perSecond: number, seconds: number): Promise<Load> => {
  const pool = new Pool(call.origin, { connections: 64 });
  const load: Load = { latenciesMs: [], refused: 0, elapsedMs: 0 };
  const startedAt = performance.now();
  const running: Promise<void>[] = [];
  for (let index = 0; index < perSecond * seconds; index += 1) {
    const dueAt = startedAt + (index * 1_000) / perSecond;
    const waitMs = dueAt - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    running.push(measured(pool, call, load, dueAt));
  }
  await Promise.all(running);
  load.elapsedMs = performance.now() - startedAt;
  await pool.close();
  return load;
};

/** Closed loop: `callers` callers, each with its next call as soon as the last is answered, for `seconds`. */
export const closedLoop = async (call: Call, callers: number, seconds: number): Promise<Load> => {
  const pool = new Pool(call.origin, { connections: callers });
  const load: Load = { latenciesMs: [], refused: 0, elapsedMs: 0 };
  const startedAt = performance.now();
  const caller = async () => {
    while (performance.now() - startedAt < seconds * 1_000)
      await measured(pool, call, load, performance.now());
  };
  await Promise.all(Array.from({ length: callers }, caller));
  load.elapsedMs = performance.now() - startedAt;
  await pool.close();
  return load;
};

/** The latency that `share` of the calls stayed below, in milliseconds. */
export const percentile = (latenciesMs: number[], share: number): number => {
  const sorted = [...latenciesMs].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

/** Calls answered 2xx per second. */
export const rateOf = (load: Load): number => load.latenciesMs.length / (load.elapsedMs / 1_000);
