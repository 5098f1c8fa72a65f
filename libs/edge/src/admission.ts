import type { AuthPort, Principal } from '@scrip/contracts';
import {
  type CallContext,
  hasForbiddenCharacters,
  isRefused,
  type OpenStep,
  type ProjectContext,
  randomIds,
  type RequestContext,
} from '@scrip/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { apiVersions } from './api-version';
import { isTrustedOrigin } from './access/origin';
import { mayCall } from './access/permissions';
import { presentedCredentials } from './access/presented-credentials';
import { defaultRateLimits, RateBucket } from './access/rate-limits';
import { defaultOauthHeaders, type EdgeOptions } from './edge-options';
import { EdgeFailure } from './failure/failure';
import { failures } from './failure/failures';
import { failureOfRefusal } from './failure/refusals';
import { forbiddenText } from './media/body-parsers';
import { isAcceptable, isConsumable } from './media/media-types';
import { beginRequestStep } from './request/request-step';
import { areaOfPath, type RouteIndex } from './routes/route-index';
import type { RouteArea, RouteMethod, RouteRow } from './routes/route-row';
import { routedRow } from './routes/routed-row';

/** What is known of the route a request asks for. */
interface Destination {
  area: RouteArea;
  /** Null: no such path, or not with this method. */
  row: RouteRow | null;
  /** Methods the path has. */
  methods: readonly RouteMethod[];
}

const traceparentForm = /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/;

const textOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

const traceparentOf = ({ headers }: FastifyRequest): string | null => {
  const traceparent = textOf(headers.traceparent);
  return traceparent !== undefined && traceparentForm.test(traceparent) ? traceparent : null;
};

/** The path of a request target, without its query. */
export const pathOf = (url: string): string => url.split('?', 1)[0] ?? '';

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Lets requests in, in the check order of spec 07 §1.3: cluster and authentication, rate limit, method and media,
 *  permission and scope, the project of the path. Every method throws `EdgeFailure` for what it refuses. */
export class Admission {
  private readonly auth: AuthPort;
  private readonly oauthHeaders: readonly string[];
  private readonly deadlineMs: number;
  private readonly buckets: { api: RateBucket; bulk: RateBucket; client: RateBucket };

  constructor(
    options: EdgeOptions,
    private readonly index: RouteIndex,
  ) {
    const limits = { ...defaultRateLimits, ...options.rateLimits };
    this.auth = options.auth;
    this.oauthHeaders = options.oauthHeaders ?? defaultOauthHeaders;
    this.deadlineMs = options.deadlineMs ?? 10_000;
    this.buckets = {
      api: new RateBucket('api_calls', limits.apiCalls),
      bulk: new RateBucket('bulk_api_calls', limits.bulkApiCalls),
      client: new RateBucket('client_api_calls', limits.clientCalls),
    };
  }

  /** Everything that can be decided before the body is read. */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const destination = this.destinationOf(request);
    const { row } = destination;
    const step = beginRequestStep(request, row, traceparentOf(request));
    const call = this.callContextOf(request, step);
    request.edge = { row, call, step, context: null, ids: randomIds, idempotency: null };
    if (destination.area === 'open') {
      this.checkMethodAndMedia(request, destination);
      return;
    }
    const principal = await this.authenticate(request, destination.area, call);
    const fromTrusted = this.answerOrigin(request, reply, destination.area, principal);
    await this.count(request, reply, destination, principal);
    const apiVersion = this.requestedVersion(request);
    this.checkMethodAndMedia(request, destination);
    if (!row) return;
    this.checkPermission(principal, row, fromTrusted);
    this.checkPath(request);
    const project = await this.projectOf(request, principal, call);
    request.edge.context = contextOf(call, principal, project, row.area, apiVersion);
  }

  /** Answers a browser's question before the request itself. Source: spec 07 §2.3. */
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
          'X-Service-API-Version',
          ...this.oauthHeaders,
        ].join(', '),
      )
      .header('Access-Control-Max-Age', '600')
      .code(204)
      .send();
  }

  private destinationOf(request: FastifyRequest): Destination {
    const routed = routedRow(request, this.index);
    if (routed) return { area: routed.area, row: routed, methods: [routed.method] };
    const path = pathOf(request.url);
    const rows = this.index.rowsAt(path);
    const methods = [...rows.keys()];
    const [someRow] = rows.values();
    const area = someRow?.area ?? areaOfPath(path);
    // A row whose route is not served here reads as an unknown route.
    return { area, row: null, methods: methods.includes(request.method as RouteMethod) ? [] : methods };
  }

  private callContextOf({ id }: FastifyRequest, { traceparent }: OpenStep): CallContext {
    return { requestId: id, deadlineAt: Date.now() + this.deadlineMs, traceparent };
  }

  private async authenticate(
    request: FastifyRequest,
    area: RouteArea,
    call: CallContext,
  ): Promise<Principal> {
    const credentials = presentedCredentials(request.headers, area, {
      oauthHeaders: this.oauthHeaders,
      ip: request.ip,
    });
    if (!credentials) throw new EdgeFailure(failures.unauthorized());
    const principal = await this.auth.authenticate(call, { credentials });
    if (isRefused(principal)) throw new EdgeFailure(failureOfRefusal(principal));
    return principal;
  }

  /** Whether the caller's Origin is admitted; only then may a browser read the answer, whatever it will be. */
  private answerOrigin(
    request: FastifyRequest,
    reply: FastifyReply,
    area: RouteArea,
    principal: Principal,
  ): boolean {
    if (area !== 'client') return true;
    const origin = textOf(request.headers.origin);
    if (!isTrustedOrigin(origin, principal.trusted_domains)) return false;
    void reply.header('Access-Control-Allow-Origin', origin).header('Vary', 'Origin');
    return true;
  }

  private async count(
    request: FastifyRequest,
    reply: FastifyReply,
    { area, row }: Destination,
    principal: Principal,
  ): Promise<void> {
    const [bucket, key] =
      area === 'client'
        ? [this.buckets.client, request.ip]
        : [row?.bulk ? this.buckets.bulk : this.buckets.api, principal.project?.id ?? principal.key.id];
    const standing = await bucket.take(key);
    void reply.headers(standing.headers);
    if (!standing.admitted) throw new EdgeFailure(failures.tooManyRequests());
  }

  private requestedVersion(request: FastifyRequest): string | null {
    const version = textOf(request.headers['x-service-api-version']);
    if (version === undefined) return null;
    if (!apiVersions.includes(version))
      throw new EdgeFailure(failures.unsupportedVersion(version, apiVersions));
    return version;
  }

  private checkMethodAndMedia(request: FastifyRequest, { row, methods }: Destination): void {
    if (!row) {
      throw new EdgeFailure(
        methods.length > 0 ? failures.methodNotAllowed(request.method, methods) : failures.unknownRoute(),
      );
    }
    if (!isAcceptable(request.headers.accept, row.produces))
      throw new EdgeFailure(failures.notAcceptable(row.produces));
    const { 'content-type': contentType, 'content-encoding': encoding } = request.headers;
    const readsBody = row.method !== 'GET' && (hasBody(request) || row.consumes === 'form');
    if (readsBody && !isConsumable(row.consumes, contentType, encoding)) {
      throw new EdgeFailure(
        failures.unsupportedMediaType(
          row.consumes === 'form' ? 'application/x-www-form-urlencoded' : 'application/json',
        ),
      );
    }
  }

  private checkPermission(principal: Principal, row: RouteRow, fromTrusted: boolean): void {
    // Tokens never reach token endpoints and management: their rows have no scope.
    if (!mayCall(principal, row)) throw new EdgeFailure(failures.missingPermission());
    if (!fromTrusted)
      throw new EdgeFailure(failures.forbidden('The Origin is not among the trusted domains of the project'));
    const setting = row.clientSwitch;
    if (setting && !principal.client_switches?.[setting]) {
      throw new EdgeFailure(failures.forbidden(`The project does not allow this call: ${setting} is off`));
    }
  }

  private checkPath(request: FastifyRequest): void {
    const path = hasForbiddenCharacters(request.params) ?? hasForbiddenCharacters(request.query);
    if (path !== null) throw forbiddenText(path);
  }

  private async projectOf(
    request: FastifyRequest,
    principal: Principal,
    call: CallContext,
  ): Promise<ProjectContext | null> {
    if (principal.project) return principal.project;
    const { projectId } = request.params as { projectId?: string };
    if (projectId === undefined) return null;
    const project = await this.auth.loadProject(call, { project_id: projectId });
    if (isRefused(project)) throw new EdgeFailure(failureOfRefusal(project));
    return project;
  }
}

const contextOf = (
  call: CallContext,
  principal: Principal,
  project: ProjectContext | null,
  area: RouteArea,
  apiVersion: string | null,
): RequestContext | null =>
  project && {
    ...call,
    project: apiVersion === null ? project : { ...project, apiVersion },
    channel: area === 'client' ? 'CLIENT_API' : 'API',
    apiKey: principal.key,
    user: null,
    role: principal.role,
    scopes: principal.scopes,
    ...(area === 'client' && !principal.client_switches?.client_create_customer_enabled
      ? { inlineCustomersOnlyIdentify: true }
      : {}),
  };
