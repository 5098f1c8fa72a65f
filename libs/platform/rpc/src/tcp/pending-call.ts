import { Fault } from '@scrip/kernel';
import type { Frame } from './frame-socket';
import type { Answer } from './wire';

/** A call in progress, which is also its frame. */
export class PendingCall implements Frame {
  dropped = false;
  handedOver = false;
  readonly answer: Promise<unknown>;
  private resolve: (value: unknown) => void;
  private reject: (error: unknown) => void;

  /** `resend` sends the call over another connection. */
  constructor(
    readonly id: number,
    readonly name: string,
    readonly deadlineAt: number,
    readonly body: string,
    readonly bytes: number,
    private readonly resend: (call: PendingCall) => void,
    /** The stream it writes, where calls for one stream should meet. */
    readonly stream: string | undefined = undefined,
    /** The project it is about; null where that is not known. */
    readonly project: string | null = null,
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

  /** Call it when the connection is lost. A call of which no byte was written was not executed and is sent again. Any
   *  other may have been executed; it rejects with `Fault` `unavailable`. */
  lost(why: string, cause?: unknown): void {
    if (this.handedOver) this.fail('unavailable', `${why}; it may have been executed`, cause);
    else this.resend(this);
  }
}
