import { Fault } from '@scrip/kernel';
import { EdgeFailure } from '../failure/failure';
import type { UpstreamMetrics, UpstreamOutcome } from './upstream-metrics';
import { isNeverSent, type UpstreamAddress } from './upstream-address';
import type { UpstreamAnswer, UpstreamRequest } from './upstream-request';
import type { ServiceAddresses } from './service-addresses';

/** A service answers by itself when a deadline passes; so much later it is not waited for any more. */
const deadlineMarginMs = 500;

/** The caller went away: no answer is read. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';
}

const outcomeOf = (error: unknown): UpstreamOutcome => {
  if (error instanceof CallerGone) return 'cancelled';
  if (error instanceof EdgeFailure) return 'overloaded';
  return error instanceof Fault ? error.kind : 'unavailable';
};

/** One service as the gateway reaches it, on whichever of its addresses. */
export class Upstream {
  constructor(
    readonly service: string,
    private readonly addresses: ServiceAddresses,
    private readonly metrics: UpstreamMetrics,
  ) {}

  /** Sends a request to one address. Another one is tried where no connection came about, and once for a request that
   *  may be repeated and whose connection broke; nothing else is sent twice. Throws `Fault` `unavailable`, `deadline` (half a second after
   *  the request's), `overloaded`, what `takeRoom` throws, and `CallerGone` when `gone` fires. */
  async send(request: UpstreamRequest, gone: AbortSignal): Promise<UpstreamAnswer> {
    const startedAt = performance.now();
    const ended = (outcome: UpstreamOutcome): void =>
      this.metrics.called({ service: this.service, outcome, durationMs: performance.now() - startedAt });
    try {
      const answer = await this.withinDeadline(request, gone);
      ended('answered');
      return answer;
    } catch (error) {
      ended(outcomeOf(error));
      throw error;
    }
  }

  private async withinDeadline(request: UpstreamRequest, gone: AbortSignal): Promise<UpstreamAnswer> {
    const ending = new AbortController();
    const leave = (): void => ending.abort(new CallerGone());
    if (gone.aborted) throw new CallerGone();
    gone.addEventListener('abort', leave, { once: true });
    const timer = setTimeout(
      () => ending.abort(new Fault('deadline', `${this.service} took too long`)),
      request.deadlineAt - Date.now() + deadlineMarginMs,
    );
    try {
      return await this.tryAddresses(request, ending.signal);
    } finally {
      clearTimeout(timer);
      gone.removeEventListener('abort', leave);
    }
  }

  private async tryAddresses(request: UpstreamRequest, signal: AbortSignal): Promise<UpstreamAnswer> {
    const tried = new Set<UpstreamAddress>();
    let { mayRepeat } = request;
    let failure: unknown;
    for (;;) {
      const address = this.addresses.next(tried);
      if (!address) {
        throw new Fault('unavailable', `no address of ${this.service} answers`, { cause: failure });
      }
      try {
        return await address.send(request, signal);
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        if (error instanceof Fault || error instanceof EdgeFailure) throw error;
        failure = error;
        if (isNeverSent(error)) {
          tried.add(address);
        } else if (mayRepeat) {
          mayRepeat = false;
        } else {
          throw new Fault('unavailable', `the connection to ${this.service} broke`, { cause: error });
        }
      }
    }
  }
}
