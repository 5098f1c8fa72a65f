/** Where people are told: by e-mail, in the dashboard. */
export interface Channels {
  email: boolean;
  in_app: boolean;
  emails: string[];
}

/** Who is told that an endpoint was disabled. Source: reference 06 §5.2. */
export interface CalloutNotifications {
  distributions: Channels;
  webhooks: Channels;
}

/** From which share of an allowance on people are told of its use. */
export interface UsageThreshold {
  enabled: boolean;
  /** Percent, 10 to 90. */
  value: number;
  in_app: boolean;
  emails: string[];
}

/** The allowances that people are told about. */
export interface UsageNotifications {
  redemptions: UsageThreshold;
  messages: UsageThreshold;
  api_calls: UsageThreshold;
  bulk_api_calls: UsageThreshold;
  webhook_calls: UsageThreshold;
  cycle_calls: UsageThreshold;
}

/** A project's settings of notifications. They hold addresses of people, so no event has them. */
export interface Notifications {
  callouts: CalloutNotifications;
  usage: UsageNotifications;
}

const silent = (): Channels => ({ email: false, in_app: false, emails: [] });
const off = (): UsageThreshold => ({ enabled: false, value: 80, in_app: false, emails: [] });

/** What holds in a project that was told nothing else: no person is told. */
export const defaultNotifications = (): Notifications => ({
  callouts: { distributions: silent(), webhooks: silent() },
  usage: {
    redemptions: off(),
    messages: off(),
    api_calls: off(),
    bulk_api_calls: off(),
    webhook_calls: off(),
    cycle_calls: off(),
  },
});
