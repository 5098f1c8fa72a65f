import { createHash } from 'node:crypto';
import type { KafkaMessage } from 'kafkajs';

type Message = Pick<KafkaMessage, 'offset' | 'value'>;

const digestOf = ({ value }: Message): string =>
  createHash('sha256')
    .update(value ?? '')
    .digest('base64');

/** Whether what is fetched continues what was taken. The offsets of our topics have no gaps: the topics are not
 *  compacted, and the relay's producer is idempotent, but without transactions, whose ends would take offsets. So a
 *  batch that begins elsewhere means that the topic lost what comes next, or was made anew: kafkajs then goes on at
 *  its beginning by itself. */
export class Continuity {
  /** The message taken last. A digest, since the message itself would keep all of its fetch in memory. */
  private last: { offset: bigint; digest: string } | undefined;
  private checksLast = false;

  /** Where to fetch from after the group has joined again: a topic may have been made anew meanwhile, so the message
   *  taken last is fetched once more and compared. */
  rejoined(next: bigint): bigint {
    this.checksLast = this.last?.offset === next - 1n;
    return this.checksLast ? next - 1n : next;
  }

  /** Whether the messages are what comes next; those before `next` have been taken. */
  isKept(next: bigint, messages: readonly Message[]): boolean {
    const [first] = messages;
    if (!first) return true;
    const offset = BigInt(first.offset);
    if (!this.checksLast) return offset === next;
    // Retention may have removed it, and nothing else.
    return offset === next || (offset === this.last?.offset && digestOf(first) === this.last.digest);
  }

  /** The messages were taken, up to this one. */
  took(last: Message): void {
    this.last = { offset: BigInt(last.offset), digest: digestOf(last) };
    this.checksLast = false;
  }

  /** Another place was found. */
  reset(): void {
    this.last = undefined;
    this.checksLast = false;
  }
}
