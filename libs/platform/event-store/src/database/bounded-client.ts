import { pulseOf } from '@scrip/kernel';
import type { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';

/** Settings of a connection that is closed when the server does not answer. */
export interface BoundedSettings extends ClientConfig {
  /** How long an answer may take, longer than the server lets a statement run. Without it nothing is bounded. */
  answerMs?: number;
}

/** An answer is waited for in beats of this process: after it stood still, the answer may lie unread. */
const beatsOfAnswer = 10;

const switchedOff = /\bSET (LOCAL )?statement_timeout\s*=\s*0\b/;
const switchedOn = /\bRESET statement_timeout\b/;

/** A connection that is closed when the server owes an answer and sends not one byte for `answerMs`: a machine that is
 *  gone, or whose packets are lost, says nothing, and the system would wait for a quarter of an hour. What runs on it
 *  fails as on any connection that is lost. Statements for which the server's own limit is switched off, by
 *  `SET statement_timeout = 0`, are waited for. No query has a timer of its own: all connections of a process are looked at
 *  together, from time to time. For the `Client` of a pool. */
export class BoundedClient extends Client {
  private readonly answerMs: number | undefined;
  /** Where the server's limit is switched off: until `RESET`, or until the transaction ends. */
  private unlimited: 'session' | 'transaction' | undefined;
  private silentBeats = 0;
  private bytesHeard = 0;

  constructor(settings?: BoundedSettings) {
    super(settings);
    this.answerMs = settings?.answerMs;
  }

  override connect(...given: any[]): any {
    if (this.answerMs !== undefined) {
      const pulse = pulseOf(this.answerMs / beatsOfAnswer);
      pulse.add(this);
      this.once('end', () => pulse.remove(this));
    }
    return (super.connect as (...sent: any[]) => unknown).apply(this, given);
  }

  override query(...given: any[]): any {
    const [text, values] = given;
    if (this.unlimited === 'transaction' && this.getTransactionStatus() === 'I') this.unlimited = undefined;
    if (values === undefined && typeof text === 'string' && text.includes('statement_timeout'))
      this.noteLimit(text);
    return (super.query as (...sent: any[]) => unknown).apply(this, given);
  }

  /** Called once a beat. Closes the connection after too many in which the server sent nothing although it had to. */
  beat(): void {
    const { bytesRead } = this.connection.stream as Socket;
    const hasToAnswer = !(this as unknown as { readyForQuery?: boolean }).readyForQuery;
    if (!hasToAnswer || this.unlimited !== undefined || bytesRead !== this.bytesHeard) {
      this.silentBeats = 0;
      this.bytesHeard = bytesRead;
      return;
    }
    this.silentBeats += 1;
    // The first of them may follow the statement at once.
    if (this.silentBeats <= beatsOfAnswer) return;
    this.silentBeats = 0;
    this.connection.stream.destroy(new Error(`Connection terminated: no answer for ${this.answerMs} ms`));
  }

  private noteLimit(text: string): void {
    const off = switchedOff.exec(text);
    if (off) this.unlimited = off[1] && this.unlimited !== 'session' ? 'transaction' : 'session';
    else if (switchedOn.test(text)) this.unlimited = undefined;
  }
}
