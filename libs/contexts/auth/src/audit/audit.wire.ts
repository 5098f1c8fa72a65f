import type { AuditActorType, AuditEntry } from './audit-entry';

/** An entry of the audit trail. */
export interface AuditEntryResponse {
  object: 'audit_entry';
  id: string;
  at: string;
  /** Null: of the installation. */
  project_id: string | null;
  actor: { type: AuditActorType; id: string | null };
  session_id: string | null;
  /** From where; null where that is not known. */
  address: string | null;
  request_id: string;
  /** `project.updated`, `session.begun` */
  action: string;
  resource_type: string;
  resource_id: string | null;
  /** What of the resource was changed, where the trail says it. */
  changes: Record<string, unknown>;
}

export const renderAuditEntry = ({
  id,
  at,
  project_id,
  actor_type,
  actor_id,
  session_id,
  address,
  request_id,
  action,
  resource_type,
  resource_id,
  changes,
}: AuditEntry): AuditEntryResponse => ({
  object: 'audit_entry',
  id,
  at: at.toISOString(),
  project_id,
  actor: { type: actor_type, id: actor_id },
  ...{ session_id, address, request_id, action, resource_type, resource_id },
  changes: { ...changes },
});
