import { beginSpan, type OpenSpan } from '@scrip/kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RouteRow } from '@scrip/contracts/registry';

/** Begins a request's span in the trace of its caller. What each process serves itself (health) is in no trace. */
export const beginRequestSpan = (
  { id, method }: FastifyRequest,
  row: RouteRow | null,
  traceparent: string | null,
): OpenSpan => {
  if (row?.owner === null) return { traceparent, end: () => undefined };
  const name = row ? `${row.method} ${row.path}` : `${method} unknown route`;
  return beginSpan({ name, kind: 'SERVER', attributes: { 'scrip.request_id': id } }, traceparent);
};

/** Ends the spans of requests with their answers. */
export const endRequestSpans = (fastify: FastifyInstance): void => {
  fastify.addHook('onResponse', async ({ edge }, { statusCode }) => {
    edge?.span.end(statusCode >= 500 ? statusCode : undefined);
  });
};
