import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { JobHandler, type RunningJob } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { type DeliveryTarget, DeliveryTargets } from './delivery-target';
import type { Lane } from './lane';
import { LaneJobs, deliverLane } from './lane-jobs';
import { LaneRun } from './lane-run';
import { SendoutAttempt } from './sendout-attempt';
import { cancelWaiting, claimDue, laneStatus, recordEnds, releaseOrphans } from './sendout.table';

/** How long a lane takes sendouts before other lanes run. */
const turnMs = 2_000;

/** Delivers what is due at one endpoint. Jobs of one endpoint never run at the same time, so a sendout that is
 *  DELIVERING when one starts was left by a killed worker. Source: reference 06 §5.
 *  Machine time: when the next delivery is due. */
@Injectable()
export class LaneHandlers {
  constructor(
    @InjectDataSource('webhooks') private readonly database: DataSource,
    private readonly targets: DeliveryTargets,
    private readonly attempts: SendoutAttempt,
    private readonly jobs: LaneJobs,
  ) {}

  @JobHandler(deliverLane)
  async deliver(lane: Lane, { abortSignal }: Pick<RunningJob, 'abortSignal'>): Promise<void> {
    const endsMs = performance.now() + turnMs;
    let lastSuccessMs = -Infinity;
    await releaseOrphans(this.database, lane);
    const run = new LaneRun<DeliveryTarget>({
      claim: (limit) => claimDue(this.database, lane, limit),
      target: () => this.targets.of(lane),
      attempt: async (sendout, target) => {
        const end = await this.attempts.make(
          lane,
          sendout,
          target,
          (since) => lastSuccessMs >= since.getTime(),
        );
        if (end.succeeded) lastSuccessMs = end.startedAt.getTime() + end.durationMs;
        return end;
      },
      record: (ends) => recordEnds(this.database, ends),
      shouldStop: () => abortSignal.aborted || performance.now() > endsMs,
    });
    const forget = this.jobs.onWake(lane.webhookId, () => run.wake());
    try {
      await run.run();
    } finally {
      forget();
    }
    await this.goOnLater(lane);
  }

  private async goOnLater(lane: Lane): Promise<void> {
    const { active, dueInMs } = await laneStatus(this.database, lane);
    if (dueInMs === null) return;
    if (!active) return cancelWaiting(this.database, lane);
    if (dueInMs <= 0) return this.jobs.add([lane]);
    return this.jobs.addAt(lane, new Date(Date.now() + dueInMs));
  }
}
