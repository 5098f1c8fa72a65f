import { Injectable } from '@nestjs/common';
import type { OperationsPort } from '@scrip/contracts/operations';
import { ApiLogTable } from './api-log/api-log.table';

/** What the edge asks of operations. Source: architecture §7. */
@Injectable()
export class OperationsPortHandlers implements OperationsPort {
  constructor(private readonly apiLog: ApiLogTable) {}

  noteCalls: OperationsPort['noteCalls'] = async (_, { calls }) => ({ noted: await this.apiLog.add(calls) });
}
