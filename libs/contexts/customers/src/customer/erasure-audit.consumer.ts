import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { type AuthPort, authPort, type ToldFact } from '@scrip/contracts/auth';
import { topics } from '@scrip/contracts/registry';
import { newRequestId, noDeadline } from '@scrip/kernel';
import { Consumes, type EventBatch } from '@scrip/messaging';
import { InjectPort } from '@scrip/rpc';

/** What the audit trail is told. */
const toldBy = (events: EventBatch['events']): ToldFact[] =>
  events
    .filter(({ type }) => type === 'CustomerErased')
    .map(({ id, recordedAt, projectId, streamId, metadata }) => ({
      ...{
        event_id: id,
        recorded_at: recordedAt,
        project_id: projectId,
        request_id: metadata.correlation_id,
      },
      ...{ user_id: metadata.actor_id ?? null, key_id: metadata.api_key_id ?? null },
      ...{ action: 'customer.erased', resource_type: 'customer', resource_id: streamId },
    }));

/** Tells the audit trail of permanent deletions, by a group of its own, so that no erasure waits for auth. The trail drops what it
 *  has by the event's id. Source: reference 06 §9.3. */
@Controller()
export class ErasureAuditConsumer {
  constructor(@InjectPort(authPort) private readonly auth: AuthPort) {}

  @Consumes(topics.customer, { group: 'customers.erasure-audit' })
  async erased(@Payload() batch: EventBatch): Promise<void> {
    const told = toldBy(batch.events);
    if (told.length === 0) return;
    const call = { requestId: newRequestId(), deadlineAt: noDeadline, traceparent: null };
    await this.auth.enterAudit(call, { told });
    await batch.commit(async () => undefined);
  }
}
