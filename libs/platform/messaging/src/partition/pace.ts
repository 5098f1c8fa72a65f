import type { Consumer } from '../consumer/consumer';
import { pause } from './pause';

/** Batches of a projection begin at most this often, in milliseconds. Each costs a transaction, whatever it holds, which writers
 *  wait for on a busy machine. Source: ADR 147. */
const projectionIntervalMs = 250;

/** Keeps the beginnings of one consumer's batches apart. The first after a rest begins at once; those of a steady stream hold
 *  what came meanwhile. */
export class Pace {
  private readonly intervalMs: number;
  private begunAt = Number.NEGATIVE_INFINITY;

  /** Consumers that fill tables keep a pace; those with other effects do not. */
  constructor({ fills }: Pick<Consumer, 'fills'>) {
    this.intervalMs = fills ? projectionIntervalMs : 0;
  }

  /** Resolves when the next batch may begin, or when `signal` aborts. */
  async turn(signal: AbortSignal): Promise<void> {
    const restMs = this.begunAt + this.intervalMs - performance.now();
    if (restMs > 0) await pause(restMs, signal);
    this.begunAt = performance.now();
  }
}
