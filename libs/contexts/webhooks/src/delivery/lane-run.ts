import type { ClaimedSendout, AttemptEnd } from './sendout.table';
import { inFlightMax } from './lane';

/** The dependencies of a run. */
export interface LaneWork<Target> {
  /** Takes at most `limit` due sendouts. */
  claim(limit: number): Promise<ClaimedSendout[]>;
  /** Reads the endpoint's current settings. */
  target(): Promise<Target>;
  /** Never rejects because of the receiver. */
  attempt(sendout: ClaimedSendout, target: Target): Promise<AttemptEnd>;
  record(ends: readonly AttemptEnd[]): Promise<void>;
  /** Returns whether to stop taking sendouts; requests in progress end. */
  shouldStop(): boolean;
}

/** How often a lane that waits for answers looks for new sendouts of other processes. */
const lookEveryMs = 100;

/** With fewer free places than this the lane waits for more, so that a busy lane takes sendouts in batches; it waits
 *  at most `lookEveryMs`, so that slow answers do not delay other sendouts. */
const freePlacesMin = inFlightMax / 2;

/** One run of an endpoint's lane: up to ten requests at once, first attempts about one entity one after another,
 *  results written in batches. Runs until nothing is due or in progress, or until `shouldStop`. Source: reference 06
 *  §5.3. */
export class LaneRun<Target> {
  private inFlight = 0;
  private lookedAtMs = performance.now();
  private readonly ends: AttemptEnd[] = [];
  private readonly lastOfEntity = new Map<string, Promise<void>>();
  private writing: Promise<void> | undefined;
  private failure: { error: unknown } | undefined;
  private wakeUp: () => void = () => undefined;

  constructor(private readonly work: LaneWork<Target>) {}

  /** Call it when new sendouts may wait. */
  wake(): void {
    this.wakeUp();
  }

  /** Throws errors of the database, after requests in progress have ended. */
  async run(): Promise<void> {
    for (;;) {
      const changed = this.change();
      const taken = this.mayTake() ? await this.take() : 0;
      if (taken === 0 && this.inFlight === 0) break;
      if (taken === 0 || !this.mayTake()) await changed;
    }
    this.wakeUp();
    if (this.failure) throw this.failure.error;
  }

  private mayTake(): boolean {
    if (this.failure || this.work.shouldStop()) return false;
    const free = inFlightMax - this.inFlight;
    return free >= freePlacesMin || (free > 0 && performance.now() - this.lookedAtMs >= lookEveryMs);
  }

  /** Resolves at the next wake, end of a request, or look. */
  private change(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, lookEveryMs);
      this.wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private async take(): Promise<number> {
    this.lookedAtMs = performance.now();
    try {
      const claimed = await this.work.claim(inFlightMax - this.inFlight);
      if (claimed.length === 0) return 0;
      const target = await this.work.target();
      for (const sendout of claimed) this.start(sendout, target);
      return claimed.length;
    } catch (error) {
      this.failure ??= { error };
      return 0;
    }
  }

  private start(sendout: ClaimedSendout, target: Target): void {
    this.inFlight += 1;
    const attempt = async () => {
      try {
        this.ends.push(await this.work.attempt(sendout, target));
      } catch (error) {
        this.failure ??= { error };
      }
    };
    const done = this.after(sendout, attempt).then(() => this.write());
    void done.finally(() => {
      this.inFlight -= 1;
      this.wakeUp();
    });
  }

  private after({ entityId, attempt: nth }: ClaimedSendout, attempt: () => Promise<void>): Promise<void> {
    if (entityId === null || nth > 1) return attempt();
    const before = this.lastOfEntity.get(entityId) ?? Promise.resolve();
    const own = before.then(attempt);
    this.lastOfEntity.set(entityId, own);
    void own.then(() => {
      if (this.lastOfEntity.get(entityId) === own) this.lastOfEntity.delete(entityId);
    });
    return own;
  }

  /** Results that come during a write share the next write. */
  private async write(): Promise<void> {
    while (this.ends.length > 0) {
      await (this.writing ??= this.writeAll().finally(() => (this.writing = undefined)));
    }
  }

  private async writeAll(): Promise<void> {
    const ends = this.ends.splice(0);
    try {
      await this.work.record(ends);
    } catch (error) {
      this.failure ??= { error };
    }
  }
}
