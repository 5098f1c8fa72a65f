import type { CallersSession, Principal } from '@scrip/contracts/auth';
import type { CallContext, ProjectContext, RequestContext } from '@scrip/kernel';
import type { FastifyRequest } from 'fastify';
import { projectHeader } from '../access/browser-call';
import { textOf } from '../request/header-text';
import type { RouteArea, RouteRow } from '@scrip/contracts/registry';

const traceparentForm = /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/;

/** The trace that a caller goes on with; null: none. */
export const traceparentOf = ({ headers }: FastifyRequest): string | null => {
  const traceparent = textOf(headers.traceparent);
  return traceparent !== undefined && traceparentForm.test(traceparent) ? traceparent : null;
};

/** What a request says of its session to those who handle it. */
export const callersSession = ({ id, user_id, password_is_fresh }: CallersSession) => ({
  id,
  user_id,
  password_is_fresh,
});

/** Whether the handler looks at a token of the query, so that admission looks at no credentials. */
export const opensByToken = ({ query }: FastifyRequest, row: RouteRow | null): boolean =>
  row?.opensByToken === true && (query as { token?: unknown }).token !== undefined;

/** The project whose role a session uses: that of the path, else the one that the page names. */
export const projectAskedFor = (request: FastifyRequest, area: RouteArea): string | null => {
  const { projectId } = (request.params ?? {}) as { projectId?: string };
  if (area === 'management') return projectId ?? null;
  return textOf(request.headers[projectHeader]) || null;
};

/** Who calls, where the audit trail may have to name it: what every call carries stays small. */
export const callerOf = (
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

/** The context of a request in a project; null: it is in none. */
export const contextOf = (
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
    user: principal.session ? { id: principal.session.user_id, login: principal.key.name } : null,
    role: principal.role,
    scopes: principal.scopes,
    ...(area === 'client' && !principal.client_switches?.client_create_customer_enabled
      ? { inlineCustomersOnlyIdentify: true }
      : {}),
  };
