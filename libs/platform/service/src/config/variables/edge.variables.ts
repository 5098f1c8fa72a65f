import { isCallLimit } from './call-limit';
import { features, isFeature } from '@scrip/contracts/registry';
import type { Variable } from './variable';

/** Who is let in, and how often. */
export const edgeVariables = [
  {
    name: 'SCRIP_OAUTH_HEADERS',
    kind: 'list',
    default: 'X-Service-OAuth,Authorization',
    meaning:
      'Headers in which an access token is accepted, as `Bearer <token>`; the first one present counts.',
  },
  {
    name: 'SCRIP_API_CALLS_PER_HOUR',
    kind: 'integer',
    default: '1000000',
    min: 1,
    meaning: 'Server-side calls of a project per hour.',
  },
  {
    name: 'SCRIP_BULK_API_CALLS_PER_HOUR',
    kind: 'integer',
    default: '1000000',
    min: 1,
    meaning: 'Calls of a project to bulk and import endpoints per hour.',
  },
  {
    name: 'SCRIP_API_CALLS_LIMITS',
    kind: 'list',
    default: '',
    accepts: isCallLimit,
    expects: 'comma-separated list of calls/seconds',
    meaning:
      "Further limits of a project's server-side calls, beside that per hour, for example `100/60,2000/86400`; all of them hold at once.",
  },
  {
    name: 'SCRIP_BULK_API_CALLS_LIMITS',
    kind: 'list',
    default: '',
    accepts: isCallLimit,
    expects: 'comma-separated list of calls/seconds',
    meaning: 'The same for calls of a project to bulk and import endpoints.',
  },
  {
    name: 'SCRIP_API_CALLS_PER_CYCLE',
    kind: 'integer',
    default: null,
    min: 1,
    meaning:
      'Server-side calls of a project in a calendar month (UTC), bulk ones too, counted over all processes and starts. When absent: no limit.',
  },
  {
    name: 'SCRIP_WEBHOOK_CALLS_PER_DAY',
    kind: 'integer',
    default: '1000000',
    min: 1,
    meaning: 'Calls of a project to endpoints of integrations per day.',
  },
  {
    name: 'SCRIP_CLIENT_CALLS_PER_5_SECONDS',
    kind: 'integer',
    default: '5',
    min: 1,
    meaning: 'Client-side calls of one IP address per 5 seconds, over all projects.',
  },
  {
    name: 'SCRIP_FEATURES_OFF',
    kind: 'list',
    default: '',
    accepts: isFeature,
    expects: `comma-separated list of ${features.join(', ')}`,
    meaning:
      'Features that are switched off for all projects: their calls are answered 402. What they stored stays. The same for ' +
      'the gateway and every service.',
  },
] as const satisfies readonly Variable[];
