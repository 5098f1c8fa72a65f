import type {
  ClientSwitches,
  ProjectEvent,
  ProjectUpdated,
  StackingRulesSnapshot,
} from '@scrip/contracts/auth';
import type { ProjectContext } from '@scrip/kernel';

/** The state of a project, without secrets. Source: reference 07 §2, §14. */
export interface Project {
  project: ProjectContext;
  client_trusted_domains: string[];
  client_switches: ClientSwitches;
  /** Absent: a start of the server made the project. */
  is_sandbox?: boolean;
  description?: string;
  dial_code?: string;
  deleted?: true;
  /** Absent: the defaults. */
  stacking_rules?: StackingRulesSnapshot;
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

/** The settings of a project that `ProjectUpdated` tells. */
export type ProjectSettings = ProjectUpdated['data'];

export const settingsOf = ({ project, description, dial_code }: Project): ProjectSettings => ({
  name: project.name,
  description: description ?? '',
  timezone: project.timezone,
  currency: project.currency,
  dial_code: dial_code ?? null,
  code_charset: project.codeCharset ?? null,
  webhook_version: project.webhookVersion,
  ...(project.errorMessages === undefined ? {} : { error_messages: { ...project.errorMessages } }),
});

/** Whether a project may be deleted: no start of the server made it. Source: reference 07 §14. */
export const isSandbox = ({ is_sandbox = true }: Project): boolean => is_sandbox;

const updated = ({ project, ...rest }: Project, settings: ProjectSettings): Project => {
  const { name, description, timezone, currency, dial_code, code_charset, webhook_version } = settings;
  const { error_messages = {} } = settings;
  const { codeCharset: _, errorMessages: __, ...context } = project;
  const { dial_code: ___, ...others } = rest;
  return {
    ...others,
    description,
    ...(dial_code === null ? {} : { dial_code }),
    project: {
      ...context,
      ...{ name, timezone, currency, webhookVersion: webhook_version },
      ...(code_charset === null ? {} : { codeCharset: code_charset }),
      ...(Object.keys(error_messages).length === 0 ? {} : { errorMessages: error_messages }),
    },
  };
};

const withStackingRules = (
  { stacking_rules: _, project, ...rest }: Project,
  stacking_rules: StackingRulesSnapshot | null,
): Project => ({
  ...rest,
  project: { ...project, stackingRulesVersion: (project.stackingRulesVersion ?? 0) + 1 },
  ...(stacking_rules ? { stacking_rules } : {}),
});

/** Folds a project's stream. Total: returns undefined for events before the first one, never throws or decides. */
export const evolveProject = (state: Project | undefined, event: ProjectEvent): Project | undefined => {
  switch (event.type) {
    case 'ProjectCreated':
      return { ...event.data, keys: {} };
    case 'ProjectUpdated':
      return state && updated(state, event.data);
    case 'ProjectDeleted':
      return state && { ...state, deleted: true };
    case 'StackingRulesCreated':
    case 'StackingRulesUpdated':
      return state && withStackingRules(state, event.data.stacking_rules);
    case 'StackingRulesDeleted':
      return state && withStackingRules(state, null);
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
