import { type WebhookSink, webhookSink } from '@scrip/testing';
import { type Caller, project } from '../shape/caller';

interface Delivered {
  /** Of the sendout. */
  id: string;
  type: string;
  event: { id: string; entity_id: string };
}

/** A receiver of everything the project tells. */
export class Deliveries {
  private constructor(private readonly sink: WebhookSink) {}

  /** Subscribes to all kinds, before anything happens that shall be told. */
  static async subscribe(caller: Caller): Promise<Deliveries> {
    const sink = await webhookSink();
    await caller.manage('POST', `/management/v1/projects/${project.id}/webhooks`, {
      target_url: sink.url,
      events: ['*'],
    });
    return new Deliveries(sink);
  }

  get count(): number {
    return this.sink.received().length;
  }

  /** Redemptions that were told of, and deliveries beyond the first of each sendout and of each public event. */
  summary(): { redemptions: Set<string>; repeatedSendouts: number; repeatedEvents: number } {
    const sendouts = new Set<string>();
    const events = new Set<string>();
    const redemptions = new Set<string>();
    let received = 0;
    for (const webhook of this.sink.received()) {
      const { id, type, event } = webhook.json<Delivered>();
      received += 1;
      sendouts.add(id);
      events.add(event.id);
      if (type === 'redemption.succeeded') redemptions.add(event.entity_id);
    }
    return {
      redemptions,
      repeatedSendouts: received - sendouts.size,
      repeatedEvents: sendouts.size - events.size,
    };
  }

  close(): Promise<void> {
    return this.sink.close();
  }
}
