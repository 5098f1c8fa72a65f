import { PortConnection, type SocketAddress } from './port-connection';
import type { TcpLimits } from './tcp-limits';

const socketsPerAddress = 2;
// A connection that ends sooner than this did not work: the next attempt waits as after a failed one.
const livedMs = 1_000;

/** What a peer tells whoever uses it. */
export interface PeerEvents {
  /** A connection became ready or was lost, or the last hope of one ended. */
  changed(): void;
  /** There may be room for a waiting call. */
  room(): void;
  reconnected(): void;
  failed(cause: Error): void;
}

/** Pause before the next attempt, with a quarter of chance in it so that clients of a restarted peer do not all come
 *  at once. `failures` counts from 0. */
export const backoffMs = (
  failures: number,
  { backoffMinMs, backoffMaxMs }: Pick<TcpLimits, 'backoffMinMs' | 'backoffMaxMs'>,
  random: () => number = Math.random,
): number => Math.min(backoffMaxMs, backoffMinMs * 2 ** Math.min(failures, 30)) * (0.75 + random() / 4);

/** Keeps one socket to an address open: one at a time, at once after a loss, else after a pause. */
class Line {
  connection: PortConnection;
  /** The first attempt since the start or since a loss is under way: calls may wait for it. */
  isHopeful = true;
  private failures = 0;
  private wasReady = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly address: SocketAddress,
    private readonly secret: Buffer,
    private readonly limits: TcpLimits,
    private readonly events: PeerEvents,
    private readonly isWanted: () => boolean,
    private readonly ended: () => void,
  ) {
    this.open();
  }

  leave(): void {
    if (!this.timer) return this.connection.leave();
    clearTimeout(this.timer);
    this.ended();
  }

  private open(): void {
    this.timer = undefined;
    let readyAt: number | undefined;
    let saidGoodbye = false;
    this.connection = new PortConnection(this.address, this.secret, this.limits, {
      ready: () => {
        readyAt = performance.now();
        this.isHopeful = false;
        if (this.wasReady) this.events.reconnected();
        this.wasReady = true;
        this.events.changed();
      },
      room: () => this.events.room(),
      leaving: () => {
        saidGoodbye = true;
        this.events.changed();
      },
      closed: (cause) => {
        if (!this.isWanted()) return this.ended();
        const lived = readyAt !== undefined && performance.now() - readyAt >= livedMs;
        if (readyAt === undefined) this.events.failed(cause);
        this.reopen({ atOnce: lived && !saidGoodbye });
      },
    });
  }

  private reopen({ atOnce }: { atOnce: boolean }): void {
    this.isHopeful = atOnce;
    if (atOnce) {
      this.failures = 0;
      this.open();
    } else {
      this.timer = setTimeout(() => this.open(), backoffMs(this.failures, this.limits)).unref();
      this.failures += 1;
    }
    this.events.changed();
  }
}

/** One resolved address with its two lines; every port whose names resolve to it shares them. */
export class Peer {
  private readonly lines = new Set<Line>();
  private isWanted = true;

  constructor(
    private readonly address: SocketAddress,
    private readonly secret: Buffer,
    private readonly limits: TcpLimits,
    private readonly events: PeerEvents & { ended(): void },
  ) {
    this.open();
  }

  get isHopeful(): boolean {
    return [...this.lines].some((line) => line.isHopeful);
  }

  get connections(): PortConnection[] {
    return [...this.lines].map((line) => line.connection);
  }

  /** The address vanished: calls under way still end. */
  dismiss(): void {
    this.isWanted = false;
    for (const line of this.lines) line.leave();
  }

  /** The address is back before its last connection closed; lines that ended are opened again. */
  want(): void {
    this.isWanted = true;
    this.open();
  }

  destroy(): void {
    this.isWanted = false;
    for (const { connection } of this.lines) connection.destroy();
    this.dismiss();
  }

  private open(): void {
    while (this.lines.size < socketsPerAddress) {
      const line: Line = new Line(
        this.address,
        this.secret,
        this.limits,
        this.events,
        () => this.isWanted,
        () => {
          this.lines.delete(line);
          if (this.lines.size === 0) this.events.ended();
        },
      );
      this.lines.add(line);
    }
  }
}
