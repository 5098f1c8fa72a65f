import { isAddressRange } from './address-range';
import type { Variable } from './variable';

/** What webhooks may be delivered to. */
export const webhooksVariables = [
  {
    name: 'WEBHOOK_ALLOW_HTTP',
    kind: 'switch',
    default: 'false',
    meaning: 'Whether webhooks may be delivered over plain http.',
  },
  {
    name: 'WEBHOOK_EGRESS_ALLOW_HOSTS',
    kind: 'list',
    default: '',
    meaning: 'Host names to deliver webhooks to although they look internal.',
  },
  {
    name: 'WEBHOOK_EGRESS_ALLOW_CIDRS',
    kind: 'list',
    default: '',
    accepts: isAddressRange,
    expects: 'comma-separated list of address ranges',
    meaning: 'Address ranges to deliver webhooks to although they are private, for example `10.1.0.0/16`.',
  },
] as const satisfies readonly Variable[];
