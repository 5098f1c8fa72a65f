import type { RuleEntry } from './rule-entry';

/** Rules about how it is redeemed, and about the event that triggered. Source: reference 02 §3.1. */
export const redemptionRules: readonly RuleEntry[] = [
  {
    name: 'redemption.metadata',
    group: 'redemption',
    qualifies: true,
    measure: { of: 'request', schema: 'redemption', metadata: ({ redemption }) => redemption?.metadata },
  },
  {
    name: 'redemption.api_key',
    group: 'redemption',
    qualifies: true,
    measure: { of: 'request', kind: 'text', value: ({ redemption }) => redemption?.apiKeyId ?? undefined },
  },
  {
    name: 'redemption.user.login',
    group: 'redemption',
    qualifies: true,
    measure: { of: 'request', kind: 'text', value: ({ redemption }) => redemption?.userLogin ?? undefined },
  },
  {
    name: 'redemption.reward.pay_with_points.points_used',
    group: 'redemption',
    qualifies: false,
    needsResult: true,
    measure: {
      of: 'request',
      kind: 'number',
      value: ({ redemption }) => redemption?.pointsUsed ?? undefined,
    },
  },
  {
    name: 'custom_event.metadata',
    group: 'redemption',
    qualifies: false,
    measure: { of: 'request', schema: 'custom_event', metadata: ({ customEvent }) => customEvent?.metadata },
  },
];
