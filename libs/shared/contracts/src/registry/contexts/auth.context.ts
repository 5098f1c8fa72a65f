import { oauth } from '../route-row';
import type { RegisteredContext } from '../registered-context';
import { topic } from '../topic';

export const auth = {
  name: 'auth',
  owns: 'projects, keys, access tokens, users',
  topics: { project: topic('auth', 'project') },
  routes: [
    oauth('POST /v1/oauth/token'),
    oauth('POST /v1/oauth/introspect'),
    oauth('POST /v1/oauth/token/revoke'),
  ],
} as const satisfies RegisteredContext;
