import { type CallLimit, callLimitOf } from './variables/call-limit';
import { resolve } from 'node:path';
import type { Feature } from '@scrip/contracts/registry';
import type { FileStoreSettings } from '@scrip/files';
import { isLoopback, Secret } from '@scrip/kernel';
import { type ContextDatabases, contextDatabasesOf } from './context-databases';
import { type Distribution, distributionOf } from './distribution';
import { readEnvironment } from './environment';
import { filesOf } from './file-settings';

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

/** People who sign in. */
export interface UserSettings {
  /** Of the user that the first start makes; null: none, or one that is shown on a terminal. */
  adminPassword: Secret | null;
  /** Base-2 logarithm of scrypt's N. */
  passwordCost: number;
  /** How long entries of the audit trail are kept. */
  auditDays: number;
}

/** How the dashboard is reached. */
export interface DashboardSettings {
  /** Users may sign in by http from other machines. */
  allowHttp: boolean;
}

/** What webhooks may be delivered to beyond public https. Source: reference 06 §5.4. */
export interface WebhookEgress {
  allowHttp: boolean;
  /** Host names in lower case. */
  allowHosts: readonly string[];
  /** Address ranges in CIDR form. */
  allowCidrs: readonly string[];
  /** Loopback over http is allowed: every caller of this server is on this machine already, or the switch says so. */
  allowLoopback: boolean;
  /** URL of the proxy through which deliveries leave, with its user and password; null: none. */
  proxy: Secret | null;
}

/** Where traces go. */
export interface TracingSettings {
  /** Base URL of an OTLP receiver; null: traces are passed on and not recorded. */
  endpoint: string | null;
  /** Share of the traces that begin here and are recorded, 0 to 1. */
  sampledShare: number;
}

/** Where measurements are served. `fallback`: another port may be taken where this one is in use. */
export interface MetricsAddress {
  host: string;
  port: number;
  fallback: boolean;
}

/** Settings as read from the environment. Values that the embedded shape generates may be null. */
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
  /** Further master keys that open what they sealed. 32 bytes as base64. */
  acceptedMasterKeys: readonly Secret[];
  databaseUrl: Secret | null;
  /** Of single contexts; those that are missing use `databaseUrl`. */
  databaseUrls: ContextDatabases['databaseUrls'];
  /** Null in the embedded shape. */
  distribution: Distribution | null;
  tracing: TracingSettings;
  metrics: MetricsAddress;
  bootstrap: BootstrapKeys;
  users: UserSettings;
  dashboard: DashboardSettings;
  /** Where files of exports are kept. */
  files: FileStoreSettings;
  /** Header names in lower case, in order of preference. */
  oauthHeaders: readonly string[];
  /** Features whose calls are answered 402. Source: reference 07 §14. */
  featuresOff: readonly Feature[];
  webhookEgress: WebhookEgress;
  /** The log of API calls. */
  apiLog: { isOn: boolean; days: number };
  logLevel: string;
  jobConcurrency: number;
  database: {
    poolSize: number;
    statementTimeoutMs: number;
    transactionTimeoutMs: number;
    idleInTransactionTimeoutMs: number;
  };
  rateLimits: {
    apiCallsPerHour: number;
    bulkApiCallsPerHour: number;
    /** Further ones, beside those per hour. */
    apiCalls: CallLimit[];
    bulkApiCalls: CallLimit[];
    /** Null: no limit. */
    apiCallsPerCycle: number | null;
    webhookCallsPerDay: number;
    clientCallsPer5Seconds: number;
  };
  /** How long a call is worked on; null: the default of the process. */
  answerTimeoutMs: number | null;
  shutdownTimeoutMs: number;
}

/** Settings of a running process: complete. */
export interface ScripConfig extends ScripSettings, ContextDatabases {
  /** 32 bytes as base64; use `purposeRing`. */
  masterKey: Secret;
  databaseUrl: Secret;
}

/** Whether every caller is on this machine: the server listens on loopback, no proxy passes calls of others on, and it
 *  is known under a loopback URL. A service behind a gateway must be told that URL, which is the gateway's. */
const isForThisMachineOnly = ({
  host,
  trustedProxies,
  baseUrl,
}: Pick<ScripSettings, 'host' | 'trustedProxies'> & { baseUrl: string | null }): boolean =>
  isLoopback(host) &&
  trustedProxies.length === 0 &&
  baseUrl !== null &&
  isLoopback(new URL(baseUrl).hostname.replace(/[[\]]/g, ''));

const secretOf = (text: string | null): Secret | null => (text === null ? null : new Secret(text));

const keySecretOf = (text: string): Secret =>
  new Secret(text.length === 64 ? Buffer.from(text, 'hex').toString('base64') : text);

/** Returns the URL of a listening address; IPv6 in brackets, the wildcard addresses as loopback. */
export const urlOf = (host: string, port: number, scheme: 'http' | 'https' = 'http'): string => {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `${scheme}://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
};

const metricsPortOffset = 6_000;

const metricsPortOf = (stated: number | null, port: number): number => {
  if (stated !== null) return stated;
  return port === 0 || port + metricsPortOffset > 65_535 ? 0 : port + metricsPortOffset;
};

/** Reads and checks the environment. Throws `ConfigurationError` with a line per wrong variable. */
export const readSettings = (env: NodeJS.ProcessEnv): ScripSettings => {
  const read = readEnvironment(env);
  const text = (name: keyof typeof read) => read[name] as string;
  const optional = (name: keyof typeof read) => read[name] as string | null;
  const number = (name: keyof typeof read) => read[name] as number;
  const list = (name: keyof typeof read) => read[name] as string[];
  const host = text('SCRIP_HOST');
  const masterKey = optional('SCRIP_MASTER_KEY');
  const port = number('SCRIP_PORT');
  const trustedProxies = list('SCRIP_TRUST_PROXY');
  const statedUrl = optional('SCRIP_BASE_URL');
  const ownUrl = urlOf(host, port);
  const distribution = distributionOf(read);
  return {
    host,
    port,
    trustedProxies,
    baseUrl: statedUrl ?? ownUrl,
    cluster: text('SCRIP_CLUSTER'),
    dataDir: resolve(text('SCRIP_DATA_DIR')),
    masterKey: masterKey === null ? null : keySecretOf(masterKey),
    acceptedMasterKeys: list('SCRIP_MASTER_KEYS_ACCEPTED').map(keySecretOf),
    ...contextDatabasesOf(optional('DATABASE_URL'), list('DATABASE_URLS')),
    distribution,
    tracing: {
      endpoint: optional('OTEL_EXPORTER_OTLP_ENDPOINT'),
      sampledShare: Number(text('OTEL_TRACES_SAMPLER_ARG')),
    },
    metrics: {
      host: text('SCRIP_METRICS_HOST'),
      port: metricsPortOf(read.SCRIP_METRICS_PORT as number | null, port),
      fallback: read.SCRIP_METRICS_PORT === null,
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
    users: {
      adminPassword: secretOf(optional('SCRIP_ADMIN_PASSWORD')),
      passwordCost: number('SCRIP_PASSWORD_COST'),
      auditDays: number('SCRIP_AUDIT_DAYS'),
    },
    files: filesOf(read, resolve(text('SCRIP_DATA_DIR'))),
    dashboard: { allowHttp: read.SCRIP_DASHBOARD_ALLOW_HTTP as boolean },
    oauthHeaders: list('SCRIP_OAUTH_HEADERS').map((header) => header.toLowerCase()),
    featuresOff: list('SCRIP_FEATURES_OFF') as Feature[],
    webhookEgress: {
      allowHttp: read.WEBHOOK_ALLOW_HTTP as boolean,
      allowHosts: list('WEBHOOK_EGRESS_ALLOW_HOSTS').map((name) => name.toLowerCase()),
      allowCidrs: list('WEBHOOK_EGRESS_ALLOW_CIDRS'),
      allowLoopback:
        (read.WEBHOOK_ALLOW_LOOPBACK as boolean) ||
        isForThisMachineOnly({
          host,
          trustedProxies,
          baseUrl: distribution === null ? (statedUrl ?? ownUrl) : statedUrl,
        }),
      proxy: secretOf(optional('WEBHOOK_PROXY')),
    },
    apiLog: { isOn: read.SCRIP_API_LOG as boolean, days: number('SCRIP_API_LOG_DAYS') },
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
      apiCalls: list('SCRIP_API_CALLS_LIMITS').map(callLimitOf),
      bulkApiCalls: list('SCRIP_BULK_API_CALLS_LIMITS').map(callLimitOf),
      apiCallsPerCycle: read.SCRIP_API_CALLS_PER_CYCLE as number | null,
      webhookCallsPerDay: number('SCRIP_WEBHOOK_CALLS_PER_DAY'),
      clientCallsPer5Seconds: number('SCRIP_CLIENT_CALLS_PER_5_SECONDS'),
    },
    answerTimeoutMs: read.SCRIP_ANSWER_TIMEOUT_MS as number | null,
    shutdownTimeoutMs: number('SCRIP_SHUTDOWN_TIMEOUT_MS'),
  };
};
