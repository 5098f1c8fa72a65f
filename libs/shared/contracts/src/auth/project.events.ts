import type { StoredProject } from '@scrip/kernel';
import type { StackingSettings } from '@scrip/order-calculation';

/** Projects and their application keys: one stream per project. No secrets. Source: reference 06 §9.2. */
export type ProjectEvent =
  | ProjectCreated
  | ProjectUpdated
  | ProjectDeleted
  | ClientAccessChanged
  | StackingRulesCreated
  | StackingRulesUpdated
  | StackingRulesDeleted
  | ApiKeyIssued
  | ApiKeyRevoked;

/** A project was created. */
export interface ProjectCreated {
  type: 'ProjectCreated';
  data: {
    project: StoredProject;
    /** Origins and hosts whose browsers may call the client-side API. */
    client_trusted_domains: string[];
    client_switches: ClientSwitches;
    /** Whether a start of the server made it; absent: it did. Such a project is never deleted. */
    is_sandbox?: boolean;
    /** For people; absent: none. */
    description?: string;
    /** Of telephone numbers, `+48`; absent: none. */
    dial_code?: string;
  };
}

/** The settings of a project changed; all of them are told, but for the client-side ones. */
export interface ProjectUpdated {
  type: 'ProjectUpdated';
  data: {
    name: string;
    description: string;
    /** IANA name. */
    timezone: string;
    /** ISO 4217. */
    currency: string;
    dial_code: string | null;
    /** Characters of generated codes; null: the platform's default. */
    code_charset: string | null;
    /** Version of the payloads of webhooks. */
    webhook_version: string;
    /** Texts for errors of rules that have none of their own, by key of the error; absent: none. */
    error_messages?: Record<string, string>;
  };
}

/** Returns the projects in which events may have changed the time zone. */
export const projectsOfChangedZones = (events: readonly { projectId: string; type: string }[]): string[] => {
  const updated = events.filter(({ type }) => (type as ProjectEvent['type']) === 'ProjectUpdated');
  return [...new Set(updated.map(({ projectId }) => projectId))];
};

/** A project was deleted: its keys and tokens count no longer. */
export interface ProjectDeleted {
  type: 'ProjectDeleted';
  data: {
    project_id: string;
  };
}

/** The stacking rules that a project stored. */
export interface StackingRulesSnapshot {
  id: string;
  settings: StackingSettings;
  created_at: string;
  updated_at: string | null;
}

/** A project replaced the default stacking rules by its own. */
export interface StackingRulesCreated {
  type: 'StackingRulesCreated';
  data: { stacking_rules: StackingRulesSnapshot };
}

/** A project changed its stacking rules; all of them are told. */
export interface StackingRulesUpdated {
  type: 'StackingRulesUpdated';
  data: { stacking_rules: StackingRulesSnapshot };
}

/** A project has the default stacking rules again. */
export interface StackingRulesDeleted {
  type: 'StackingRulesDeleted';
  data: { stacking_rules_id: string };
}

/** A project said anew from where browsers may call it, and what they may do. */
export interface ClientAccessChanged {
  type: 'ClientAccessChanged';
  data: {
    /** Origins and hosts whose browsers may call the client-side API. */
    client_trusted_domains: string[];
    client_switches: ClientSwitches;
  };
}

/** A project got an application key. */
export interface ApiKeyIssued {
  type: 'ApiKeyIssued';
  data: {
    /** The key's id; its secret is in no event. */
    key_id: string;
    kind: 'server' | 'client';
    name: string;
    /** What the key may do: ADMIN, USER, VIEWER, MERCHANT, USER_RESTRICTED or the id of a custom role. */
    role: string;
  };
}

/** An application key counts no longer. */
export interface ApiKeyRevoked {
  type: 'ApiKeyRevoked';
  data: {
    /** The key's id. */
    key_id: string;
  };
}

/** What browsers may do. Source: reference 07 §2.3. */
export interface ClientSwitches {
  client_redeem_enabled: boolean;
  client_publish_enabled: boolean;
  client_list_vouchers_enabled: boolean;
  client_create_customer_enabled: boolean;
  client_loyalty_events_enabled: boolean;
  client_set_voucher_expiration_date_enabled: boolean;
}
