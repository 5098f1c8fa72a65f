import type { RequestContext } from '@scrip/kernel';

/** Who acted: a user, an API key, an operator by a command or a start of the server, or a caller who is not known. */
export type AuditActorType = 'user' | 'api_key' | 'operator' | 'unknown';

/** Who does something, as entries name it: a call, or what of one is known. */
export type AuditActor = Pick<RequestContext, 'requestId' | 'apiKey' | 'user' | 'caller'>;

/** What was done, or tried. */
export interface AuditFact {
  /** `project.updated`, `session.begun` */
  action: string;
  /** Null: of the installation. */
  project_id: string | null;
  resource_type: string;
  resource_id: string | null;
  /** What of it was changed: no secrets, and no personal data of customers. */
  changes?: object;
}

/** An entry of the audit trail. */
export interface AuditEntry extends Required<AuditFact> {
  id: string;
  at: Date;
  actor_type: AuditActorType;
  actor_id: string | null;
  session_id: string | null;
  /** From where; null where that is not known. */
  address: string | null;
  request_id: string;
}
