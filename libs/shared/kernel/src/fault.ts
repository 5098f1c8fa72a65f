/** Says what failed outside the code: a part does not answer, the deadline passed, or too much work is waiting. */
export type FaultKind = 'unavailable' | 'deadline' | 'overloaded';

/** A failure outside the code; thrown, and repeated a bounded number of times. An expected no is a `Refusal` instead.
 *  Repeating may help, except after a passed deadline, unless `retryable` says otherwise. */
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
