/** What failed in the world around: a part does not answer, time ran out, or a limit on work at once was reached. */
export type FaultKind = 'unavailable' | 'deadline' | 'overloaded';

/** The world failing: thrown, retried with a bound, never a rule's "no" (that is a `Refusal`). Repeating helps
 *  against everything but a passed deadline, unless `retryable` says otherwise. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly kind: FaultKind;
  readonly retryable: boolean;

  constructor(kind: FaultKind, message: string, options: { retryable?: boolean; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.retryable = options.retryable ?? kind !== 'deadline';
  }
}
