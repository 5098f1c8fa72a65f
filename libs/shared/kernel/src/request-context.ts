import { newRequestId } from './ids';

/** The settings of a project as its events store them. Source: reference 07 §1.2, §3. */
export interface StoredProject {
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
  /** Texts for errors of rules that have none of their own, by key of the error; absent: none. Source: reference 02 §4.4. */
  errorMessages?: Readonly<Record<string, string>>;
}

/** The settings of a project that every decision may use. Source: reference 07 §1.2, §3. */
export interface ProjectContext extends StoredProject {
  /** How often its metadata schemas changed: contexts keep schemas by it. Absent: it never had one. Source: ADR 78. */
  schemaChanges?: number;
  /** Rises with each change of the project's stacking rules; absent: it always had the defaults. */
  stackingRulesVersion?: number;
}

/** The channel of a call. */
export type Channel = 'API' | 'CLIENT_API' | 'USER_PORTAL' | 'INTERNAL';

/** Who calls, and from where, as the audit trail names it. */
export interface Caller {
  user_id: string | null;
  key_id: string | null;
  session_id: string | null;
  address: string;
}

/** The part of the context that every call carries, also before the caller is authenticated. */
export interface CallContext {
  requestId: string;
  /** Epoch milliseconds; `Number.MAX_SAFE_INTEGER` when no caller waits. */
  deadlineAt: number;
  /** W3C trace context of the caller. */
  traceparent: string | null;
  /** Of calls of managers, of users, and of those that change settings: others are not told of. */
  caller?: Caller;
}

/** The caller, the project and the deadline of a request. It travels with every call between contexts. */
export interface RequestContext extends CallContext {
  project: ProjectContext;
  channel: Channel;
  apiKey: { id: string; name: string } | null;
  /** Null for keys. `login`: absent where a release before sent the call. */
  user: { id: string; login?: string } | null;
  role: string | null;
  /** Null for keys: everything that the role allows. */
  scopes: readonly string[] | null;
  /** True: customers sent along with this call only identify a customer; their attributes are neither used nor
   *  stored. Source: reference 07 §2.3. */
  inlineCustomersOnlyIdentify?: true;
}

/** Returns whether the call comes by the client-side API, whose key anybody can read. */
export const isFromBrowser = ({ channel }: Pick<RequestContext, 'channel'>): boolean =>
  channel === 'CLIENT_API';

/** A deadline that is never reached. A finite number, because JSON turns `Infinity` into null. */
export const noDeadline = Number.MAX_SAFE_INTEGER;

/** Returns the context of work without a caller: jobs, projections, consumers. It has every permission. */
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
