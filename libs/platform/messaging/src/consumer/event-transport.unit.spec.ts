import { Controller } from '@nestjs/common';
import { EventPattern, MessagePattern } from '@nestjs/microservices';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import type { DataSource } from 'typeorm';
import type { Consumer } from './consumer';
import { Consumes } from './consumes.decorator';
import type { EventBatch } from '../feed/event-batch';
import type { EventFeed } from '../feed/event-feed';
import { EventTransport } from './event-transport';

const voucher = 'scrip.campaigns.voucher.v1';
const campaign = 'scrip.campaigns.campaign.v1';

class PoisonError extends Error {
  override readonly name = 'PoisonError';
}

@Controller()
class FanOut {
  @Consumes([voucher, campaign], { group: 'webhooks.fan-out' })
  async all(batch: EventBatch): Promise<void> {
    if (batch.replayed) throw new PoisonError(`${batch.topic} is poison`);
  }
}

@Controller()
class Listing {
  @Consumes(voucher, { group: 'operations.listing', from: 'now', fills: ['listed'] })
  async vouchers(_batch: EventBatch): Promise<void> {}

  @EventPattern('some.other.event')
  notOurs(_data: unknown): void {}

  @MessagePattern('some.request')
  notOursEither(): void {}
}

class RecordingFeed implements EventFeed {
  consumers: readonly Consumer[] = [];
  readonly calls: string[] = [];
  decode = () => Promise.reject(new Error('nothing to decode'));
  async start(consumers: readonly Consumer[]): Promise<void> {
    this.consumers = consumers;
  }
  stopFetching(): void {
    this.calls.push('stopFetching');
  }
  async close(): Promise<void> {
    this.calls.push('close');
  }
  lagOf = () => ({ events: 0, oldestRecordedAt: null });
}

const noDatabase = (): DataSource => {
  throw new Error('no database in a unit test');
};

const boot = async (...controllers: (new () => unknown)[]) => {
  const feed = new RecordingFeed();
  const transport = new EventTransport({ feed, databaseOf: noDatabase });
  const module = await Test.createTestingModule({ controllers }).compile();
  const app = module.createNestApplication(new FastifyAdapter(), { logger: false });
  app.connectMicroservice({ strategy: transport });
  await app.startAllMicroservices();
  return { app, feed };
};

describe('EventTransport', () => {
  it('gathers the @Consumes handlers of an application, by group and topic, and no others', async () => {
    const { app, feed } = await boot(FanOut, Listing);
    expect(
      feed.consumers.map(({ group, topic, context, from, fills }) => [group, topic, context, from, fills]),
    ).toEqual([
      ['webhooks.fan-out', voucher, 'webhooks', 'beginning', undefined],
      ['webhooks.fan-out', campaign, 'webhooks', 'beginning', undefined],
      ['operations.listing', voucher, 'operations', 'now', ['listed']],
    ]);
    await app.close();
    expect(feed.calls).toEqual(['stopFetching', 'close']);
  });

  it("passes a handler's error on as it was thrown", async () => {
    const { app, feed } = await boot(FanOut);
    const batch: EventBatch = {
      topic: voucher,
      group: 'webhooks.fan-out',
      events: [],
      replayed: true,
      commit: async () => undefined,
    };
    await expect(feed.consumers[0]?.handle(batch)).rejects.toBeInstanceOf(PoisonError);
    await expect(feed.consumers[0]?.handle({ ...batch, replayed: false })).resolves.toBeUndefined();
    await app.close();
  });

  it('refuses two handlers of one group for one topic', async () => {
    @Controller()
    class Twin {
      @Consumes(voucher, { group: 'webhooks.fan-out' })
      async again(_batch: EventBatch): Promise<void> {}
    }
    await expect(boot(FanOut, Twin)).rejects.toThrow(`webhooks.fan-out consumes ${voucher} twice`);
  });

  it.each([
    ['voucher', 'webhooks.fan-out', 'not a topic: voucher'],
    [voucher, 'webhooks', 'not a consumer group: webhooks (expected "context.name")'],
  ])('refuses to consume %s as %s', (topic, group, message) => {
    expect(() => Consumes(topic, { group })).toThrow(new TypeError(message));
  });
});
