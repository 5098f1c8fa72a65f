import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { InjectDataSource } from '@nestjs/typeorm';
import { erasedCustomers } from '@scrip/contracts/customers';
import { topics } from '@scrip/contracts/registry';
import { Consumes, type EventBatch } from '@scrip/messaging';
import type { DataSource } from 'typeorm';
import { markErased, purgeCustomer } from './erased-customer.table';

/** Takes erased customers out of public events and payloads. They are marked first, in a transaction of its own: from then on
 *  the fan-out stores nothing about them, and what it stored before is there to be purged. Source: reference 06 §9.3. */
@Controller()
export class ErasureConsumer {
  constructor(@InjectDataSource('webhooks') private readonly dataSource: DataSource) {}

  @Consumes(topics.customer, { group: 'webhooks.erasure' })
  async erased(@Payload() batch: EventBatch): Promise<void> {
    const erased = erasedCustomers(batch.events);
    if (erased.length === 0) return;
    await this.dataSource.transaction((manager) => markErased(manager, erased));
    await batch.commit(async (manager) => {
      for (const customer of erased) await purgeCustomer(manager, customer);
    });
  }
}
