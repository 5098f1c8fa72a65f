import { Injectable } from '@nestjs/common';
import { type AuthPort, authPort, type ToldFact } from '@scrip/contracts/auth';
import type { ExportOrder } from '@scrip/contracts/operations';
import { newRequestId, noDeadline, type RequestContext } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import { defineJob, JobHandler } from '@scrip/service';
import { randomUUID } from 'node:crypto';
import type { ExportName } from './export.table';

/** Tells the audit trail who ordered an export. */
export const tellOfExport = defineJob<ToldFact>('operations', 'tell-of-export');

/** Returns what the trail is told of an export: nothing of its parameters, since filters may name people. */
export const toldOfExport = (
  { requestId, user, apiKey }: RequestContext,
  { project_id, id }: ExportName,
  { exported_object }: ExportOrder,
): ToldFact => ({
  event_id: randomUUID(),
  // Machine time: that of all entries of the trail.
  recorded_at: new Date().toISOString(),
  ...{ project_id, request_id: requestId, user_id: user?.id ?? null, key_id: apiKey?.id ?? null },
  ...{ action: 'export.ordered', resource_type: 'export', resource_id: id, changes: { exported_object } },
});

/** Tells the audit trail of exports once they are ordered; one that is told again changes nothing. Source: reference 07 §2.6. */
@Injectable()
export class ExportAuditJob {
  constructor(@InjectPort(authPort) private readonly auth: AuthPort) {}

  @JobHandler(tellOfExport)
  async run(fact: ToldFact): Promise<void> {
    const call = { requestId: newRequestId(), deadlineAt: noDeadline, traceparent: null };
    await this.auth.enterAudit(call, { told: [fact] });
  }
}
