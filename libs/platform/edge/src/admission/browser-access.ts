import type { Principal } from '@scrip/contracts/auth';
import type { RouteArea } from '@scrip/contracts/registry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isTrustedOrigin } from '../access/origin';
import { textOf } from '../request/header-text';
import { callersHeaders } from '../response-headers';
import type { RouteIndex } from '../routes/route-index';
import { pathOf } from '../routes/path-of';

/** What scripts of an admitted origin may read of an answer's headers. */
const exposedHeaders = [
  'X-Request-Id',
  'X-Rate-Limit-Limit',
  'X-Rate-Limit-Remaining',
  'X-Rate-Limit-Retry',
  'X-Rate-Limit-Type',
  'Retry-After',
  'Idempotent-Replayed',
  'Preference-Applied',
  ...callersHeaders,
].join(', ');

/** What browsers are told about calls from pages of other origins. Source: reference 07 §2.3. */
export class BrowserAccess {
  constructor(
    private readonly index: RouteIndex,
    private readonly oauthHeaders: readonly string[],
  ) {}

  /** Answers a browser's question before the request itself. */
  answerPreflight(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const methods = [...this.index.rowsAt(pathOf(request.url)).keys()];
    const origin = textOf(request.headers.origin);
    if (origin !== undefined) void reply.header('Access-Control-Allow-Origin', origin);
    return reply
      .header('Vary', 'Origin')
      .header(
        'Access-Control-Allow-Methods',
        (methods.length > 0 ? methods : ['GET', 'POST', 'PUT']).join(', '),
      )
      .header(
        'Access-Control-Allow-Headers',
        [
          'X-Client-Application-Id',
          'X-Client-Token',
          'Content-Type',
          'Idempotency-Key',
          'Prefer',
          'X-Service-API-Version',
          ...this.oauthHeaders,
        ].join(', '),
      )
      .header('Access-Control-Max-Age', '600')
      .code(204)
      .send();
  }

  /** Whether the caller's Origin is admitted; only then may a browser read the answer, whatever it will be. */
  answerOrigin(request: FastifyRequest, reply: FastifyReply, area: RouteArea, principal: Principal): boolean {
    if (area !== 'client') return true;
    const origin = textOf(request.headers.origin);
    if (!isTrustedOrigin(origin, principal.trusted_domains)) return false;
    void reply
      .header('Access-Control-Allow-Origin', origin)
      .header('Access-Control-Expose-Headers', exposedHeaders)
      .header('Vary', 'Origin');
    return true;
  }
}
