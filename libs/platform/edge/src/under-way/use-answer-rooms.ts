import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { EdgeFailure, type Failure, renderFailure } from '../failure/failure';
import { noteFailure } from '../failure/log-failures';
import { whenAnswerEnds } from './answer-end';
import { streamedBytes } from './answers-under-way';
import { type ReaderPatience, SilentReaders } from './silent-readers';

const bytesOf = (payload: unknown): number => {
  if (typeof payload === 'string') return Buffer.byteLength(payload);
  if (Buffer.isBuffer(payload)) return payload.length;
  return payload instanceof Readable ? streamedBytes : 0;
};

/** What says something of the body that is not sent. */
const bodyHeaders = ['content-length', 'content-encoding', 'etag', 'last-modified'];

/** Turns an answer into a failure when its body is about to be sent; returns the body of the failure. */
const replaced = (request: FastifyRequest, reply: FastifyReply, failure: Failure): string => {
  for (const name of bodyHeaders) reply.removeHeader(name);
  const body = renderFailure(failure, request.id);
  noteFailure(request, failure.status, body);
  void reply
    .code(failure.status)
    .headers({ ...failure.headers, 'content-type': 'application/json; charset=utf-8' });
  return JSON.stringify(body);
};

/** Counts answers where the edge has room for them, and ends connections whose readers take nothing. */
export const useAnswerRooms = (fastify: FastifyInstance, patience: ReaderPatience): void => {
  const readers = new SilentReaders(patience);
  readers.start(fastify);
  fastify.addHook('onSend', (request, reply, payload, done) => {
    readers.began(request, reply);
    if (payload instanceof Readable) whenAnswerEnds(request, reply, () => payload.destroy());
    try {
      request.edge?.answer?.take(reply.statusCode, bytesOf(payload));
      done(null, payload);
    } catch (error) {
      if (!(error instanceof EdgeFailure)) throw error;
      if (payload instanceof Readable) payload.on('error', () => undefined).destroy();
      done(null, replaced(request, reply, error.failure));
    }
  });
};
