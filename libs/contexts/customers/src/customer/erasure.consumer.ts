import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { InjectDataSource } from '@nestjs/typeorm';
import { type AuthPort, authPort, type ToldFact } from '@scrip/contracts/auth';
import { topics } from '@scrip/contracts/registry';
import { Consumes, type EventBatch } from '@scrip/messaging';
import { type CallContext, newRequestId, noDeadline } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import { TaskErasure } from '@scrip/tasks';
import { erasedCustomers, eraseFromAnswers } from '@scrip/wire/customers';
import type { DataSource } from 'typeorm';
import { erasedName, forgetNames } from './erased-name.table';

const internalCall = (): CallContext => ({
  ...{ requestId: newRequestId(), deadlineAt: noDeadline, traceparent: null },
});

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

/** Tells the audit trail of permanent deletions. Takes erased customers out of the answers that this context keeps for repeated calls, and out of inputs and results of its
 *  tasks. Source: reference 06 §9.3. */
@Controller()
export class ErasureConsumer {
  constructor(
    @InjectDataSource('customers') private readonly dataSource: DataSource,
    private readonly tasks: TaskErasure,
    @InjectPort(authPort) private readonly auth: AuthPort,
  ) {}

  @Consumes(topics.customer, { group: 'customers.erasure' })
  async erased(@Payload() batch: EventBatch): Promise<void> {
    const erased = erasedCustomers(batch.events);
    if (erased.length === 0) return;
    await this.auth.enterAudit(internalCall(), { told: toldBy(batch.events) });
    // In transactions of their own: a project may have many inputs.
    for (const customer of erased) {
      const name = await erasedName(this.dataSource, customer);
      if (name) await this.tasks.erase(name);
    }
    await batch.commit(async (manager) => {
      await eraseFromAnswers(manager, erased);
      await forgetNames(manager, erased);
    });
  }
}
