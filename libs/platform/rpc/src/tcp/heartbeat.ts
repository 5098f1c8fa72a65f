import { type Pulse, pulseOf } from '@scrip/kernel';

/** Detects a peer that is gone although the connection was not closed. It counts its own beats without a received
 *  byte, not time, so that a process that was paused does not take its peers for dead. */
export class Heartbeat {
  private silence = 0;
  private readonly pulse: Pulse;

  /** The first beat comes within `everyMs`. */
  constructor(
    private readonly options: { everyMs: number; silentBeats: number; beat: () => void; gone: () => void },
  ) {
    this.pulse = pulseOf(options.everyMs);
    this.pulse.add(this);
  }

  /** Returns whether the last beats went unanswered, before the peer counts as gone. */
  get isDoubtful(): boolean {
    return this.silence >= 2;
  }

  /** Called by the pulse. */
  beat(): void {
    if (this.silence >= this.options.silentBeats) return this.options.gone();
    this.silence += 1;
    this.options.beat();
  }

  /** Call it when bytes were received. */
  heard(): void {
    this.silence = 0;
  }

  stop(): void {
    this.pulse.remove(this);
  }
}
