import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { type AuthPort, authPort } from '@scrip/contracts/auth';
import { topics } from '@scrip/contracts/registry';
import { type CallContext, newRequestId, noDeadline } from '@scrip/kernel';
import { Consumes, type EventBatch } from '@scrip/messaging';
import { InjectPort } from '@scrip/rpc';
import { toldByEndpoint } from './endpoint-facts';

const internalCall = (): CallContext => ({
  ...{ requestId: newRequestId(), deadlineAt: noDeadline, traceparent: null },
});

/** Tells the audit trail what becomes of endpoints; an event that is told again changes nothing. Source: reference 07 §2.6. */
@Controller()
export class AuditConsumer {
  constructor(@InjectPort(authPort) private readonly auth: AuthPort) {}

  @Consumes(topics.endpoint, { group: 'webhooks.audit' })
  async tell(@Payload() batch: EventBatch): Promise<void> {
    const told = batch.events.flatMap(toldByEndpoint);
    if (told.length > 0) await this.auth.enterAudit(internalCall(), { told });
  }
}
