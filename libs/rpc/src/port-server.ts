import { Fault } from '@scrip/kernel';
import type { Deadlined, Port, PortMethod } from './port';
import { deliveredAsJson } from './plain-json';
import type { PortMetrics } from './port-metrics';

/** Finds what serves a port in this process; undefined when its context does not live here. */
export type ResolveHandlers = (port: Port<object>) => object | undefined;

export interface PortServerOptions {
  /** Calls served at once per port; one more is refused with `overloaded`. */
  maxInFlight: number;
  /** Copies requests and answers through JSON and throws `TypeError` on what JSON would change. */
  checkJson: boolean;
  metrics: PortMetrics;
}

/** The server side of all ports of this process; a transport hands over what it received.
 *  Source: architecture §7. */
export class PortServer {
  private readonly calls = new Map<string, number>();

  constructor(
    private readonly resolve: ResolveHandlers,
    private readonly options: PortServerOptions,
  ) {}

  /** Whether the port's context lives in this process. */
  serves(port: Port<object>): boolean {
    return this.resolve(port) !== undefined;
  }

  /** Runs one call to its end, even when the caller has stopped waiting. Throws `Fault` `unavailable` (nobody serves
   *  the port here), `deadline` (it had passed before the start), `overloaded`, and whatever the handler throws. */
  async serve(port: Port<object>, method: string, context: Deadlined, request: unknown): Promise<unknown> {
    const handlers = this.resolve(port) as Record<string, PortMethod> | undefined;
    if (!handlers) throw new Fault('unavailable', `nobody serves ${port.name} here`);
    if (!port.methods.includes(method)) {
      throw new Error(`port ${port.name} has no method ${method}`);
    }
    if (context.deadlineAt <= Date.now()) {
      throw new Fault('deadline', `${port.name}.${method} arrived after its deadline`);
    }
    const inFlight = this.calls.get(port.name) ?? 0;
    if (inFlight >= this.options.maxInFlight) {
      throw new Fault('overloaded', `${port.name} serves ${inFlight} calls already`);
    }
    this.count(port.name, 1);
    try {
      return await this.run(handlers, `${port.name}.${method}`, method, context, request);
    } finally {
      this.count(port.name, -1);
    }
  }

  private async run(
    handlers: Record<string, PortMethod>,
    call: string,
    method: string,
    context: Deadlined,
    request: unknown,
  ): Promise<unknown> {
    const handler = handlers[method] as (context: unknown, request: unknown) => Promise<unknown>;
    if (!this.options.checkJson) return handler.call(handlers, context, request);
    const answer = await handler.call(handlers, context, deliveredAsJson(request, `${call} request`));
    return deliveredAsJson(answer, `${call} answer`);
  }

  private count(port: string, change: 1 | -1): void {
    const calls = (this.calls.get(port) ?? 0) + change;
    this.calls.set(port, calls);
    this.options.metrics.inFlight(port, calls);
  }
}
