import { newRequestId } from './ids';

/** What every decision may know of the project it runs in. Source: spec 07 §1.2, §3. */
export interface ProjectContext {
  id: string;
  name: string;
  /** IANA name, for example `Europe/Warsaw`. */
  timezone: string;
  /** ISO 4217. */
  currency: string;
  caseSensitiveCodes: boolean;
  apiVersion: string;
  webhookVersion: string;
  cluster: string;
  /** Characters of generated codes; the platform's default when absent. */
  codeCharset?: string;
}

/** Where a call came from. */
export type Channel = 'API' | 'CLIENT_API' | 'USER_PORTAL' | 'INTERNAL';

/** What every call carries, also before anybody knows who asks. */
export interface CallContext {
  requestId: string;
  /** Epoch milliseconds; `Number.MAX_SAFE_INTEGER` where nobody waits. */
  deadlineAt: number;
  /** W3C trace context of the caller. */
  traceparent: string | null;
}

/** Who asks, in which project, and until when an answer is wanted. Travels with every call between contexts. */
export interface RequestContext extends CallContext {
  project: ProjectContext;
  channel: Channel;
  apiKey: { id: string; name: string } | null;
  user: { id: string } | null;
  role: string | null;
  /** Null for keys: everything that the role allows. */
  scopes: readonly string[] | null;
  /** Inline customers of this call only say who somebody is: their attributes are neither used nor stored. Absent: they
   *  count. Source: spec 07 §2.3. */
  inlineCustomersOnlyIdentify?: true;
}

/** A deadline that never comes. A finite number, since JSON turns `Infinity` into null. */
export const noDeadline = Number.MAX_SAFE_INTEGER;

/** The context of work that no caller waits for: jobs, projections, consumers. Everything is allowed. */
export const internalContext = (
  project: ProjectContext,
  requestId: string = newRequestId(),
): RequestContext => ({
  requestId,
  project,
  channel: 'INTERNAL',
  apiKey: null,
  user: null,
  role: null,
  scopes: null,
  deadlineAt: noDeadline,
  traceparent: null,
});
