import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { InjectDataSource } from '@nestjs/typeorm';
import { topics } from '@scrip/contracts/registry';
import { eraseFromAnswers, markErasedInAnswers } from '@scrip/edge';
import { Consumes, type EventBatch } from '@scrip/messaging';
import { erasedCustomers } from '@scrip/wire/customers';
import type { DataSource } from 'typeorm';

/** Takes erased customers out of the answers that this context keeps for repeated calls. Source: reference 06 §9.3. */
@Controller()
export class ErasureConsumer {
  constructor(@InjectDataSource('qualification') private readonly dataSource: DataSource) {}

  @Consumes(topics.customer, { group: 'qualification.erasure' })
  async erased(@Payload() batch: EventBatch): Promise<void> {
    const erased = erasedCustomers(batch.events);
    if (erased.length === 0) return;
    await markErasedInAnswers(this.dataSource, erased);
    await batch.commit((manager) => eraseFromAnswers(manager, erased));
  }
}
