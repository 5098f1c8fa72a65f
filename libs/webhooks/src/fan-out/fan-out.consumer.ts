import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { topics } from '@scrip/contracts';
import type { Clock } from '@scrip/kernel';
import { Consumes, type EventBatch } from '@scrip/messaging';
import { InjectClock } from '@scrip/service';
import type { EntityManager } from 'typeorm';
import { LaneJobs } from '../delivery/lane-jobs';
import type { PublicEvent } from '../public-events/public-event';
import { PublicEventRendering } from '../public-events/public-event.rendering';
import { activeEndpoints, insertPublicEvents, insertSendouts } from './fan-out.rows';
import { isSubscribed, sendoutOf } from './sendout';

/** Tells facts to endpoints: public events, sendouts and the jobs that deliver them, in one transaction with the
 *  consumer's position, so that nothing is lost and a topic delivered twice causes nothing new. Never rebuilt: what
 *  was sent cannot be taken back. Source: spec 06 §9.2, architecture §5. */
@Controller()
export class FanOutConsumer {
  constructor(
    private readonly rendering: PublicEventRendering,
    private readonly lanes: LaneJobs,
    @InjectClock() private readonly clock: Clock,
  ) {}

  @Consumes([topics.campaign, topics.voucher, topics.customer, topics.redemption], {
    group: 'webhooks.fan-out',
  })
  async fanOut(@Payload() batch: EventBatch): Promise<void> {
    const events = await this.rendering.render(batch.events);
    if (events.length === 0) return;
    let endpoints: string[] = [];
    await batch.commit(async (manager) => {
      endpoints = await this.store(manager, events);
    });
    this.lanes.wake(endpoints);
  }

  /** Answers the endpoints with something new to deliver. */
  private async store(manager: EntityManager, events: readonly PublicEvent[]): Promise<string[]> {
    await insertPublicEvents(manager, events);
    const endpoints = await activeEndpoints(manager, [...new Set(events.map(({ projectId }) => projectId))]);
    const now = this.clock.now();
    const sendouts = events.flatMap((event) =>
      endpoints
        .filter((endpoint) => isSubscribed(endpoint, event))
        .map((endpoint) => sendoutOf(event, endpoint, now)),
    );
    if (sendouts.length === 0) return [];
    const fresh = await insertSendouts(manager, sendouts, now);
    const projectOf = new Map(endpoints.map(({ id, projectId }) => [id, projectId]));
    await this.lanes.add(
      fresh.map((webhookId) => ({ webhookId, projectId: projectOf.get(webhookId) as string })),
      manager,
    );
    return fresh;
  }
}
