import { type Deadlined, type Port, type PortMethod, Fault, halfForEach, SharedBudget } from '@scrip/kernel';
import { projectOf } from './project-of';
import { deliveredAsJson } from './plain-json';
import type { PortMetrics } from './port-metrics';

/** Returns the implementation of a port in this process; undefined when its context runs elsewhere. */
export type ResolveHandlers = (port: Port<object>) => object | undefined;

export interface PortServerOptions {
  /** Calls served at once per port; one more is refused with `overloaded`, and so is one of a project that has half. */
  maxInFlight: number;
  /** Copies requests and answers through JSON and throws `TypeError` on what JSON would change. */
  checkJson: boolean;
  metrics: PortMetrics;
}

/** Serves all ports of this process. A transport passes it the calls it received. Source: architecture §7. */
export class PortServer {
  private readonly calls = new Map<string, SharedBudget>();

  constructor(
    private readonly resolve: ResolveHandlers,
    private readonly options: PortServerOptions,
  ) {}

  /** Returns whether the port's context runs in this process. */
  serves(port: Port<object>): boolean {
    return this.resolve(port) !== undefined;
  }

  /** Runs one call to its end, even when the caller has stopped waiting. Throws `Fault` `unavailable` (the port is
   *  not served here), `deadline` (it passed before the start), `overloaded`, and the errors of the handler. */
  async serve(port: Port<object>, method: string, context: Deadlined, request: unknown): Promise<unknown> {
    const handlers = this.resolve(port) as Record<string, PortMethod> | undefined;
    if (!handlers) throw new Fault('unavailable', `nobody serves ${port.name} here`);
    if (!port.methods.includes(method)) {
      throw new Error(`port ${port.name} has no method ${method}`);
    }
    if (context.deadlineAt <= Date.now()) {
      throw new Fault('deadline', `${port.name}.${method} arrived after its deadline`);
    }
    const calls = this.callsOf(port.name);
    const leave = calls.take(projectOf(context));
    if (!leave) throw new Fault('overloaded', `${port.name} serves ${calls.held} calls already`);
    this.options.metrics.inFlight(port.name, calls.held);
    try {
      return await this.run(handlers, `${port.name}.${method}`, method, context, request);
    } finally {
      leave();
      this.options.metrics.inFlight(port.name, calls.held);
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

  private callsOf(port: string): SharedBudget {
    const known = this.calls.get(port) ?? new SharedBudget(halfForEach(this.options.maxInFlight));
    this.calls.set(port, known);
    return known;
  }
}
