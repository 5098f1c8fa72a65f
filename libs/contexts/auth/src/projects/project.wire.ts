import { type Notifications, type UsageNotifications, type CalloutNotifications } from './notifications';
import { isSandbox, type Project } from './project';
import { shownZone } from './time-zone';

/** A key as the creation of its project shows it, once. */
export interface NewKeyResponse {
  app_id: string;
  app_token: string;
}

/** A project as management shows it. Source: reference 07 §14. */
export interface ProjectResponse {
  id: string;
  name: string;
  description: string;
  timezone: string;
  currency: string;
  dial_code: string | null;
  webhook_version: string;
  client_trusted_domains: string[];
  client_redeem_enabled: boolean;
  client_publish_enabled: boolean;
  client_list_vouchers_enabled: boolean;
  client_create_customer_enabled: boolean;
  client_loyalty_events_enabled: boolean;
  client_set_voucher_expiration_date_enabled: boolean;
  webhooks_callout_notifications: CalloutNotifications;
  api_usage_notifications: UsageNotifications;
  /** Characters of generated codes; absent: letters and digits. */
  default_code_config?: { charset: string };
  /** Texts for errors of rules that have none of their own, by key of the error; absent: none. */
  error_messages?: Readonly<Record<string, string>>;
  cluster_id: string;
  case_sensitive_codes: boolean;
  api_version: string;
  /** Made by a start of the server; such a project is never deleted. */
  is_sandbox: boolean;
  /** Signs the project's webhooks. Null where a user in a session entered the password more than 10 minutes ago. */
  webhook_token: string | null;
}

/** A new project, with its keys, which are shown here only. */
export interface NewProjectResponse extends ProjectResponse {
  server_side_key: NewKeyResponse;
  client_side_key: NewKeyResponse;
}

/** Renders a project. */
export const renderProject = (
  state: Project,
  { callouts, usage }: Notifications,
  webhook_token: string | null,
): ProjectResponse => {
  const { project, client_trusted_domains, client_switches, description = '', dial_code = null } = state;
  return {
    id: project.id,
    name: project.name,
    description,
    timezone: shownZone(project.timezone),
    currency: project.currency,
    dial_code,
    webhook_version: project.webhookVersion,
    client_trusted_domains,
    ...client_switches,
    webhooks_callout_notifications: callouts,
    api_usage_notifications: usage,
    ...(project.codeCharset === undefined ? {} : { default_code_config: { charset: project.codeCharset } }),
    ...(project.errorMessages === undefined ? {} : { error_messages: project.errorMessages }),
    cluster_id: project.cluster,
    case_sensitive_codes: project.caseSensitiveCodes,
    api_version: project.apiVersion,
    is_sandbox: isSandbox(state),
    webhook_token,
  };
};
