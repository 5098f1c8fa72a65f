import type { FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import { callersHeaders } from '../response-headers';

type Headers = Record<string, string | string[]>;

/** What concerns one connection only, and never goes further. Source: RFC 9110 §7.6.1. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** What the gateway answers for itself: it frames the body anew, keeps credentials to itself, and says who called. */
const gatewaysOwn = new Set([
  'host',
  'content-length',
  'expect',
  'forwarded',
  'x-real-ip',
  'x-app-id',
  'x-app-token',
  'x-client-application-id',
  'x-client-token',
  'x-management-id',
  'x-management-token',
  'authorization',
  'cookie',
  // The trace goes on in the signed context.
  'traceparent',
  'tracestate',
]);

/** Headers between processes of ours begin so; from outside none of them counts. */
const internalPrefix = 'x-scrip-';

/** Those of them that services answer callers with. */
const forCallers: ReadonlySet<string> = new Set(callersHeaders.map((name) => name.toLowerCase()));
const isInternal = (name: string): boolean => name.startsWith(internalPrefix);

const forwardedPrefix = 'x-forwarded-';

const namedByConnection = ({ connection }: IncomingHttpHeaders): ReadonlySet<string> =>
  new Set((connection ?? '').split(',').map((name) => name.trim().toLowerCase()));

const kept = (headers: IncomingHttpHeaders, isDropped: (name: string) => boolean): Headers => {
  const named = namedByConnection(headers);
  const passed: Headers = {};
  for (const [name, value] of Object.entries(headers)) {
    const goesOn = value !== undefined && !hopByHop.has(name) && !named.has(name);
    if (goesOn && !isDropped(name)) passed[name] = value;
  }
  return passed;
};

/** What of a request's headers goes on to the service, with the caller's address as the gateway knows it.
 *  `oauthHeaders`: in lower case. */
export const forwardedHeaders = (request: FastifyRequest, oauthHeaders: ReadonlySet<string>): Headers => ({
  ...kept(
    request.headers,
    (name) =>
      isInternal(name) || gatewaysOwn.has(name) || name.startsWith(forwardedPrefix) || oauthHeaders.has(name),
  ),
  'x-forwarded-for': request.ip,
  'x-forwarded-host': request.host,
  'x-forwarded-proto': request.protocol,
});

/** What of an answer's headers goes back to the caller. */
export const answeredHeaders = (headers: IncomingHttpHeaders): Headers =>
  kept(headers, (name) => isInternal(name) && !forCallers.has(name));
