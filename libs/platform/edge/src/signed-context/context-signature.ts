import { type CallContext, type RequestContext, type Secret, keyObjectOf, sharedKey } from '@scrip/kernel';
import type { BrowserCall } from '../access/browser-call';
import { createHmac, timingSafeEqual } from 'node:crypto';

/** The request header in which a gateway tells a service who asks. */
export const contextHeader = 'x-scrip-context';

/** How long a signed context may be used, in ms; the clocks of the two processes may differ by as much. */
export const contextLifetimeMs = 30_000;

/** What a context was signed for. `url`: path and query as they go over the wire. */
export interface SignedTarget {
  method: string;
  url: string;
}

/** What a gateway knows of a request. `context` is null on open routes. */
export interface AdmittedCall {
  call: CallContext;
  context: RequestContext | null;
  /** Of calls of the dashboard's own API, and of management where a session calls. */
  browser?: BrowserCall | null;
}

/** Why a header is no signed context for its request. `forged`: signed with another key or for another request, or
 *  altered. */
export type SignatureFlaw = 'absent' | 'malformed' | 'forged' | 'expired';

interface Payload {
  signedAt: number;
  call: CallContext;
  /** The context without what `call` has already. */
  caller: Omit<RequestContext, keyof CallContext> | null;
  browser?: BrowserCall;
}

const form = /^1\.([\w-]+)\.([\w-]+)$/;

/** The key that gateways sign with and services check with, from the secret (of any length) that all of them share. */
export const requestContextKey = (internalSecret: Secret): Buffer =>
  sharedKey(internalSecret, 'request-context');

const macOf = (key: Buffer, { method, url }: SignedTarget, payload: string): string =>
  createHmac('sha256', keyObjectOf(key)).update(`${method} ${url}\n${payload}`).digest('base64url');

const isSame = (left: string, right: string): boolean => {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
};

const withoutCall = (context: RequestContext): Payload['caller'] => {
  const { requestId: _id, deadlineAt: _deadline, traceparent: _trace, ...caller } = context;
  return caller;
};

/** The header's value for one request, good for 30 seconds. `nowMs`: epoch. The body is not signed: it may be a stream.
 *  Source: architecture §7. */
export const signContext = (
  key: Buffer,
  target: SignedTarget,
  { call, context, browser }: AdmittedCall,
  nowMs = Date.now(),
): string => {
  const content: Payload = {
    signedAt: nowMs,
    call,
    caller: context && withoutCall(context),
    ...(browser ? { browser } : {}),
  };
  const payload = Buffer.from(JSON.stringify(content)).toString('base64url');
  return `1.${payload}.${macOf(key, target, payload)}`;
};

/** What the header says, if it was signed with one of `keys` for exactly this request within the last 30 seconds. */
export const verifyContext = (
  keys: readonly Buffer[],
  target: SignedTarget,
  header: string | string[] | undefined,
  nowMs = Date.now(),
): AdmittedCall | SignatureFlaw => {
  if (header === undefined) return 'absent';
  const [, payload, mac] = form.exec(String(header)) ?? [];
  if (payload === undefined || mac === undefined) return 'malformed';
  if (!keys.some((key) => isSame(mac, macOf(key, target, payload)))) return 'forged';
  const { signedAt, call, caller, browser } = JSON.parse(
    Buffer.from(payload, 'base64url').toString(),
  ) as Payload;
  if (Math.abs(nowMs - signedAt) > contextLifetimeMs) return 'expired';
  return { call, context: caller && { ...call, ...caller }, ...(browser ? { browser } : {}) };
};
