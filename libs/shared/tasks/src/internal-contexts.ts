import { Injectable } from '@nestjs/common';
import { type AuthPort, authPort } from '@scrip/contracts/auth';
import {
  type ProjectContext,
  type RequestContext,
  internalContext,
  isRefused,
  newRequestId,
  noDeadline,
} from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';

/** A project that was deleted, for the last word about its work: its settings count for nothing. */
export const noSettings = (id: string): ProjectContext => ({
  ...{ id, name: '', timezone: 'UTC', currency: '', caseSensitiveCodes: false },
  ...{ apiVersion: '', webhookVersion: '', cluster: '' },
});

/** Request contexts of work that no caller waits for. */
@Injectable()
export class InternalContexts {
  constructor(@InjectPort(authPort) private readonly auth: AuthPort) {}

  /** Returns a context with every permission in a project; undefined for a project that does not exist.
   *  `requestId`: of the call that caused the work, if there was one. */
  async of(projectId: string, requestId: string = newRequestId()): Promise<RequestContext | undefined> {
    const call = { requestId, deadlineAt: noDeadline, traceparent: null };
    const project = await this.auth.loadProject(call, { project_id: projectId });
    return isRefused(project) ? undefined : internalContext(project, requestId);
  }
}
