import { Injectable } from '@nestjs/common';
import type { Dispatcher } from 'undici';
import { ProxyFailed } from './proxy-tunnel';
import { BlockedAddress, TargetConnections } from './target-connections';

/** From the start of connecting to the end of the answer. Source: reference 06 §5.2. */
export const deliveryTimeoutMs = 10_000;

/** Bytes read of an answer, and bytes kept in the log. Source: reference 06 §5.4 step 3. */
export const answerLimits = { readBytes: 65_536, loggedBytes: 4_096 };

/** How one request ended. `error` is a short code where there was no complete answer. `retryAfter`: the header. */
export interface HttpEnd {
  status: number | null;
  error: string | null;
  excerpt: string | null;
  retryAfter: string | null;
}

const codes: Record<string, string> = {
  ENOTFOUND: 'dns_error',
  EAI_AGAIN: 'dns_error',
  EAI_NODATA: 'dns_error',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  UND_ERR_SOCKET: 'connection_reset',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_ABORTED: 'timeout',
};

const isTls = (code: string): boolean =>
  /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|EPROTO)/.test(code);

/** Returns a short code of a failed request; never an address or a stack. */
const errorCode = (error: unknown): string => {
  if (error instanceof BlockedAddress) return 'blocked_address';
  if (error instanceof ProxyFailed) return 'proxy_error';
  const { name, code = '' } = error as { name?: string; code?: string };
  if (name === 'TimeoutError' || name === 'AbortError') return 'timeout';
  return codes[code] ?? (isTls(code) ? 'tls_error' : 'connection_error');
};

/** Returns text that PostgreSQL can store, from any bytes. */
const excerptOf = (bytes: Buffer): string => bytes.toString('utf8').replaceAll('\0', '');

const readAnswer = async (body: Dispatcher.ResponseData['body']): Promise<string> => {
  const kept: Buffer[] = [];
  let read = 0;
  for await (const chunk of body) {
    const bytes = chunk as Buffer;
    if (read < answerLimits.loggedBytes) kept.push(bytes);
    read += bytes.length;
    if (read >= answerLimits.readBytes) break; // Leaving the loop hangs up.
  }
  return excerptOf(Buffer.concat(kept).subarray(0, answerLimits.loggedBytes));
};

/** Sends one request. Source: reference 06 §5.2, §5.4. */
@Injectable()
export class HttpDelivery {
  constructor(private readonly connections: TargetConnections) {}

  /** Never throws; every failure is an `HttpEnd`. */
  async post(
    targetUrl: string,
    body: string,
    headers: Record<string, string>,
    timeoutMs = deliveryTimeoutMs,
  ): Promise<HttpEnd> {
    const signal = AbortSignal.timeout(timeoutMs);
    let status: number | null = null;
    try {
      const target = new URL(targetUrl);
      const pool = await beforeAbort(this.connections.to(target), signal);
      const answer = await pool.request({
        method: 'POST',
        path: target.pathname + target.search,
        headers,
        body,
        signal,
      });
      status = answer.statusCode;
      const retryAfter = answer.headers['retry-after'];
      return {
        status,
        error: null,
        excerpt: await readAnswer(answer.body),
        retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
      };
    } catch (error) {
      return {
        status,
        error: errorCode(signal.aborted ? signal.reason : error),
        excerpt: null,
        retryAfter: null,
      };
    }
  }
}

/** Stops waiting for `work` when the signal aborts; resolving a name itself cannot be stopped. */
const beforeAbort = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
