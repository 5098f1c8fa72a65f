import type { CallContext, IdSource, OpenSpan, RequestContext } from '@scrip/kernel';
import type { FastifyRequest } from 'fastify';
import type { BrowserCall } from '../access/browser-call';
import type { RouteRow } from '@scrip/contracts/registry';
import type { IdempotencyRow } from '../idempotency/idempotency-row';
import type { AnswerRoom } from '../under-way/answers-under-way';

/** What the edge knows of a request. `row` is null for unknown routes; `context` is null for open ones, and until the
 *  caller was let in. `ids` are derived when the request has an Idempotency-Key. */
export interface EdgeState {
  row: RouteRow | null;
  call: CallContext;
  /** The request in its trace; `call` and `context` name it. */
  span: OpenSpan;
  context: RequestContext | null;
  /** Of calls of the dashboard's own API, and of management where a session calls; else null. */
  browser: BrowserCall | null;
  ids: IdSource;
  idempotency: IdempotencyRow | null;
  /** Redeemables that the body names; 0 until it was read. */
  redeemables: number;
  /** Room for the answer; null where none is counted: behind gateways, and for what each process serves itself. */
  answer: AnswerRoom | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    edge: EdgeState;
  }
}

/** The state, or a defect where no edge stands before the application. */
export const edgeOf = (request: FastifyRequest): EdgeState => {
  if (!request.edge) throw new Error('the edge is not registered in front of this route');
  return request.edge;
};
