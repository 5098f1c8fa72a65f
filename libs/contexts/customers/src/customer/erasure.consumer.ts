import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { InjectDataSource } from '@nestjs/typeorm';
import { erasedCustomers } from '@scrip/contracts/customers';
import { topics } from '@scrip/contracts/registry';
import { eraseFromAnswers, markErasedInAnswers } from '@scrip/edge';
import { Consumes, type EventBatch } from '@scrip/messaging';
import { noteCleared, TaskErasure } from '@scrip/tasks';
import type { DataSource } from 'typeorm';

/** Takes erased customers out of the answers that this context keeps for repeated calls, and out of inputs and results of its
 *  tasks. Source: reference 06 §9.3. */
@Controller()
export class ErasureConsumer {
  constructor(
    @InjectDataSource('customers') private readonly dataSource: DataSource,
    private readonly tasks: TaskErasure,
  ) {}

  @Consumes(topics.customer, { group: 'customers.erasure' })
  async erased(@Payload() batch: EventBatch): Promise<void> {
    const erased = erasedCustomers(batch.events);
    if (erased.length === 0) return;
    await markErasedInAnswers(this.dataSource, erased);
    // In transactions of their own: a project may have many inputs.
    for (const projectId of new Set(erased.map((customer) => customer.projectId))) {
      const ofProject = erased.filter((customer) => customer.projectId === projectId);
      await this.tasks.erase(
        projectId,
        ofProject.map(({ customerId }) => customerId),
      );
    }
    await batch.commit(async (manager) => {
      await eraseFromAnswers(manager, erased);
      await noteCleared(manager, erased);
    });
  }
}
