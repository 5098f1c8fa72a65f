import type { RuleEntry } from './rule-entry';

/** Rules about who redeems. Source: reference 02 §3.1. */
export const customerRules: readonly RuleEntry[] = [
  {
    name: 'customer.segment',
    group: 'customer',
    audience: true,
    qualifies: true,
    measure: { of: 'request', kind: 'ids', value: ({ customer }) => customer?.segments },
  },
  {
    name: 'customer.metadata',
    group: 'customer',
    audience: true,
    qualifies: true,
    measure: { of: 'request', schema: 'customer', metadata: ({ customer }) => customer?.metadata },
  },
  {
    name: 'customer.loyalty_tier',
    group: 'customer',
    audience: true,
    qualifies: true,
    measure: { of: 'request', kind: 'ids', value: ({ customer }) => customer?.tiers },
  },
  {
    name: 'publication.redeemable_by_linked_customer',
    group: 'customer',
    audience: 'holder',
    qualifies: true,
    measure: { of: 'request', kind: 'flag', value: ({ customer }) => customer?.holdsVoucher },
  },
];
