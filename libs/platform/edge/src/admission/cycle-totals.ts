import type { AuthPort } from '@scrip/contracts/auth';
import { newRequestId } from '@scrip/kernel';
import type { FastifyInstance } from 'fastify';
import type { CallCycle, CycleTotals } from '../access/call-cycle';

const everyMs = 1_000;
const patienceMs = 5_000;

/** The totals that auth keeps. */
export const cycleTotalsOf =
  (auth: AuthPort): CycleTotals =>
  async (added) => {
    const call = { requestId: newRequestId(), deadlineAt: Date.now() + patienceMs, traceparent: null };
    return (await auth.countCalls(call, added)).calls;
  };

/** Tells every second what was counted, and once more at the end. No call waits for it: what cannot be told now is told later, and of
 *  a process that is killed a second is lost. */
export const settleCycles = (fastify: FastifyInstance, cycle: CallCycle): void => {
  let timer: NodeJS.Timeout | undefined;
  let under: Promise<void> = Promise.resolve();
  const settle = (): Promise<void> =>
    cycle
      .settle()
      .catch((error: unknown) => fastify.log.warn({ error }, 'calls of the cycle are told later'));
  const next = (): void => {
    timer = setTimeout(() => {
      under = settle().then(() => (timer ? next() : undefined));
    }, everyMs).unref();
  };
  fastify.addHook('onReady', async () => next());
  fastify.addHook('onClose', async () => {
    clearTimeout(timer);
    timer = undefined;
    await under;
    await settle();
  });
};
