import type { Logger } from '@nestjs/common';
import { errorText } from '../parking/parked-keys';
import { passesByItself } from './kafka-logging';

/** How long brokers may elect leaders, and other processes create topics, before it is worth a warning. */
const patienceMs = 10_000;

/** Reports the failures of a loop that tries again. What passes by itself, as it does while services and topics come up,
 *  is a warning only once it has lasted. */
export class FailuresInARow {
  private since: number | undefined;

  constructor(
    private readonly log: Pick<Logger, 'warn' | 'debug'>,
    private readonly now: () => number = Date.now,
  ) {}

  /** `what`: a sentence, which ends with the error. */
  failed(what: string, error: unknown): void {
    const text = `${what}: ${errorText(error)}`;
    this.since ??= this.now();
    if (passesByItself(text) && this.now() - this.since < patienceMs) this.log.debug(text);
    else this.log.warn(text);
  }

  /** A try succeeded. */
  over(): void {
    this.since = undefined;
  }
}
