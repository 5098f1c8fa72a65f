import { resolve } from 'node:path';
import { deriveKey, Secret } from '@scrip/kernel';
import { type Distribution, distributionOf } from './distribution';
import { readEnvironment } from './environment';

/** Provider token of `ScripConfig`; inject with `@Inject(SCRIP_CONFIG)`. Global. */
export const SCRIP_CONFIG = Symbol.for('scrip.config');

/** Keys of the demo project; null = to be generated. */
export interface BootstrapKeys {
  projectId: string | null;
  appId: string | null;
  appToken: Secret | null;
  clientAppId: string | null;
  clientToken: Secret | null;
  managementId: string | null;
  managementToken: Secret | null;
}

/** What webhooks may be delivered to beyond public https. Source: spec 06 §5.4. */
export interface WebhookEgress {
  allowHttp: boolean;
  /** Host names in lower case. */
  allowHosts: readonly string[];
  /** Address ranges in CIDR form. */
  allowCidrs: readonly string[];
  /** Loopback over http is allowed, because this server listens on loopback only. */
  allowLoopback: boolean;
}

/** Where traces go. */
export interface TracingSettings {
  /** Base URL of an OTLP receiver; null: traces are passed on and not recorded. */
  endpoint: string | null;
  /** Share of the traces that begin here and are recorded, 0 to 1. */
  sampledShare: number;
}

/** Settings of the environment as read; what the embedded shape makes itself may still be null. */
export interface ScripSettings {
  host: string;
  port: number;
  /** Addresses and address ranges of proxies whose `X-Forwarded-For` counts. */
  trustedProxies: readonly string[];
  /** Without a slash at its end. */
  baseUrl: string;
  cluster: string;
  /** Absolute path. */
  dataDir: string;
  masterKey: Secret | null;
  databaseUrl: Secret | null;
  /** Null in the embedded shape. */
  distribution: Distribution | null;
  tracing: TracingSettings;
  bootstrap: BootstrapKeys;
  /** Header names in lower case, in order of preference. */
  oauthHeaders: readonly string[];
  webhookEgress: WebhookEgress;
  logLevel: string;
  jobConcurrency: number;
  database: {
    poolSize: number;
    statementTimeoutMs: number;
    transactionTimeoutMs: number;
    idleInTransactionTimeoutMs: number;
  };
  rateLimits: { apiCallsPerHour: number; bulkApiCallsPerHour: number; clientCallsPer5Seconds: number };
  shutdownTimeoutMs: number;
}

/** Settings of a running process: complete. */
export interface ScripConfig extends ScripSettings {
  /** 32 bytes as base64; use `purposeKey`. */
  masterKey: Secret;
  databaseUrl: Secret;
}

/** The 32-byte key of one purpose ("webhook-secrets"), derived from the master key. */
export const purposeKey = (config: { masterKey: Secret }, purpose: string): Buffer =>
  deriveKey(Buffer.from(config.masterKey.reveal(), 'base64'), purpose);

/** Whether an address to listen on can be reached from this machine only. */
export const isLoopback = (host: string): boolean => /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/.test(host);

const secretOf = (text: string | null): Secret | null => (text === null ? null : new Secret(text));

const masterKeyOf = (text: string | null): Secret | null => {
  if (text === null) return null;
  return new Secret(text.length === 64 ? Buffer.from(text, 'hex').toString('base64') : text);
};

/** The URL of a listening address; IPv6 in brackets, the wildcard addresses as loopback. */
export const urlOf = (host: string, port: number): string => {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
};

/** Reads and checks the environment. Throws `ConfigurationError` with a line per wrong variable. */
export const readSettings = (env: NodeJS.ProcessEnv): ScripSettings => {
  const read = readEnvironment(env);
  const text = (name: keyof typeof read) => read[name] as string;
  const optional = (name: keyof typeof read) => read[name] as string | null;
  const number = (name: keyof typeof read) => read[name] as number;
  const list = (name: keyof typeof read) => read[name] as string[];
  const host = text('SCRIP_HOST');
  const port = number('SCRIP_PORT');
  return {
    host,
    port,
    trustedProxies: list('SCRIP_TRUST_PROXY'),
    baseUrl: optional('SCRIP_BASE_URL') ?? urlOf(host, port),
    cluster: text('SCRIP_CLUSTER'),
    dataDir: resolve(text('SCRIP_DATA_DIR')),
    masterKey: masterKeyOf(optional('SCRIP_MASTER_KEY')),
    databaseUrl: secretOf(optional('DATABASE_URL')),
    distribution: distributionOf(read),
    tracing: {
      endpoint: optional('OTEL_EXPORTER_OTLP_ENDPOINT'),
      sampledShare: Number(text('OTEL_TRACES_SAMPLER_ARG')),
    },
    bootstrap: {
      projectId: optional('SCRIP_BOOTSTRAP_PROJECT_ID'),
      appId: optional('SCRIP_BOOTSTRAP_APP_ID'),
      appToken: secretOf(optional('SCRIP_BOOTSTRAP_APP_TOKEN')),
      clientAppId: optional('SCRIP_BOOTSTRAP_CLIENT_APP_ID'),
      clientToken: secretOf(optional('SCRIP_BOOTSTRAP_CLIENT_TOKEN')),
      managementId: optional('SCRIP_BOOTSTRAP_MANAGEMENT_ID'),
      managementToken: secretOf(optional('SCRIP_BOOTSTRAP_MANAGEMENT_TOKEN')),
    },
    oauthHeaders: list('SCRIP_OAUTH_HEADERS').map((header) => header.toLowerCase()),
    webhookEgress: {
      allowHttp: read.WEBHOOK_ALLOW_HTTP as boolean,
      allowHosts: list('WEBHOOK_EGRESS_ALLOW_HOSTS').map((name) => name.toLowerCase()),
      allowCidrs: list('WEBHOOK_EGRESS_ALLOW_CIDRS'),
      allowLoopback: isLoopback(host),
    },
    logLevel: text('SCRIP_LOG_LEVEL'),
    jobConcurrency: number('SCRIP_JOB_CONCURRENCY'),
    database: {
      poolSize: number('SCRIP_DATABASE_POOL_SIZE'),
      statementTimeoutMs: number('SCRIP_STATEMENT_TIMEOUT_MS'),
      transactionTimeoutMs: number('SCRIP_TRANSACTION_TIMEOUT_MS'),
      idleInTransactionTimeoutMs: number('SCRIP_IDLE_IN_TRANSACTION_TIMEOUT_MS'),
    },
    rateLimits: {
      apiCallsPerHour: number('SCRIP_API_CALLS_PER_HOUR'),
      bulkApiCallsPerHour: number('SCRIP_BULK_API_CALLS_PER_HOUR'),
      clientCallsPer5Seconds: number('SCRIP_CLIENT_CALLS_PER_5_SECONDS'),
    },
    shutdownTimeoutMs: number('SCRIP_SHUTDOWN_TIMEOUT_MS'),
  };
};
