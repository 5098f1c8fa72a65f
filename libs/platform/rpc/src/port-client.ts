import { type Deadlined, type Port, Fault, isRefused, traced } from '@scrip/kernel';
import type { CallOutcome, PortMetrics } from './port-metrics';

/** Carries one call to the server of the port and returns its answer. Throws `Fault` when that fails. */
export interface PortTransport {
  call(port: Port<object>, method: string, context: Deadlined, request: unknown): Promise<unknown>;
}

// setTimeout fires at once when the delay does not fit 31 bits.
const longestTimerMs = 2 ** 31 - 1;

const withinDeadline = <T>(call: string, context: Deadlined, work: () => Promise<T>): Promise<T> => {
  const remainingMs = context.deadlineAt - Date.now();
  if (remainingMs <= 0) return Promise.reject(new Fault('deadline', `${call} was not called: too late`));
  if (remainingMs > longestTimerMs) return work();
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Fault('deadline', `${call} took too long`)), remainingMs);
    work()
      .finally(() => clearTimeout(timer))
      .then(resolve, reject);
  });
};

const outcomeOf = (error: unknown): CallOutcome => (error instanceof Fault ? error.kind : 'failed');

/** Returns an object with the port's methods; each sends its call through the transport. A method rejects with
 *  `Fault` `deadline` as soon as `context.deadlineAt` passes. It resolves with a refusal, since a refusal is a
 *  value. */
export const portClient = <T extends object>(
  port: Port<T>,
  transport: PortTransport,
  metrics: PortMetrics,
): T => {
  const methods = port.methods.map((method) => {
    const call = `${port.name}.${method}`;
    const invoke = async (context: Deadlined, request: unknown): Promise<unknown> => {
      const startedAt = performance.now();
      const ended = (outcome: CallOutcome): void =>
        metrics.called({ port: port.name, method, outcome, durationMs: performance.now() - startedAt });
      try {
        const answer = await traced({ name: call, kind: 'CLIENT' }, context, (span) =>
          withinDeadline(call, span, () => transport.call(port, method, span, request)),
        );
        ended(isRefused(answer) ? 'refused' : 'answered');
        return answer;
      } catch (error) {
        ended(outcomeOf(error));
        throw error;
      }
    };
    return [method, invoke] as const;
  });
  return Object.fromEntries(methods) as T;
};
