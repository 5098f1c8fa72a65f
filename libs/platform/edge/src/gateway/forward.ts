import { Logger } from '@nestjs/common';
import { mayChange } from '@scrip/contracts/registry';
import { Fault, traced } from '@scrip/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { redeemablesHeader } from '../access/redeemables';
import { answerFailure } from '../failure/answer-failure';
import { failureOfError } from '../failure/failure-of-error';
import { logDefect } from '../failure/log-defect';
import { edgeOf } from '../request/edge-request';
import { targetOf } from '../routes/path-of';
import { contextHeader, signContext } from '../signed-context/context-signature';
import { contextRefusedHeader } from '../signed-context/use-signed-context';
import { Readable } from 'node:stream';
import { answeredHeaders, forwardedHeaders } from './forwarded-headers';
import { CallerGone, type Upstream } from './upstream';
import type { UpstreamAnswer, UpstreamRequest } from './upstream-request';

const logger = new Logger('Gateway');

/** What a gateway forwards with. */
export interface ForwardingOptions {
  /** See `requestContextKey`. */
  contextKey: Buffer;
  /** In lower case. */
  oauthHeaders: ReadonlySet<string>;
}

/** Whether a request changes nothing, so that it may be asked again. */
const isQuestion = (request: FastifyRequest): boolean => {
  const { row } = edgeOf(request);
  return (request.method === 'GET' || request.method === 'HEAD') && !(row && mayChange(row));
};

const callerOf = (reply: FastifyReply): AbortSignal => {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableEnded) gone.abort();
  });
  return gone.signal;
};

/** A stream of its own for each attempt: the pool destroys what it cannot send to the end, and that must not end the
 *  connection of the caller, who waits for the answer. */
const bodyOf = ({ body }: FastifyRequest): UpstreamRequest['body'] => {
  if (body instanceof Readable) return () => Readable.from(body.iterator({ destroyOnReturn: false }));
  return Buffer.isBuffer(body) ? body : null;
};

/** Lets the rest of a form arrive that its service did not read, so that the caller can end its request. */
const discardRest = ({ body }: FastifyRequest): void => {
  if (body instanceof Readable) body.removeAllListeners('readable').resume();
};

const send = (
  upstream: Upstream,
  request: FastifyRequest,
  gone: AbortSignal,
  { contextKey, oauthHeaders }: ForwardingOptions,
): Promise<UpstreamAnswer> => {
  const { call, context, browser, answer } = edgeOf(request);
  const target = { method: request.method, url: targetOf(request.url) };
  return traced({ name: `gateway ${upstream.service}`, kind: 'CLIENT' }, call, (span) => {
    const admitted = { call: span, context: context && { ...context, ...span }, browser };
    return upstream.send(
      {
        ...target,
        mayRepeat: isQuestion(request),
        headers: {
          ...forwardedHeaders(request, oauthHeaders),
          [contextHeader]: signContext(contextKey, target, admitted),
        },
        body: bodyOf(request),
        deadlineAt: call.deadlineAt,
        project: context?.project.id ?? null,
        takeRoom: (status, bytes) => answer?.take(status, bytes),
      },
      gone,
    );
  });
};

/** Clocks or secrets of two processes differ: nothing that a caller did or could change. */
const checkAccepted = ({ headers, body }: UpstreamAnswer, service: string): void => {
  const flaw = headers[contextRefusedHeader];
  if (flaw === undefined) return;
  if (!Buffer.isBuffer(body)) body.resume();
  logger.error(`${service} refused this gateway's context: ${String(flaw)}`);
  throw new Fault('unavailable', `${service} refused the request context`);
};

/** A handler that sends requests on to a service and its answers back. */
export const forwardTo =
  (upstream: Upstream, options: ForwardingOptions) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const gone = callerOf(reply);
    try {
      const answer = await send(upstream, request, gone, options);
      checkAccepted(answer, upstream.service);
      edgeOf(request).redeemables = Number(answer.headers[redeemablesHeader] ?? 0);
      return reply.code(answer.status).headers(answeredHeaders(answer.headers)).send(answer.body);
    } catch (error) {
      if (error instanceof CallerGone) return reply.hijack();
      const { failure, defect } = failureOfError(error);
      if (defect) logDefect(request, error);
      else logger.warn(`${upstream.service}: ${(error as Error).message}`, { request_id: request.id });
      return answerFailure(request, reply, failure);
    } finally {
      discardRest(request);
    }
  };
