import type { ProjectContext } from '@scrip/kernel';

/** Stream `project` (service auth); no secrets. Source: spec 06 §9.2. */
export type ProjectEvent = ProjectCreated | ApiKeyIssued | ApiKeyRevoked;

export interface ProjectCreated {
  type: 'ProjectCreated';
  data: { project: ProjectContext; client_trusted_domains: string[]; client_switches: ClientSwitches };
}

export interface ApiKeyIssued {
  type: 'ApiKeyIssued';
  data: { key_id: string; kind: 'server' | 'client'; name: string; role: string };
}

export interface ApiKeyRevoked {
  type: 'ApiKeyRevoked';
  data: { key_id: string };
}

/** What browsers may do. Source: spec 07 §2.3. */
export interface ClientSwitches {
  client_redeem_enabled: boolean;
  client_publish_enabled: boolean;
  client_list_vouchers_enabled: boolean;
  client_create_customer_enabled: boolean;
  client_loyalty_events_enabled: boolean;
  client_set_voucher_expiration_date_enabled: boolean;
}
