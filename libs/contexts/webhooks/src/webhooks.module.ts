import { Module } from '@nestjs/common';
import { webhooksPort } from '@scrip/contracts/webhooks';
import { servePort } from '@scrip/rpc';
import type { ContextDefinition } from '@scrip/service';
import { AuditConsumer } from './audit/audit.consumer';
import { DeliveryTargets } from './delivery/delivery-target';
import { HostResolver } from './delivery/host-resolver';
import { HttpDelivery } from './delivery/http-delivery';
import { LaneJobs } from './delivery/lane-jobs';
import { LaneHandlers } from './delivery/lane.handlers';
import { SendoutAttempt } from './delivery/sendout-attempt';
import { TargetConnections } from './delivery/target-connections';
import { EndpointHandlers } from './endpoint/endpoint.handlers';
import { EndpointHttp } from './endpoint/endpoint.http';
import { ErasureConsumer } from './erasure/erasure.consumer';
import { FanOutConsumer } from './fan-out/fan-out.consumer';
import { PublicEventRendering } from './public-events/public-event.rendering';
import { Retention } from './retention/retention';
import { SendoutsHttp } from './sendouts/sendouts.http';
import { SendoutReads } from './sendouts/sendout.reads';
import { TokenHttp } from './token/token.http';
import { WebhookTokens } from './token/webhook-tokens';
import { sealedWebhookColumns, WebhookSecrets } from './webhook-secrets';
import { WebhooksPortHandlers } from './webhooks.port-handlers';
import { webhooksMigrations } from './migrations';

@Module({
  controllers: [EndpointHttp, SendoutsHttp, TokenHttp, FanOutConsumer, ErasureConsumer, AuditConsumer],
  providers: [
    servePort(webhooksPort, WebhooksPortHandlers),
    WebhookSecrets,
    WebhookTokens,
    EndpointHandlers,
    PublicEventRendering,
    LaneJobs,
    LaneHandlers,
    DeliveryTargets,
    SendoutAttempt,
    HttpDelivery,
    TargetConnections,
    HostResolver,
    SendoutReads,
    Retention,
  ],
})
class WebhooksModule {}

/** Endpoints, public events and their deliveries. Source: architecture §2, reference 06. */
export const webhooksContext: ContextDefinition = {
  name: 'webhooks',
  module: WebhooksModule,
  migrations: webhooksMigrations,
  sealed: sealedWebhookColumns,
  jobs: true,
};
