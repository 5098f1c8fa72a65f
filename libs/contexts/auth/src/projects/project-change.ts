import type { ClientSwitches } from '@scrip/contracts/auth';
import { refuse } from '@scrip/kernel';
import type { ManagementRefusal } from '../auth.refusals';
import { emailForm } from '../users/email-form';
import { domainForm } from './client-access';
import { defaultNotifications, type Notifications } from './notifications';
import { allSwitchesOff, type ProjectSettings } from './project';
import type { UpdateProjectBody } from './project.dto';
import { zoneNamed } from './time-zone';

/** What a caller wants changed; absent stays. */
export interface ProjectChange {
  settings: Partial<ProjectSettings>;
  access: { client_trusted_domains?: string[]; client_switches: Partial<ClientSwitches> };
  notifications: Partial<Notifications>;
}

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
const switches = Object.keys(allSwitchesOff) as (keyof ClientSwitches)[];

/** What there is of the given values: null and absent ones are left out. */
const present = <T extends object>(values: { [Name in keyof T]: T[Name] | null | undefined }): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value != null)) as Partial<T>;

const problemOfPlace = ({ timezone, currency }: UpdateProjectBody): string | null => {
  if (timezone != null && zoneNamed(timezone) === null)
    return 'Property .timezone must be an IANA time zone or a distance from GMT in whole hours, as GMT+2';
  return currency == null || currencies.has(currency)
    ? null
    : 'Property .currency must be an ISO 4217 currency code';
};

const problemOfDomains = ({ client_trusted_domains: domains }: UpdateProjectBody): string | null => {
  const wrong = (domains ?? []).findIndex((domain) => !domainForm.test(domain));
  return wrong < 0 ? null : `Property .client_trusted_domains[${wrong}] must be an origin, a host or *`;
};

const problemOfEmails = (path: string, groups: object | null | undefined): string | null => {
  for (const [name, { emails }] of Object.entries(groups ?? {}) as [string, { emails: string[] }][]) {
    const wrong = emails.findIndex((email) => !emailForm.test(email));
    if (wrong >= 0) return `Property .${path}.${name}.emails[${wrong}] must be a valid email`;
  }
  return null;
};

const problemOf = (body: UpdateProjectBody): string | null =>
  problemOfPlace(body) ??
  problemOfDomains(body) ??
  problemOfEmails('webhooks_callout_notifications', body.webhooks_callout_notifications) ??
  problemOfEmails('api_usage_notifications', body.api_usage_notifications);

const notificationsIn = ({
  webhooks_callout_notifications: callouts,
  api_usage_notifications: usage,
}: UpdateProjectBody): Partial<Notifications> =>
  present<Notifications>({
    callouts: callouts ?? undefined,
    usage: usage && { ...usage, redemptions: usage.redemptions ?? defaultNotifications().usage.redemptions },
  });

/** The texts by key; null and empty ones are none. */
const textsIn = (messages: UpdateProjectBody['error_messages'] | null): Record<string, string> =>
  Object.fromEntries(Object.entries(messages ?? {}).filter(([, text]) => Boolean(text)));

/** Reads what is to be changed. Refuses `invalid_payload` for what is no time zone, currency, domain or e-mail address. */
export const projectChange = (body: UpdateProjectBody): ProjectChange | ManagementRefusal => {
  const problem = problemOf(body);
  if (problem !== null) return refuse('invalid_payload', problem);
  const {
    name,
    description,
    timezone,
    currency,
    webhook_version,
    dial_code,
    default_code_config,
    error_messages,
  } = body;
  const charset = default_code_config?.charset;
  return {
    settings: {
      ...present({ name, description, currency, webhook_version }),
      ...present({ timezone: timezone && (zoneNamed(timezone) ?? undefined) }),
      ...(dial_code === undefined ? {} : { dial_code }),
      ...(charset === undefined ? {} : { code_charset: charset || null }),
      ...(error_messages === undefined ? {} : { error_messages: textsIn(error_messages) }),
    },
    access: {
      ...present({ client_trusted_domains: body.client_trusted_domains }),
      client_switches: Object.fromEntries(
        switches.flatMap((one) => (body[one] == null ? [] : [[one, body[one]]])),
      ),
    },
    notifications: notificationsIn(body),
  };
};
