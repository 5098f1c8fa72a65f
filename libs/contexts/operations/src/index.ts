import type { ContextDefinition } from '@scrip/service';
import { CreateAsyncActions1763700000001 } from './migrations/create-async-actions.migration';
import { exportColumns } from './exports/export.table';
import { CreateApiLog1803200000151 } from './migrations/create-api-log.migration';
import { CreateExports1797400000000 } from './migrations/create-exports.migration';
import { FindOpenExports1798100000000 } from './migrations/find-open-exports.migration';
import { OperationsModule } from './operations.module';

/** Listings over all contexts, as a process boots them. */
export const operationsContext: ContextDefinition = {
  name: 'operations',
  module: OperationsModule,
  migrations: [
    CreateAsyncActions1763700000001,
    CreateExports1797400000000,
    FindOpenExports1798100000000,
    CreateApiLog1803200000151,
  ],
  sealed: exportColumns,
  jobs: true,
};
