import { Module } from '@nestjs/common';
import { AsyncActionsHttp } from './async-actions/async-actions.http';
import { AsyncActionsProjection } from './async-actions/async-actions.projection';
import { AsyncActions } from './async-actions/async-actions.reads';

/** The list of background tasks. */
@Module({ controllers: [AsyncActionsHttp, AsyncActionsProjection], providers: [AsyncActions] })
export class OperationsModule {}
