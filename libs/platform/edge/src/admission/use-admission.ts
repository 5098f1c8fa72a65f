import type { FastifyInstance } from 'fastify';
import { Admission } from './admission';
import { settleCycles } from './cycle-totals';
import { settleNotes } from '../call-log/settle-notes';
import { answerFailure } from '../failure/answer-failure';
import type { EdgeOptions } from '../assembly/edge-options';
import { failureOfError } from '../failure/failure-of-error';
import { logDefect } from '../failure/log-defect';
import type { RouteIndex } from '../routes/route-index';
import { defaultReaderPatience } from '../under-way/silent-readers';
import { useAnswerRooms } from '../under-way/use-answer-rooms';

/** Lets callers in, or answers why not, before anything else happens; answers browsers' preflights. */
export const useAdmission = (fastify: FastifyInstance, options: EdgeOptions, index: RouteIndex): void => {
  const admission = new Admission(options, index);
  useAnswerRooms(fastify, options.readerPatience ?? defaultReaderPatience);
  if (admission.counts.cycle) settleCycles(fastify, admission.counts.cycle);
  if (options.callNotes) settleNotes(fastify, options.callNotes);
  fastify.addHook('onResponse', (request) => admission.counts.chargeRedeemables(request));
  fastify.addHook('onRequest', async (request, reply) => {
    if (request.method === 'OPTIONS' && request.url.startsWith('/client/'))
      return admission.browsers.answerPreflight(request, reply);
    try {
      await admission.admit(request, reply);
    } catch (error) {
      const { failure, defect } = failureOfError(error);
      if (defect) logDefect(request, error);
      return answerFailure(request, reply, failure);
    }
  });
};
