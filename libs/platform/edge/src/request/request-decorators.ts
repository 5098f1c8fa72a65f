import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { CallContext, IdSource, RequestContext } from '@scrip/kernel';
import type { FastifyRequest } from 'fastify';
import type { IdempotencyRow as Row } from '../idempotency/idempotency-row';
import type { BrowserCall } from '../access/browser-call';
import { edgeOf, type EdgeState } from './edge-request';

const stateOf = (host: ExecutionContext): EdgeState =>
  edgeOf(host.switchToHttp().getRequest<FastifyRequest>());

/** Parameter: who asks, in which project (`RequestContext`). Throws on open routes, where the caller is unknown. */
export const Ctx = createParamDecorator((_: unknown, host: ExecutionContext): RequestContext => {
  const { context } = stateOf(host);
  if (!context) throw new Error('an open route has no request context');
  return context;
});

/** Parameter: as `Ctx`; null where a token of the query was sent in place of credentials. */
export const CtxOrNull = createParamDecorator(
  (_: unknown, host: ExecutionContext): RequestContext | null => stateOf(host).context,
);

/** Parameter: the call (`CallContext`), for routes of managers that name no project. */
export const Call = createParamDecorator(
  (_: unknown, host: ExecutionContext): CallContext => stateOf(host).call,
);

/** Parameter: how a browser called the dashboard's own API, and in which session (`BrowserCall`). */
export const Browser = createParamDecorator((_: unknown, host: ExecutionContext): BrowserCall => {
  const { browser } = stateOf(host);
  if (!browser) throw new Error('only routes of the dashboard know the browser');
  return browser;
});

/** Parameter: the user's session that calls a route of the management API (`BrowserCall['session']`); null: a management
 *  key calls. */
export const SessionOfCall = createParamDecorator(
  (_: unknown, host: ExecutionContext): BrowserCall['session'] => stateOf(host).browser?.session ?? null,
);

/** Parameter: the ids of this command (`IdSource`): derived when it has an Idempotency-Key, so that a repetition gets
 *  the same ones, else fresh. Source: architecture §8. */
export const Ids = createParamDecorator((_: unknown, host: ExecutionContext): IdSource => stateOf(host).ids);

/** Parameter: the command's key row (`IdempotencyRow`), or null without an Idempotency-Key. For commands that complete
 *  it in their own transaction; all others are completed by the edge. Source: architecture §8. */
export const KeyRow = createParamDecorator(
  (_: unknown, host: ExecutionContext): Row | null => stateOf(host).idempotency,
);
