import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';
import { InjectJobQueue, JobQueue, defineJob } from '@scrip/service';
import type { EntityManager } from 'typeorm';
import type { Lane } from './lane';

/** Delivers what is due at one endpoint. */
export const deliverLane = defineJob<Lane>('webhooks', 'deliver');

/** Adds the jobs of lanes. Jobs of one endpoint share a queue, so that they never run at the same time; waiting ones
 *  share a key, so that thousands of sendouts are one job. */
@Injectable()
export class LaneJobs {
  private readonly wakes = new EventEmitter().setMaxListeners(0);

  constructor(@InjectJobQueue('webhooks') private readonly jobs: JobQueue) {}

  /** Runs the lanes now; with a manager, if its transaction commits. */
  async add(lanes: readonly Lane[], manager?: EntityManager): Promise<void> {
    const entries = lanes.map((lane) => ({
      payload: lane,
      jobKey: `now:${lane.webhookId}`,
      queueName: `lane:${lane.webhookId}`,
    }));
    // A waiting job keeps its place in the queue when more sendouts are added.
    await this.jobs.addMany(deliverLane, entries, manager, 'preserve_run_at');
  }

  /** Runs the lane when its next sendout is due. Only the lane itself calls it, which changes the time of the waiting
   *  job. */
  async addAt(lane: Lane, due: Date): Promise<void> {
    await this.jobs.add(deliverLane, lane, {
      jobKey: `due:${lane.webhookId}`,
      queueName: `lane:${lane.webhookId}`,
      runAt: due,
    });
  }

  /** Wakes lanes that run in this process when new sendouts wait. */
  wake(webhookIds: readonly string[]): void {
    for (const id of webhookIds) this.wakes.emit(id);
  }

  /** Calls `listener` at each wake of an endpoint's lane. Returns a function that stops this. */
  onWake(webhookId: string, listener: () => void): () => void {
    this.wakes.on(webhookId, listener);
    return () => this.wakes.off(webhookId, listener);
  }
}
