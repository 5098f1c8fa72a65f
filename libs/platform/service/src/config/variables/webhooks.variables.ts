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
    name: 'WEBHOOK_ALLOW_LOOPBACK',
    kind: 'switch',
    default: 'false',
    meaning:
      'Whether webhooks may be delivered to this machine over http. When false: only where `SCRIP_HOST` and `SCRIP_BASE_URL` are loopback and no proxy is trusted.',
  },
  {
    name: 'WEBHOOK_PROXY',
    kind: 'text',
    default: null,
    secret: true,
    pattern: /^https?:\/\/[^\s/?#]+\/?$/,
    expects: 'http://user:password@host:port, or https',
    meaning:
      'Proxy through which webhooks leave: it is asked (`CONNECT`) for addresses that were checked, never for names, so it must allow addresses. When absent: webhooks leave directly.',
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
