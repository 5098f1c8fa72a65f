import { beginStep, type OpenStep } from '@scrip/kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RouteRow } from '../routes/route-row';

/** Begins a request's step in the trace of its caller. What each process serves itself (health) is in no trace. */
export const beginRequestStep = (
  { id, method }: FastifyRequest,
  row: RouteRow | null,
  traceparent: string | null,
): OpenStep => {
  if (row?.owner === null) return { traceparent, end: () => undefined };
  const name = row ? `${row.method} ${row.path}` : `${method} unknown route`;
  return beginStep({ name, kind: 'SERVER', attributes: { 'scrip.request_id': id } }, traceparent);
};

/** Ends the steps of requests with their answers. */
export const endRequestSteps = (fastify: FastifyInstance): void => {
  fastify.addHook('onResponse', async ({ edge }, { statusCode }) => {
    edge?.step.end(statusCode >= 500 ? statusCode : undefined);
  });
};
