import type { MigrationClass } from '@scrip/event-store';
import { CreateApiLog1803200000151 } from './create-api-log.migration';
import { CreateAsyncActions1763700000001 } from './create-async-actions.migration';
import { CreateExports1797400000000 } from './create-exports.migration';
import { FindOpenExports1798100000000 } from './find-open-exports.migration';

/** The schema of the context `operations`. */
export const operationsMigrations: MigrationClass[] = [
  CreateAsyncActions1763700000001,
  CreateExports1797400000000,
  FindOpenExports1798100000000,
  CreateApiLog1803200000151,
];
