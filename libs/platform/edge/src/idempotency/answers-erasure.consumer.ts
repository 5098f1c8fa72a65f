import { Controller, type Type } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { InjectDataSource } from '@nestjs/typeorm';
import { erasedCustomers } from '@scrip/contracts/customers';
import { type ContextName, topics } from '@scrip/contracts/registry';
import { Consumes, type EventBatch } from '@scrip/messaging';
import type { DataSource } from 'typeorm';
import { eraseFromAnswers, markErasedInAnswers } from './answers-erasure';

/** The controller that takes erased customers out of the answers that a context keeps for repeated calls, in its group
 *  `<context>.erasure`. Each context has one that answers a POST with a customer. Source: reference 06 §9.3, ADR 108. */
export const answersErasureConsumer = (context: ContextName): Type<unknown> => {
  @Controller()
  class AnswersErasureConsumer {
    constructor(@InjectDataSource(context) private readonly dataSource: DataSource) {}

    @Consumes(topics.customer, { group: `${context}.erasure` })
    async erased(@Payload() batch: EventBatch): Promise<void> {
      const erased = erasedCustomers(batch.events);
      if (erased.length === 0) return;
      await markErasedInAnswers(this.dataSource, erased);
      await batch.commit((manager) => eraseFromAnswers(manager, erased));
    }
  }
  return AnswersErasureConsumer;
};
