import { Fault } from '@scrip/kernel';
import type { Frame } from './frame-socket';
import type { Answer } from './wire';

/** One call under way, which is also its frame. */
export class PendingCall implements Frame {
  dropped = false;
  handedOver = false;
  readonly answer: Promise<unknown>;
  private resolve: (value: unknown) => void;
  private reject: (error: unknown) => void;

  /** `resend` looks for another connection. */
  constructor(
    readonly id: number,
    readonly name: string,
    readonly deadlineAt: number,
    readonly body: string,
    readonly bytes: number,
    private readonly resend: (call: PendingCall) => void,
  ) {
    this.answer = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  end([, kind, ...rest]: Answer): void {
    switch (kind) {
      case 'answer':
        return this.resolve(rest[0]);
      case 'fault': {
        const [fault, retryable] = rest as [Fault['kind'], boolean];
        return this.reject(new Fault(fault, `${this.name} was answered: ${fault}`, { retryable }));
      }
      case 'defect':
        return this.reject(new Error(`${this.name} failed at its owner`));
      default:
        return kind satisfies never;
    }
  }

  fail(kind: Fault['kind'], why: string, cause?: unknown): void {
    this.dropped = true;
    this.reject(new Fault(kind, `${this.name}: ${why}`, { cause }));
  }

  /** Its connection is gone. Nobody can have executed what was never written, so that is sent again; of the rest the
   *  caller gets to know that nobody knows. */
  lost(why: string, cause?: unknown): void {
    if (this.handedOver) this.fail('unavailable', `${why}; it may have been executed`, cause);
    else this.resend(this);
  }
}
