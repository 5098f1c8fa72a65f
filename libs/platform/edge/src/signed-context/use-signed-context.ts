import { Logger } from '@nestjs/common';
import { type CallContext, noDeadline, randomIds } from '@scrip/kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { answerFailure } from '../failure/answer-failure';
import { failures } from '../failure/failures';
import type { EdgeState } from '../request/edge-request';
import { beginRequestSpan } from '../request/request-span';
import type { RouteIndex } from '../routes/route-index';
import type { RouteRow } from '@scrip/contracts/registry';
import { routedRow } from '../routes/routed-row';
import { type AdmittedCall, contextHeader, type SignatureFlaw, verifyContext } from './context-signature';

/** The answer's header that tells a gateway that the gateway itself was refused, not its caller. */
export const contextRefusedHeader = 'x-scrip-context-refused';

const logger = new Logger('SignedContext');

const failureOf = (flaw: SignatureFlaw) => ({
  ...(flaw === 'absent' ? failures.unauthorized() : failures.forbidden('The request context is not valid')),
  headers: { [contextRefusedHeader]: flaw },
});

const logRefusal = (request: FastifyRequest, flaw: SignatureFlaw): void =>
  logger.warn(`refused a request with ${flaw} context`, {
    request_id: request.id,
    method: request.method,
    route: request.routeOptions.url ?? 'unknown',
    address: request.socket.remoteAddress,
  });

const stateOf = (
  request: FastifyRequest,
  row: RouteRow | null,
  { call, context, browser = null }: AdmittedCall,
): EdgeState => {
  const span = beginRequestSpan(request, row, call.traceparent);
  const { traceparent } = span;
  return {
    row,
    call: { ...call, traceparent },
    context: context && { ...context, traceparent },
    span,
    browser,
    ids: randomIds,
    idempotency: null,
    redeemables: 0,
    answer: null,
  };
};

const callOfNobody = (request: FastifyRequest): CallContext => ({
  requestId: request.id,
  deadlineAt: noDeadline,
  traceparent: null,
});

/** Accepts requests of gateways only: the caller is read from the signed context and not authenticated again.
 *  Routes that each process serves itself (health) need none. Source: architecture §7. */
export const useSignedContext = (
  fastify: FastifyInstance,
  keys: readonly Buffer[],
  index: RouteIndex,
): void => {
  fastify.addHook('onRequest', async (request, reply) => {
    const row = routedRow(request, index) ?? null;
    if (row?.area === 'open' && row.owner === null) {
      request.edge = stateOf(request, row, { call: callOfNobody(request), context: null });
      return;
    }
    const { method, url, headers } = request;
    const admitted = verifyContext(keys, { method, url }, headers[contextHeader]);
    if (typeof admitted === 'string') {
      logRefusal(request, admitted);
      return answerFailure(request, reply, failureOf(admitted));
    }
    request.id = admitted.call.requestId;
    request.edge = stateOf(request, row, admitted);
    if (!row) return answerFailure(request, reply, failures.unknownRoute(request));
  });
};
