import type { ClientSwitches, ProjectEvent } from '@scrip/contracts';
import type { ProjectContext } from '@scrip/kernel';

/** A project as auth keeps it: no secrets. Source: spec 07 §2, §14. */
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

/** What a project is before anybody turned something on. Source: spec 07 §2.3. */
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

/** Folds a project's stream. */
export const evolveProject = (state: Project | undefined, event: ProjectEvent): Project => {
  switch (event.type) {
    case 'ProjectCreated':
      return { ...event.data, keys: state?.keys ?? {} };
    case 'ApiKeyIssued': {
      const { key_id, kind, name, role } = event.data;
      return { ...known(state), keys: { ...known(state).keys, [key_id]: { kind, name, role } } };
    }
    case 'ApiKeyRevoked':
      return { ...known(state), keys: withoutKey(known(state).keys, event.data.key_id) };
    default:
      return event satisfies never;
  }
};

// A key event never comes first; a total fold must not throw all the same.
const known = (state: Project | undefined): Project =>
  state ?? ({ keys: {}, client_trusted_domains: [], client_switches: allSwitchesOff } as unknown as Project);
