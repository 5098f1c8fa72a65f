import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import type { CustomerErased } from '@scrip/contracts/customers';
import { topics } from '@scrip/contracts/registry';
import { rewriteAnswers } from '@scrip/edge';
import { Consumes, type EventBatch } from '@scrip/messaging';
import { erasedIn } from '@scrip/wire/customers';

/** Takes erased customers out of the answers that this context keeps for repeated calls. Source: reference 06 §9.3. */
@Controller()
export class ErasureConsumer {
  @Consumes(topics.customer, { group: 'customers.erasure' })
  async erased(@Payload() batch: EventBatch): Promise<void> {
    const erased = batch.events.filter(({ type }) => type === 'CustomerErased');
    if (erased.length === 0) return;
    await batch.commit(async (manager) => {
      for (const { projectId, data } of erased) {
        const id = (data as CustomerErased['data']).customer_id;
        await rewriteAnswers(manager, { projectId, id, rewrite: (answer) => erasedIn(answer, id) });
      }
    });
  }
}
