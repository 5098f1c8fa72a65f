import type { FastifyInstance } from 'fastify';
import { Admission } from './admission';
import { answerFailure } from './answer-failure';
import type { EdgeOptions } from './edge-options';
import { failureOfError } from './failure/failure-of-error';
import { logDefect } from './failure/log-defect';
import type { RouteIndex } from './routes/route-index';

/** Lets callers in, or answers why not, before anything else happens; answers browsers' preflights. */
export const useAdmission = (fastify: FastifyInstance, options: EdgeOptions, index: RouteIndex): void => {
  const admission = new Admission(options, index);
  fastify.addHook('onRequest', async (request, reply) => {
    if (request.method === 'OPTIONS' && request.url.startsWith('/client/'))
      return admission.answerPreflight(request, reply);
    try {
      await admission.admit(request, reply);
    } catch (error) {
      const { failure, defect } = failureOfError(error);
      if (defect) logDefect(request, error);
      return answerFailure(request, reply, failure);
    }
  });
};
