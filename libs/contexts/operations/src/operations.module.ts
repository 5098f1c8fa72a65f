import { Module } from '@nestjs/common';
import { AsyncActionsHttp } from './async-actions/async-actions.http';
import { AsyncActionsProjection } from './async-actions/async-actions.projection';
import { InternalContexts } from '@scrip/tasks';
import { AsyncActions } from './async-actions/async-actions.reads';
import { TaskOwners } from './async-actions/task-owners';
import { ReportLinks } from './reports/report-links';
import { ReportsHttp } from './reports/reports.http';

/** The list of background tasks, and their reports. */
@Module({
  controllers: [AsyncActionsHttp, AsyncActionsProjection, ReportsHttp],
  providers: [AsyncActions, InternalContexts, ReportLinks, TaskOwners],
})
export class OperationsModule {}
