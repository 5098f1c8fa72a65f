import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { InjectDataSource } from '@nestjs/typeorm';
import { topics } from '@scrip/contracts/registry';
import { Consumes, type EventBatch } from '@scrip/messaging';
import { TaskErasure } from '@scrip/tasks';
import { erasedCustomers, eraseFromAnswers } from '@scrip/wire/customers';
import type { DataSource } from 'typeorm';
import { erasedName, forgetNames } from './erased-name.table';

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
