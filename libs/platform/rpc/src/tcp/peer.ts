import { type ConnectionSettings, PortConnection, type SocketAddress } from './port-connection';
import type { TcpLimits } from './tcp-limits';

const socketsPerAddress = 2;
// A connection that ends sooner than this counts as failed: the next one waits as after a failure.
const livedMs = 1_000;

/** Callbacks of a peer. */
export interface PeerEvents {
  /** Called when a connection became ready or was lost, or when connecting failed. */
  changed(): void;
  /** There may be room for a waiting call. */
  room(): void;
  reconnected(): void;
  failed(cause: Error): void;
}

/** Returns the pause before the next attempt to connect. A quarter of it is random, so that clients of a restarted
 *  peer do not all connect at once. `failures` counts from 0. */
export const backoffMs = (
  failures: number,
  { backoffMinMs, backoffMaxMs }: Pick<TcpLimits, 'backoffMinMs' | 'backoffMaxMs'>,
  random: () => number = Math.random,
): number => Math.min(backoffMaxMs, backoffMinMs * 2 ** Math.min(failures, 30)) * (0.75 + random() / 4);

/** Keeps one socket to an address open: one at a time, at once after a loss, else after a pause. */
class Line {
  connection: PortConnection;
  /** True during the first attempt to connect since the start or a loss; calls may wait for it. */
  isHopeful = true;
  private failures = 0;
  private wasReady = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly address: SocketAddress,
    private readonly settings: ConnectionSettings,
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
    this.connection = new PortConnection(this.address, this.settings, {
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
      this.timer = setTimeout(() => this.open(), backoffMs(this.failures, this.settings.limits)).unref();
      this.failures += 1;
    }
    this.events.changed();
  }
}

/** One resolved address with its two connections. All ports whose names resolve to it share them. */
export class Peer {
  /** The address as text. */
  readonly name: string;
  private readonly lines = new Set<Line>();
  private isWanted = true;

  constructor(
    private readonly address: SocketAddress,
    private readonly settings: ConnectionSettings,
    private readonly events: PeerEvents & { ended(): void },
  ) {
    this.name = `[${address.ip}]:${address.port}`;
    this.open();
  }

  get isHopeful(): boolean {
    return [...this.lines].some((line) => line.isHopeful);
  }

  get connections(): PortConnection[] {
    return [...this.lines].map((line) => line.connection);
  }

  /** Call it when the address no longer resolves. Calls in progress still end. */
  dismiss(): void {
    this.isWanted = false;
    for (const line of this.lines) line.leave();
  }

  /** Call it when the address resolves again before its last connection closed. Closed connections are opened again. */
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
        this.settings,
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
