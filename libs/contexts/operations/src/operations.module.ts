import { Module } from '@nestjs/common';
import { operationsPort } from '@scrip/contracts/operations';
import { exportsOfContext } from '@scrip/exports';
import { MetadataSchemas } from '@scrip/metadata';
import { servePort } from '@scrip/rpc';
import { ApiLogExport } from './api-log/api-log.export';
import { ApiLogPartitions } from './api-log/api-log-partitions';
import { ApiLogTable } from './api-log/api-log.table';
import { AsyncActionsHttp } from './async-actions/async-actions.http';
import { AsyncActionsProjection } from './async-actions/async-actions.projection';
import { InternalContexts } from '@scrip/tasks';
import { AsyncActions } from './async-actions/async-actions.reads';
import { TaskOwners } from './async-actions/task-owners';
import { OperationsPortHandlers } from './operations.port-handlers';
import { linksProviders } from './links/links.providers';
import { AbandonedExports } from './exports/abandoned-exports';
import { ExportAuditJob } from './exports/export-audit.job';
import { ExportErasureConsumer } from './exports/erasure.consumer';
import { ExportFiles } from './exports/export-files';
import { ExportHandlers } from './exports/export.handlers';
import { ExportJob } from './exports/export.job';
import { ExportOwners } from './exports/export-owners';
import { ExportPruner } from './exports/export-pruner';
import { exportColumns, ExportTable } from './exports/export.table';
import { ExportedTransactions } from './exports/exported-transactions';
import { ExportsHttp } from './exports/exports.http';
import { ReportsHttp } from './reports/reports.http';
import { TrashBin } from './trash-bin/trash-bin.handlers';
import { TrashBinHttp } from './trash-bin/trash-bin.http';
import type { ContextDefinition } from '@scrip/service';
import { operationsMigrations } from './migrations';

/** The list of background tasks, their reports, exports, the log of API calls, and the bin. */
@Module({
  controllers: [
    AsyncActionsHttp,
    AsyncActionsProjection,
    ReportsHttp,
    ExportsHttp,
    ExportErasureConsumer,
    TrashBinHttp,
  ],
  providers: [
    ...exportsOfContext('operations', [ApiLogExport]),
    MetadataSchemas,
    servePort(operationsPort, OperationsPortHandlers),
    AbandonedExports,
    ApiLogPartitions,
    ApiLogTable,
    AsyncActions,
    ExportAuditJob,
    ExportFiles,
    ExportHandlers,
    ExportJob,
    ExportOwners,
    ExportPruner,
    ExportTable,
    ExportedTransactions,
    InternalContexts,
    TaskOwners,
    TrashBin,
    ...linksProviders,
  ],
})
class OperationsModule {}

/** Listings over all contexts, as a process boots them. */
export const operationsContext: ContextDefinition = {
  name: 'operations',
  module: OperationsModule,
  migrations: operationsMigrations,
  sealed: exportColumns,
  jobs: true,
};
