import type { ClientSwitches, ProjectEvent } from '@scrip/contracts/auth';
import type { ProjectContext } from '@scrip/kernel';

/** The state of a project, without secrets. Source: reference 07 §2, §14. */
export interface Project {
  project: ProjectContext;
  client_trusted_domains: string[];
  client_switches: ClientSwitches;
  /** By key id. */
  keys: Record<string, ProjectKey>;
}

export interface ProjectKey {
  kind: 'server' | 'client';
  name: string;
  role: string;
}

/** The settings of a new project. Source: reference 07 §2.3. */
export const allSwitchesOff: ClientSwitches = {
  client_redeem_enabled: false,
  client_publish_enabled: false,
  client_list_vouchers_enabled: false,
  client_create_customer_enabled: false,
  client_loyalty_events_enabled: false,
  client_set_voucher_expiration_date_enabled: false,
};

const withoutKey = (keys: Record<string, ProjectKey>, id: string): Record<string, ProjectKey> =>
  Object.fromEntries(Object.entries(keys).filter(([known]) => known !== id));

/** Folds a project's stream. Total: returns undefined for events before the first one, never throws or decides. */
export const evolveProject = (state: Project | undefined, event: ProjectEvent): Project | undefined => {
  switch (event.type) {
    case 'ProjectCreated':
      return { ...event.data, keys: {} };
    case 'ClientAccessChanged':
      return state && { ...state, ...event.data };
    case 'ApiKeyIssued': {
      const { key_id, kind, name, role } = event.data;
      return state && { ...state, keys: { ...state.keys, [key_id]: { kind, name, role } } };
    }
    case 'ApiKeyRevoked':
      return state && { ...state, keys: withoutKey(state.keys, event.data.key_id) };
    default:
      return event satisfies never;
  }
};
