import { isIP } from 'node:net';

/** How the text of a variable is read. `list` is comma-separated, blanks around members dropped. */
export type VariableKind = 'text' | 'integer' | 'switch' | 'list';

/** One environment variable. `default` is what an absent variable means; null = decided at start, as `meaning` says. */
export interface Variable {
  name: string;
  kind: VariableKind;
  default: string | null;
  /** Never logged or shown; kept as `Secret`. */
  secret?: true;
  /** Bounds of an `integer`, both included. */
  min?: number;
  max?: number;
  choices?: readonly string[];
  pattern?: RegExp;
  /** Whether a member of a `list` may be one. */
  accepts?: (member: string) => boolean;
  /** What a value looks like, for error messages. */
  expects?: string;
  meaning: string;
}

const keyText = { pattern: /^[\x21-\x7e]{1,255}$/, expects: 'up to 255 visible ASCII characters' } as const;

const isAddressRange = (text: string): boolean => {
  const [address = '', bits = '', ...rest] = text.split('/');
  const version = isIP(address);
  return (
    rest.length === 0 && version !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)
  );
};

// Not a range of all addresses, which would let every caller name his own.
const isProxy = (text: string): boolean =>
  !text.includes('%') && (isIP(text) !== 0 || (isAddressRange(text) && !/\/0+$/.test(text)));

const serviceAddress =
  /^(?:auth|campaigns|customers|qualification|webhooks|operations)=[A-Za-z0-9.-]{1,253}:\d{1,5}:\d{1,5}$/;
const brokerAddress = /^[A-Za-z0-9.-]{1,253}:\d{1,5}$/;

/** Every environment variable that Scrip reads. `docs/configuration.md` is written from this table. */
export const environmentTable = [
  {
    name: 'SCRIP_HOST',
    kind: 'text',
    default: '127.0.0.1',
    meaning:
      'Address to listen on. While it is a loopback address, webhooks are also delivered to loopback over http.',
  },
  {
    name: 'SCRIP_PORT',
    kind: 'integer',
    default: '3000',
    min: 0,
    max: 65_535,
    meaning: 'Port to listen on; 0 takes a free one.',
  },
  {
    name: 'SCRIP_TRUST_PROXY',
    kind: 'list',
    default: '',
    accepts: isProxy,
    expects: 'comma-separated list of addresses and address ranges',
    meaning:
      'Proxies whose `X-Forwarded-For` names the caller, for example `10.0.0.0/8`; it is not read from others.',
  },
  {
    name: 'SCRIP_BASE_URL',
    kind: 'text',
    default: null,
    pattern: /^https?:\/\/[^\s]+[^\s/]$/,
    expects: 'an http or https URL without a slash at its end',
    meaning:
      'The URL under which callers reach this server, used in links. When absent: `http://<host>:<port>`.',
  },
  {
    name: 'SCRIP_CLUSTER',
    kind: 'text',
    default: 'eu1',
    pattern: /^[a-z0-9]{2,16}$/,
    expects: '2 to 16 lower-case letters and digits',
    meaning: 'Name of this cluster; the ids of its keys begin with it.',
  },
  {
    name: 'SCRIP_DATA_DIR',
    kind: 'text',
    default: '.scrip',
    meaning: 'Folder of everything the embedded shape keeps: database, master key, credentials.',
  },
  {
    name: 'SCRIP_MASTER_KEY',
    kind: 'text',
    default: null,
    secret: true,
    pattern: /^(?:[0-9a-fA-F]{64}|[A-Za-z0-9+/]{43}=)$/,
    expects: '32 bytes, as 64 hex digits or as base64',
    meaning: 'Wraps customer keys and webhook tokens. When absent: generated into `<data dir>/master-key`.',
  },
  {
    name: 'DATABASE_URL',
    kind: 'text',
    default: null,
    secret: true,
    pattern: /^postgres(?:ql)?:\/\/.+/,
    expects: 'postgres://user:password@host:port/database',
    meaning: 'PostgreSQL (17 or newer) to use. When absent: an embedded server in `<data dir>/postgres`.',
  },
  {
    name: 'SCRIP_SERVICES',
    kind: 'list',
    default: '',
    accepts: (member) => serviceAddress.test(member),
    expects: 'comma-separated list of name=host:http port:rpc port',
    meaning:
      'Where each service answers, for example `auth=auth:3000:4000`; a name may come several times, once for each replica, and a host name stands for all addresses it resolves to. When absent: everything runs in one process.',
  },
  {
    name: 'SCRIP_INTERNAL_SECRET',
    kind: 'text',
    default: null,
    secret: true,
    pattern: /^[\x21-\x7e]{32,255}$/,
    expects: '32 to 255 visible ASCII characters',
    meaning:
      'Shared by all services and the gateway: proves the ends of calls between them. Needed with `SCRIP_SERVICES`.',
  },
  {
    name: 'SCRIP_RPC_PORT',
    kind: 'integer',
    default: '4000',
    min: 0,
    max: 65_535,
    meaning: 'Port on `SCRIP_HOST` for calls of other services; 0 takes a free one.',
  },
  {
    name: 'SCRIP_KAFKA_BROKERS',
    kind: 'list',
    default: '',
    accepts: (member) => brokerAddress.test(member),
    expects: 'comma-separated list of host:port',
    meaning: 'Brokers that carry the domain events. Needed with `SCRIP_SERVICES`.',
  },
  {
    name: 'SCRIP_KAFKA_PARTITIONS',
    kind: 'integer',
    default: '6',
    min: 1,
    max: 1_000,
    meaning: 'Partitions of topics that are created: the most processes that share the work of a consumer.',
  },
  {
    name: 'SCRIP_KAFKA_REPLICATION',
    kind: 'integer',
    default: '1',
    min: 1,
    max: 10,
    meaning: 'Copies of each partition of topics that are created.',
  },
  {
    name: 'SCRIP_KAFKA_RETENTION_HOURS',
    kind: 'integer',
    default: '336',
    min: 1,
    max: 87_600,
    meaning: 'How long topics that are created keep events.',
  },
  {
    name: 'SCRIP_KAFKA_MESSAGE_BYTES_MAX',
    kind: 'integer',
    default: '1048576',
    min: 65_536,
    max: 104_857_600,
    meaning: 'Largest message of topics that are created; the broker must allow it.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    kind: 'text',
    default: null,
    pattern: /^https?:\/\/[^\s]+$/,
    expects: 'an http or https URL',
    meaning:
      'Where traces are sent by OTLP over HTTP, for example `http://localhost:4318`. When absent: traces are passed on, not recorded.',
  },
  {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    kind: 'text',
    default: '1',
    pattern: /^(?:0|1|0?\.\d{1,6}|1\.0)$/,
    expects: 'a number from 0 to 1',
    meaning:
      'Share of traces that begin here and are recorded; callers with a `traceparent` decide themselves.',
  },
  {
    name: 'SCRIP_BOOTSTRAP_PROJECT_ID',
    kind: 'text',
    default: null,
    ...keyText,
    meaning:
      'Id of the demo project made on the first start. When absent: generated, like all the following.',
  },
  {
    name: 'SCRIP_BOOTSTRAP_APP_ID',
    kind: 'text',
    default: null,
    ...keyText,
    meaning: 'Server-side application id.',
  },
  {
    name: 'SCRIP_BOOTSTRAP_APP_TOKEN',
    kind: 'text',
    default: null,
    secret: true,
    ...keyText,
    meaning: 'Server-side application token.',
  },
  {
    name: 'SCRIP_BOOTSTRAP_CLIENT_APP_ID',
    kind: 'text',
    default: null,
    ...keyText,
    meaning: 'Client-side application id.',
  },
  {
    name: 'SCRIP_BOOTSTRAP_CLIENT_TOKEN',
    kind: 'text',
    default: null,
    secret: true,
    ...keyText,
    meaning: 'Client-side application token.',
  },
  {
    name: 'SCRIP_BOOTSTRAP_MANAGEMENT_ID',
    kind: 'text',
    default: null,
    ...keyText,
    meaning: 'Management key id.',
  },
  {
    name: 'SCRIP_BOOTSTRAP_MANAGEMENT_TOKEN',
    kind: 'text',
    default: null,
    secret: true,
    ...keyText,
    meaning: 'Management key token.',
  },
  {
    name: 'SCRIP_OAUTH_HEADERS',
    kind: 'list',
    default: 'X-Service-OAuth,Authorization',
    meaning:
      'Headers in which an access token is accepted, as `Bearer <token>`; the first one present counts.',
  },
  {
    name: 'WEBHOOK_ALLOW_HTTP',
    kind: 'switch',
    default: 'false',
    meaning: 'Whether webhooks may be delivered over plain http.',
  },
  {
    name: 'WEBHOOK_EGRESS_ALLOW_HOSTS',
    kind: 'list',
    default: '',
    meaning: 'Host names to deliver webhooks to although they look internal.',
  },
  {
    name: 'WEBHOOK_EGRESS_ALLOW_CIDRS',
    kind: 'list',
    default: '',
    accepts: isAddressRange,
    expects: 'comma-separated list of address ranges',
    meaning: 'Address ranges to deliver webhooks to although they are private, for example `10.1.0.0/16`.',
  },
  {
    name: 'SCRIP_LOG_LEVEL',
    kind: 'text',
    default: 'info',
    choices: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    meaning: 'Least severity that is logged.',
  },
  {
    name: 'SCRIP_DATABASE_POOL_SIZE',
    kind: 'integer',
    default: '10',
    min: 2,
    max: 200,
    meaning: 'Most connections of each context.',
  },
  {
    name: 'SCRIP_JOB_CONCURRENCY',
    kind: 'integer',
    default: '8',
    min: 1,
    max: 100,
    meaning: 'Background jobs running at once, of each context that has any.',
  },
  {
    name: 'SCRIP_STATEMENT_TIMEOUT_MS',
    kind: 'integer',
    default: '15000',
    min: 100,
    max: 600_000,
    meaning: 'Longest single statement, milliseconds.',
  },
  {
    name: 'SCRIP_TRANSACTION_TIMEOUT_MS',
    kind: 'integer',
    default: '20000',
    min: 100,
    max: 600_000,
    meaning: 'Longest transaction, milliseconds: an open one holds back every reader of the event log.',
  },
  {
    name: 'SCRIP_IDLE_IN_TRANSACTION_TIMEOUT_MS',
    kind: 'integer',
    default: '5000',
    min: 100,
    max: 600_000,
    meaning: 'Longest pause inside a transaction, milliseconds.',
  },
  {
    name: 'SCRIP_API_CALLS_PER_HOUR',
    kind: 'integer',
    default: '1000000',
    min: 1,
    meaning: 'Server-side calls of a project per hour.',
  },
  {
    name: 'SCRIP_BULK_API_CALLS_PER_HOUR',
    kind: 'integer',
    default: '1000000',
    min: 1,
    meaning: 'Calls of a project to bulk and import endpoints per hour.',
  },
  {
    name: 'SCRIP_CLIENT_CALLS_PER_5_SECONDS',
    kind: 'integer',
    default: '5',
    min: 1,
    meaning: 'Client-side calls of one IP address per 5 seconds, over all projects.',
  },
  {
    name: 'SCRIP_SHUTDOWN_TIMEOUT_MS',
    kind: 'integer',
    default: '10000',
    min: 0,
    max: 600_000,
    meaning: 'How long requests, consumers and jobs may take to end after SIGTERM or SIGINT, milliseconds.',
  },
] as const satisfies readonly Variable[];

/** Names of the variables that exist. */
export type VariableName = (typeof environmentTable)[number]['name'];
