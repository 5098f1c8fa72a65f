import type { AuthPort, CallersSession, Credentials, Principal } from '@scrip/contracts/auth';
import {
  type CallContext,
  hasForbiddenCharacters,
  isRefused,
  type OpenSpan,
  type ProjectContext,
  randomIds,
  type RequestContext,
} from '@scrip/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { apiVersions } from '../request/api-version';
import {
  type BrowserCall,
  browserProblem,
  isSecureCall,
  projectHeader,
  sessionTokenOf,
  type DashboardAccess,
} from '../access/browser-call';
import { addressKey } from '../access/address-key';
import { untrustedOrigin } from '../access/origin';
import { scopeChallenge } from '../access/challenge';
import { lackingInWords, lackingPermission } from '../access/permissions';
import { type PresentationFlaw, presentedCredentials } from '../access/presented-credentials';
import { RightCredentials } from '../access/right-credentials';
import { presentationFailure, rejectedCredentials } from '../access/unauthenticated';
import {
  defaultAnswerBudget,
  defaultBodyBudget,
  defaultDashboardAccess,
  defaultOauthHeaders,
  type EdgeOptions,
} from '../assembly/edge-options';
import { EdgeFailure } from '../failure/failure';
import { failures } from '../failure/failures';
import { failureOfRefusal } from '../failure/refusals';
import { forbiddenText } from '../media/forbidden-text';
import { consumedType, isAcceptable, isConsumable } from '../media/media-types';
import { announcedBytes, hasBody } from '../media/request-body';
import { textOf } from '../request/header-text';
import { beginRequestSpan } from '../request/request-span';
import { whenAnswerEnds } from '../under-way/answer-end';
import { AnswersUnderWay } from '../under-way/answers-under-way';
import { endWithoutBody } from '../under-way/body-arrival';
import { type BytesHolder, BytesUnderWay } from '../under-way/bytes-under-way';
import { areaOfPath, type RouteIndex } from '../routes/route-index';
import { pathOf } from '../routes/path-of';
import type { Feature, RouteArea, RouteMethod, RouteRow } from '@scrip/contracts/registry';
import { routedRow } from '../routes/routed-row';
import { bytesOfForm, isFormUpload } from '../upload/form-upload';
import { BrowserAccess } from './browser-access';
import { CallCounts } from './call-counts';
import type { Destination } from './destination';

const traceparentForm = /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/;

const traceparentOf = ({ headers }: FastifyRequest): string | null => {
  const traceparent = textOf(headers.traceparent);
  return traceparent !== undefined && traceparentForm.test(traceparent) ? traceparent : null;
};

/** Lets requests in, in the check order of reference 07 §1.3: cluster and authentication, rate limit, method and media,
 *  permission and scope, feature, the project of the path. Every method throws `EdgeFailure` for what it refuses. */
export class Admission {
  readonly counts: CallCounts;
  readonly browsers: BrowserAccess;
  private readonly auth: AuthPort;
  private readonly oauthHeaders: readonly string[];
  private readonly featuresOff: ReadonlySet<Feature>;
  private readonly dashboard: DashboardAccess;
  private readonly deadlineMs: number;
  private readonly bodies: BytesUnderWay;
  private readonly answers: AnswersUnderWay;
  private readonly rightOnes = new RightCredentials();

  constructor(
    options: EdgeOptions,
    private readonly index: RouteIndex,
  ) {
    this.auth = options.auth;
    this.oauthHeaders = options.oauthHeaders ?? defaultOauthHeaders;
    this.featuresOff = new Set(options.featuresOff);
    this.dashboard = options.dashboard ?? defaultDashboardAccess;
    this.deadlineMs = options.deadlineMs ?? 10_000;
    this.bodies = new BytesUnderWay(options.bodyBudget ?? defaultBodyBudget);
    this.answers = new AnswersUnderWay(options.answerBudget ?? defaultAnswerBudget);
    this.counts = new CallCounts(options.rateLimits);
    this.browsers = new BrowserAccess(index, this.oauthHeaders);
  }

  /** Everything that can be decided before the body is read. */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const destination = this.destinationOf(request);
    const { row } = destination;
    const span = beginRequestSpan(request, row, traceparentOf(request));
    const call = this.callContextOf(request, span, row);
    const byAddress = { address: addressKey(request.ip) };
    request.edge = {
      ...{ row, call, span, context: null, browser: null, ids: randomIds, idempotency: null, redeemables: 0 },
      answer: row?.owner === null ? null : this.answers.of(request, reply, byAddress),
    };
    if (destination.area === 'open' || opensByToken(request, row)) {
      await this.counts.countOpen(request, row);
      this.checkMethodAndMedia(request, destination);
      request.edge.answer?.check();
      return;
    }
    if (row?.beginsSession) {
      await this.admitSignIn(request, reply, { ...destination, row }, byAddress);
      return;
    }
    const principal = await this.authenticate(request, destination.area, byAddress.address, call);
    const fromTrusted = this.browsers.answerOrigin(request, reply, destination.area, principal);
    await this.counts.count(request, reply, destination, principal);
    const apiVersion = this.requestedVersion(request);
    this.checkMethodAndMedia(request, destination);
    if (!row) return;
    this.checkSession(request, principal, row);
    this.checkPermission(principal, row, fromTrusted ? null : untrustedOrigin(request.headers.origin));
    this.checkFeature(row);
    this.checkPath(request);
    const project = await this.projectOf(request, principal, call);
    const known = { ...call, ...callerOf(request, principal, row) };
    request.edge.call = known;
    request.edge.context = contextOf(known, principal, project, row.area, apiVersion);
    if (principal.session) request.edge.browser = this.browserOf(request, row, principal);
    const holder = row.area === 'client' ? byAddress : { project: project?.id ?? principal.key.id };
    request.edge.answer = this.answers.of(request, reply, holder);
    request.edge.answer.check();
    this.holdBody(request, reply, row, holder);
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

  private callContextOf(
    { id }: FastifyRequest,
    { traceparent }: OpenSpan,
    row: RouteRow | null,
  ): CallContext {
    const deadlineMs = Math.max(this.deadlineMs, row?.deadlineMs ?? 0);
    return { requestId: id, deadlineAt: Date.now() + deadlineMs, traceparent };
  }

  private async authenticate(
    request: FastifyRequest,
    area: RouteArea,
    address: string,
    call: CallContext,
  ): Promise<Principal> {
    const credentials = this.credentialsOf(request, area);
    if ('flaw' in credentials) {
      await this.counts.checkRejected(address);
      await this.counts.countRejected(address);
      throw new EdgeFailure(presentationFailure(credentials, area, this.oauthHeaders));
    }
    const digest = this.rightOnes.digestOf(address, credentials);
    if (!this.rightOnes.wereRight(digest)) await this.counts.checkRejected(address);
    const principal = await this.auth.authenticate(call, { credentials });
    if (!isRefused(principal)) {
      this.rightOnes.remember(digest);
      return principal;
    }
    this.rightOnes.forget(digest);
    await this.counts.countRejected(address);
    throw new EdgeFailure(
      principal.refused === 'unauthorized'
        ? rejectedCredentials(area, credentials.kind)
        : failureOfRefusal(principal),
    );
  }

  /** A session counts where neither key nor token is sent, and never in browsers of other people's pages. */
  private credentialsOf(request: FastifyRequest, area: RouteArea): Credentials | PresentationFlaw {
    const sent: Credentials | PresentationFlaw =
      area === 'dashboard'
        ? { flaw: 'absent' }
        : presentedCredentials(request.headers, area, { oauthHeaders: this.oauthHeaders, ip: request.ip });
    const takesSessions = area === 'dashboard' || area === 'server' || area === 'management';
    if (!('flaw' in sent) || sent.flaw !== 'absent' || !takesSessions) return sent;
    const session_token = sessionTokenOf(request, this.dashboard);
    if (session_token === undefined) return sent;
    this.checkBrowser(request);
    return { kind: 'session', session_token, project_id: projectAskedFor(request, area), ip: request.ip };
  }

  private checkBrowser(request: FastifyRequest): void {
    const problem = browserProblem(request, this.dashboard);
    if (problem !== null) throw new EdgeFailure(failures.forbidden(problem));
  }

  /** A call that begins a session: no credentials yet, but of our page. */
  private async admitSignIn(
    request: FastifyRequest,
    reply: FastifyReply,
    destination: Destination & { row: RouteRow },
    holder: BytesHolder,
  ): Promise<void> {
    await this.counts.countOpen(request, destination.row);
    this.checkMethodAndMedia(request, destination);
    this.checkBrowser(request);
    request.edge.browser = this.browserOf(request, destination.row, null);
    request.edge.answer?.check();
    this.holdBody(request, reply, destination.row, holder);
  }

  private browserOf(request: FastifyRequest, row: RouteRow, principal: Principal | null): BrowserCall | null {
    if (row.area !== 'dashboard' && row.area !== 'management') return null;
    const { session } = principal ?? {};
    return {
      address: request.ip,
      isSecure: isSecureCall(request, this.dashboard),
      session: session ? callersSession(session) : null,
    };
  }

  /** What a session lacks before its role is looked at. */
  private checkSession(request: FastifyRequest, { session, project }: Principal, row: RouteRow): void {
    if (!session) return;
    const isAboutItself = row.area === 'dashboard' && row.permission === 'none';
    if (session.must_change_password && !isAboutItself)
      throw new EdgeFailure(failures.forbidden('The password must be changed first'));
    if (project === null && !isAboutItself && row.area !== 'management')
      throw new EdgeFailure(failures.invalidPayload('Header X-Scrip-Project must name a project'));
    const { force } = request.query as { force?: unknown };
    const isForGood = row.method === 'DELETE' && force !== undefined && force !== 'false';
    if ((row.passwordAgain || isForGood) && !session.password_is_fresh)
      throw new EdgeFailure(failures.passwordAgain());
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
        methods.length > 0
          ? failures.methodNotAllowed(request.method, methods)
          : failures.unknownRoute(request),
      );
    }
    if (!isAcceptable(request.headers.accept, row.produces))
      throw new EdgeFailure(failures.notAcceptable(row.produces));
    const { 'content-type': contentType, 'content-encoding': encoding } = request.headers;
    const readsBody = row.method !== 'GET' && (hasBody(request) || row.consumes === 'form');
    if (readsBody && !isConsumable(row.consumes, contentType, encoding)) {
      throw new EdgeFailure(failures.unsupportedMediaType(consumedType[row.consumes]));
    }
    if ((announcedBytes(request) ?? 0) > row.bodyLimitBytes)
      throw new EdgeFailure(failures.tooLarge(row.bodyLimitBytes));
  }

  /** Takes room for the body, which is about to be read, until the request is over; one whose body does not arrive is
   *  ended. A body in chunks counts as the largest that it may become. */
  private holdBody(request: FastifyRequest, reply: FastifyReply, row: RouteRow, holder: BytesHolder): void {
    const isForm = row.consumes === 'upload' && isFormUpload(request);
    const bytes = isForm
      ? bytesOfForm(request, row.bodyLimitBytes)
      : (announcedBytes(request) ?? row.bodyLimitBytes);
    if (bytes === 0) return;
    const giveBack = this.bodies.take(holder, bytes);
    if (!giveBack)
      throw new EdgeFailure(failures.unavailable('Too many request bodies are under way. Try again.'));
    whenAnswerEnds(request, reply, giveBack);
    // Who reads a form ends it at its deadline.
    if (!isForm) endWithoutBody(request, reply, request.edge.call.deadlineAt);
  }

  private checkPermission(principal: Principal, row: RouteRow, untrusted: string | null): void {
    const lacking = lackingPermission(principal, row);
    if (lacking) {
      throw new EdgeFailure({
        ...failures.missingPermission(lackingInWords(lacking)),
        ...(lacking.lacks === 'scope'
          ? { headers: { 'WWW-Authenticate': scopeChallenge(lacking.scope) } }
          : {}),
      });
    }
    if (untrusted !== null) throw new EdgeFailure(failures.forbidden(untrusted));
    const setting = row.clientSwitch;
    if (setting && !principal.client_switches?.[setting]) {
      throw new EdgeFailure(
        failures.forbidden(
          `The project does not allow this call: ${setting} is off. ` +
            'Who runs the server switches it on by `npm run keys -- browsers <project id> --allow <switches>`',
        ),
      );
    }
  }

  private checkFeature({ feature }: RouteRow): void {
    if (feature !== null && this.featuresOff.has(feature)) throw new EdgeFailure(failures.missingFeature());
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

const callersSession = ({ id, user_id, password_is_fresh }: CallersSession) => ({
  id,
  user_id,
  password_is_fresh,
});

/** Whether the handler looks at a token of the query, so that admission looks at no credentials. */
const opensByToken = ({ query }: FastifyRequest, row: RouteRow | null): boolean =>
  row?.opensByToken === true && (query as { token?: unknown }).token !== undefined;

/** The project whose role a session uses: that of the path, else the one that the page names. */
const projectAskedFor = (request: FastifyRequest, area: RouteArea): string | null => {
  const { projectId } = (request.params ?? {}) as { projectId?: string };
  if (area === 'management') return projectId ?? null;
  return textOf(request.headers[projectHeader]) || null;
};

/** Who calls, where the audit trail may have to name it: what every call carries stays small. */
const callerOf = (
  { ip }: FastifyRequest,
  { session, key }: Principal,
  row: RouteRow,
): Pick<CallContext, 'caller'> => {
  const isOfManagers = row.area === 'management' || row.area === 'dashboard';
  if (!session && !isOfManagers && row.permission !== 'settings' && !row.passwordAgain) return {};
  return {
    caller: {
      user_id: session?.user_id ?? null,
      key_id: session ? null : key.id,
      session_id: session?.id ?? null,
      address: ip,
    },
  };
};

const channelOf = (principal: Principal, area: RouteArea): RequestContext['channel'] => {
  if (principal.session) return 'USER_PORTAL';
  return area === 'client' ? 'CLIENT_API' : 'API';
};

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
    channel: channelOf(principal, area),
    apiKey: principal.session ? null : principal.key,
    user: principal.session ? { id: principal.session.user_id } : null,
    role: principal.role,
    scopes: principal.scopes,
    ...(area === 'client' && !principal.client_switches?.client_create_customer_enabled
      ? { inlineCustomersOnlyIdentify: true }
      : {}),
  };
