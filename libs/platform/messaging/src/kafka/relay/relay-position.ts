import { type LogPosition, logStart } from '@scrip/event-store';
import type { Leadership } from './leader-lock';

/** Another process has moved the relay's position: this process leads no longer, whatever its lock says. */
export class NoLongerLeading extends Error {
  override readonly name = 'NoLongerLeading';
}

/** How far the log is in Kafka, as the database has it. Moved on the connection that holds the lock, and only from
 *  where this leader left it. */
export class RelayPosition {
  private wanted: LogPosition;
  private moving: Promise<void> | undefined;

  private constructor(
    private readonly leadership: Leadership,
    private readonly relay: string,
    private stored: LogPosition,
  ) {
    this.wanted = stored;
  }

  static async read(leadership: Leadership, relay: string): Promise<RelayPosition> {
    await leadership.query(
      `INSERT INTO relay_positions (relay, position) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
      [relay, logStart],
    );
    const [row] = await leadership.query<{ position: LogPosition }>(
      `SELECT position FROM relay_positions WHERE relay = $1`,
      [relay],
    );
    return new RelayPosition(leadership, relay, row?.position ?? logStart);
  }

  get position(): LogPosition {
    return this.wanted;
  }

  /** Begins to move it, unless that is under way: then it is moved again after. `failed` hears of a failure. */
  moveTo(position: LogPosition, failed: (error: unknown) => void): void {
    this.wanted = position;
    this.moving ??= this.move()
      .catch(failed)
      .finally(() => (this.moving = undefined));
  }

  /** Throws `NoLongerLeading` where the stored position was moved by another process, as a rewind does. */
  async verify(): Promise<void> {
    if (this.moving) return;
    const expected = this.stored;
    const [row] = await this.leadership.query<{ position: LogPosition }>(
      `SELECT position FROM relay_positions WHERE relay = $1`,
      [this.relay],
    );
    if (row?.position === expected) return;
    throw new NoLongerLeading(`the relay of ${this.relay} was moved from ${expected}`);
  }

  /** Resolves when everything asked for is stored, or has failed. */
  async settled(): Promise<void> {
    await this.moving;
  }

  private async move(): Promise<void> {
    while (this.stored !== this.wanted) {
      const to = this.wanted;
      const moved = await this.leadership.query<{ position: string }>(
        `UPDATE relay_positions SET position = $3, moved_at = clock_timestamp()
         WHERE relay = $1 AND position = $2 RETURNING position`,
        [this.relay, this.stored, to],
      );
      if (moved.length === 0)
        throw new NoLongerLeading(`the relay of ${this.relay} is not at ${this.stored}`);
      this.stored = to;
    }
  }
}
