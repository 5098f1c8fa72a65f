import { type CallContext, definePort } from '@scrip/kernel';

/** Ways by which calls with keys and tokens come. */
export const notedChannels = ['API', 'CLIENT_API'] as const;

/** A call of a project's key or token, as the log of API calls keeps it. It has no secrets, no personal data and no body. */
export interface NotedCall {
  /** `log_…` */
  id: string;
  project_id: string;
  /** When its credentials had been checked. */
  created_at: string;
  /** Of the answer; null: the caller left before it began. */
  status: number | null;
  request_id: string;
  channel: (typeof notedChannels)[number];
  method: string;
  /** `/v1/vouchers/{code}`; null: there is no such route. */
  endpoint: string | null;
  /** Path and query; values that may be secret or tell of people are masked. */
  url: string;
  /** The server key, of a token the one that issued it; null for client keys. */
  app_id: string | null;
  /** The client key; null for others. */
  client_app_id: string | null;
}

/** Calls of one request to `noteCalls` at most; they fit a frame between services. */
export const notedTogether = 500;

/** What the edge asks of operations. Source: architecture §7. */
export interface OperationsPort {
  /** Stores calls of any projects, at most `notedTogether`. Those that it has are left as they are; those whose time is more than a
   *  day away from that of the database are left out. Returns how many were stored. May be repeated. Source: ADR 151. */
  noteCalls(context: CallContext, request: { calls: readonly NotedCall[] }): Promise<{ noted: number }>;
}

/** The port of operations. */
export const operationsPort = definePort<OperationsPort>('operations', ['noteCalls']);
