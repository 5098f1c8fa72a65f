import { Fault, halfForEach, SharedBudget } from '@scrip/kernel';
import { askingTls, type InternalTls, internalName } from '@scrip/rpc';
import { type Dispatcher, Pool } from 'undici';
import { streamedBytes } from '../under-way/answers-under-way';
import { HealthProbe } from './health-probe';
import { answersItsHealth } from './health-question';
import type { UpstreamAnswer, UpstreamRequest } from './upstream-request';

/** Sockets per address; requests beyond wait for one. */
const socketsMax = 256;
/** Requests under way per address; one more is refused, so that a slow service cannot fill the gateway's memory. One
 *  project has at most half of them. */
const requestsMax = 1_000;
/** A neighbour answers within a millisecond, unless one of the two stands still for a moment. */
const connectTimeoutMs = 2_000;
/** Services keep idle sockets for 72 s; ours are gone long before, so that none is used while the service closes it. */
const idleSocketMs = 4_000;
/** Longest pause inside of a streamed body. */
const streamPauseMs = 30_000;
/** JSON above this size, or of unknown size, is passed on as a stream. */
const bufferedBytesMax = 10_485_760;

/** The address did not answer its health either: what waited for it has ended. */
class AddressSilent extends Error {
  override readonly name = 'AddressSilent';
}

/** How many bytes of an answer are read before it goes on; null where it goes on as a stream. */
const bufferedBytesOf = (method: string, { headers }: Dispatcher.ResponseData): number | null => {
  const isJson = /^application\/(?:[\w.-]+\+)?json\b/i.test(String(headers['content-type'] ?? ''));
  const bytes = Number(headers['content-length'] ?? Infinity);
  return method !== 'HEAD' && isJson && bytes <= bufferedBytesMax ? bytes : null;
};

const isRefused = (error: unknown): boolean => ((error ?? {}) as { syscall?: unknown }).syscall === 'connect';

/** Whether the request certainly never left: then it may be sent to another address, whatever it is. */
export const isNeverSent = (error: unknown): boolean =>
  isRefused(error) || ((error ?? {}) as { code?: unknown }).code === 'UND_ERR_CONNECT_TIMEOUT';

const poolOf = (origin: string, tls: InternalTls | null): Pool =>
  new Pool(origin, {
    connections: socketsMax,
    pipelining: 1,
    keepAliveTimeout: idleSocketMs,
    keepAliveMaxTimeout: idleSocketMs,
    connect: { timeout: connectTimeoutMs, ...(tls ? askingTls(tls) : {}) },
    headersTimeout: 0,
    bodyTimeout: streamPauseMs,
    maxHeaderSize: 65_536,
  });

/** One address of a service: its sockets, and whether it answers. */
export class UpstreamAddress {
  private pool: Pool;
  private readonly underWay: SharedBudget;
  // Without it the certificate would be compared with the host that the caller named.
  private readonly certified: object;
  private readonly watch: HealthProbe;

  constructor(
    readonly origin: string,
    limit = requestsMax,
    private readonly tls: InternalTls | null = null,
  ) {
    this.pool = poolOf(origin, tls);
    this.underWay = new SharedBudget(halfForEach(limit));
    this.certified = tls ? { servername: internalName } : {};
    this.watch = new HealthProbe(
      (given) => answersItsHealth(origin, given, tls),
      () => this.dropSockets(),
    );
  }

  /** Whether it is known not to answer at the moment. */
  get isLost(): boolean {
    return this.watch.isLost;
  }

  /** Sends a request and waits for its answer; the signal ends both. Throws `Fault` `overloaded`, the signal's reason,
   *  what `takeRoom` throws, and whatever the connection says. */
  async send(request: UpstreamRequest, signal: AbortSignal): Promise<UpstreamAnswer> {
    const leave = this.underWay.take(request.project);
    if (!leave) throw new Fault('overloaded', `${this.origin} is busy`);
    try {
      const answer = await this.exchange(request, signal);
      if (Buffer.isBuffer(answer.body)) leave();
      else answer.body.once('close', leave);
      return answer;
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Lets requests end; then closes the sockets. */
  close(): Promise<void> {
    this.watch.close();
    return this.pool.close();
  }

  private async exchange(
    { method, url, headers, body, takeRoom }: UpstreamRequest,
    signal: AbortSignal,
  ): Promise<UpstreamAnswer> {
    this.watch.began();
    try {
      const sent = { method, path: url, headers, body: typeof body === 'function' ? body() : body };
      const answer = await this.pool.request({ ...sent, signal, ...this.certified });
      this.watch.heard();
      const { statusCode: status, headers: answered, body: stream } = answer;
      const bufferedBytes = bufferedBytesOf(method, answer);
      try {
        takeRoom(status, bufferedBytes ?? streamedBytes);
      } catch (error) {
        stream.on('error', () => undefined).destroy();
        throw error;
      }
      if (bufferedBytes === null) return { status, headers: answered, body: stream };
      return { status, headers: answered, body: Buffer.from(await stream.arrayBuffer()) };
    } catch (error) {
      if (isRefused(error)) this.watch.refused();
      throw error;
    } finally {
      this.watch.ended();
    }
  }

  private dropSockets(): void {
    const silent = this.pool;
    this.pool = poolOf(this.origin, this.tls);
    void silent.destroy(new AddressSilent(`${this.origin} does not answer`));
  }
}
