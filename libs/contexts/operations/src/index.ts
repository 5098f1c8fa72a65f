import type { ContextDefinition } from '@scrip/service';
import { CreateAsyncActions1763700000001 } from './migrations/create-async-actions.migration';
import { OperationsModule } from './operations.module';

/** Listings over all contexts, as a process boots them. */
export const operationsContext: ContextDefinition = {
  name: 'operations',
  module: OperationsModule,
  migrations: [CreateAsyncActions1763700000001],
};
