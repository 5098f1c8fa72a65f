import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { topics } from '@scrip/contracts/registry';
import { Consumes, type EventBatch } from '@scrip/messaging';
import { erasedCustomers, eraseFromAnswers } from '@scrip/wire/customers';

/** Takes erased customers out of the answers that this context keeps for repeated calls. Source: reference 06 §9.3. */
@Controller()
export class ErasureConsumer {
  @Consumes(topics.customer, { group: 'qualification.erasure' })
  async erased(@Payload() batch: EventBatch): Promise<void> {
    const erased = erasedCustomers(batch.events);
    if (erased.length > 0) await batch.commit((manager) => eraseFromAnswers(manager, erased));
  }
}
