import type { AuthPort, Credentials, Principal } from '@scrip/contracts/auth';
import { type CallContext, isRefused, type OpenSpan, type ProjectContext, randomIds } from '@scrip/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type BrowserCall,
  browserProblem,
  isSecureCall,
  sessionTokenOf,
  type DashboardAccess,
} from '../access/browser-call';
import { addressKey } from '../access/address-key';
import { untrustedOrigin } from '../access/origin';
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
import type { CallNotes } from '../call-log/call-notes';
import { noteCall } from '../call-log/note-call';
import { wordsOf } from '../call-log/shown-url';
import { EdgeFailure } from '../failure/failure';
import { failures } from '../failure/failures';
import { failureOfRefusal } from '../failure/refusals';
import { announcedBytes } from '../media/request-body';
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
import { cycleTotalsOf } from './cycle-totals';
import type { Destination } from './destination';
import {
  callersSession,
  callerOf,
  contextOf,
  opensByToken,
  projectAskedFor,
  traceparentOf,
} from './call-context';
import {
  checkMethodAndMedia,
  checkPath,
  checkPermission,
  checkSession,
  requestedVersion,
} from './route-checks';

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
  private readonly notes: CallNotes | null;
  private readonly words: ReadonlySet<string>;

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
    this.counts = new CallCounts(options.rateLimits ?? {}, cycleTotalsOf(options.auth));
    this.browsers = new BrowserAccess(index, this.oauthHeaders);
    this.notes = options.callNotes ?? null;
    this.words = wordsOf(index.rows);
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
      checkMethodAndMedia(request, destination);
      request.edge.answer?.check();
      return;
    }
    if (row?.beginsSession) {
      await this.admitSignIn(request, reply, { ...destination, row }, byAddress);
      return;
    }
    const principal = await this.authenticate(request, destination.area, byAddress.address, call);
    if (this.notes)
      noteCall(request, reply, { notes: this.notes, words: this.words, destination, principal });
    const fromTrusted = this.browsers.answerOrigin(request, reply, destination.area, principal);
    await this.counts.count(request, reply, destination, principal);
    const apiVersion = requestedVersion(request);
    checkMethodAndMedia(request, destination);
    if (!row) return;
    checkSession(request, principal, row);
    checkPermission(principal, row, fromTrusted ? null : untrustedOrigin(request.headers.origin));
    this.checkFeature(row);
    checkPath(request);
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
    checkMethodAndMedia(request, destination);
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

  private checkFeature({ feature }: RouteRow): void {
    if (feature !== null && this.featuresOff.has(feature)) throw new EdgeFailure(failures.missingFeature());
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
