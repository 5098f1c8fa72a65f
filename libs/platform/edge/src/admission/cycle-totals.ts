import type { AuthPort } from '@scrip/contracts/auth';
import { newRequestId } from '@scrip/kernel';
import type { FastifyInstance } from 'fastify';
import type { CallCycle, CycleTotals } from '../access/call-cycle';
import { tellEverySecond } from './every-second';

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
export const settleCycles = (fastify: FastifyInstance, cycle: CallCycle): void =>
  tellEverySecond(fastify, { tell: () => cycle.settle(), failure: 'calls of the cycle are told later' });
