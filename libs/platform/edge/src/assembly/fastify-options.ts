import { newDashboardRequestId, newRequestId } from '@scrip/kernel';
import { dashboardHeader } from '../access/browser-call';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { STATUS_CODES } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Failure, renderFailure } from '../failure/failure';
import { failures } from '../failure/failures';
import { parseQueryString } from '../lists/query-string';
import { bodyLimitBytes } from '@scrip/contracts/registry';
import { requestIdHeader, standingHeaders } from './answer-headers';

const requestTimeoutMs = 60_000;
/** How long a connection that was refused may take to read the answer and to end. */
const lingerMs = 1_000;

const failureOfClientError = (code: string | undefined): Failure => {
  if (code === 'HPE_HEADER_OVERFLOW') return failures.headersTooLarge();
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? failures.requestTimeout() : failures.malformedRequest();
};

// A client that never closes the connection would keep it open: Node runs no time-out for a refused connection, and an
// answer to a failed TLS handshake waits for the handshake.
const closeSoon = (socket: Socket): void => {
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(timer));
};

/** Answers what Node's HTTP parser refuses, before there is any request. */
const answerClientError = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  closeSoon(socket);
  const failure = failureOfClientError(error.code);
  const requestId = newRequestId();
  const body = JSON.stringify(renderFailure(failure, requestId));
  const headers = {
    ...standingHeaders,
    [requestIdHeader]: requestId,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}\r\n${lines.join('')}\r\n${body}`);
};

/** Answers a path that cannot be decoded: the router refuses it before any hook runs. */
const answerFrameworkError = (_error: Error, request: FastifyRequest, reply: FastifyReply): void => {
  const failure = failures.invalidPayload('Path cannot be decoded');
  void reply.headers(standingHeaders).header(requestIdHeader, request.id);
  void reply.code(failure.status).send(renderFailure(failure, request.id));
};

/** Options of the Fastify instance that the edge is registered on: `new FastifyAdapter(edgeFastifyOptions())`, in a
 *  Nest application created with `{ bodyParser: false }`. */
export const edgeFastifyOptions = () => ({
  genReqId: ({ headers }: Pick<IncomingMessage, 'headers'>): string =>
    headers[dashboardHeader] === undefined ? newRequestId() : newDashboardRequestId(),
  bodyLimit: bodyLimitBytes,
  // For heads, and for bodies of refused requests. A body that is read has until the deadline of its request.
  requestTimeout: requestTimeoutMs,
  // While the process shuts down, requests on open connections are answered like any other, the connection ending
  // after them; Fastify's own 503 would have another shape than ours.
  return503OnClosing: false,
  routerOptions: {
    // Codes and source ids are longer than Fastify's 100; Node's header limit bounds them anyway.
    maxParamLength: 16_384,
    querystringParser: parseQueryString,
  },
  frameworkErrors: answerFrameworkError,
  clientErrorHandler: answerClientError,
});

/** The same for a service behind gateways. What a caller may send in headers (16 KiB) arrives with the context. */
export const serviceFastifyOptions = () => ({
  ...edgeFastifyOptions(),
  http: { maxHeaderSize: 65_536 },
});
