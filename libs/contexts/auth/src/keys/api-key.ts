import type { AuditFact } from '../audit/audit-entry';
import type { ProjectCommand } from '../projects/project.decider';

/** An application key of a project as managers see it: without its secret. */
export interface StoredApiKey {
  id: string;
  kind: 'server' | 'client';
  name: string;
  role: string;
  /** A server key of an integration, which alone reaches some calls. For good. */
  integration: boolean;
  /** It counts no longer, until it is admitted again. */
  blocked: boolean;
  /** Addresses and ranges that it is admitted from; none: from anywhere. */
  allowed_ips: string[];
  created_at: Date;
  /** To a minute or two; null: never, or before this was noted. */
  last_used_at: Date | null;
}

/** What of a key can be changed. Absent: stays. */
export type ApiKeyChange = Partial<Pick<StoredApiKey, 'name' | 'role' | 'blocked' | 'allowed_ips'>>;

/** A key after a change: its row, what its project is told, what the audit trail says. */
export interface ChangedApiKey {
  key: StoredApiKey;
  commands: ProjectCommand[];
  facts: Pick<AuditFact, 'action' | 'changes'>[];
}

/** Keys of a project, blocked ones included. Source: reference 07 §16. */
export const apiKeysMax = 100;

const isSame = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((one, index) => one === right[index]);

/** What follows from a change of a key; no fact where the key is so already. Its project knows keys that count. */
export const changedApiKey = (before: StoredApiKey, change: ApiKeyChange): ChangedApiKey => {
  const key = { ...before, ...change };
  const { id: key_id, kind, name, role, blocked, allowed_ips } = key;
  const isRenamed = name !== before.name || role !== before.role;
  const told: ProjectCommand[] = blocked
    ? [{ type: 'RevokeKey', key_id }]
    : [{ type: 'IssueKey', key: { key_id, kind, name, role } }];
  return {
    key,
    commands: isRenamed || blocked !== before.blocked ? told : [],
    facts: [
      ...(isRenamed ? [{ action: 'api_key.updated', changes: { name, role } }] : []),
      ...(isSame(allowed_ips, before.allowed_ips)
        ? []
        : [{ action: 'key.restricted', changes: { allowed_ips } }]),
      ...(blocked === before.blocked ? [] : [{ action: blocked ? 'key.blocked' : 'key.admitted' }]),
    ],
  };
};
