import { contextNames } from '@scrip/contracts/registry';
import type { Variable } from './variable';

const serviceAddress = new RegExp(`^(?:${contextNames.join('|')})=[A-Za-z0-9.-]{1,253}:\\d{1,5}:\\d{1,5}$`);
const brokerAddress = /^[A-Za-z0-9.-]{1,253}:\d{1,5}$/;

const internalSecret = /^[\x21-\x7e]{32,255}$/;

/** How the processes of the distributed shape find each other, and the topics between them. */
export const distributionVariables = [
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
    pattern: internalSecret,
    expects: '32 to 255 visible ASCII characters',
    meaning:
      'Shared by all services and the gateway: proves the ends of calls between them. No comma where it is to be replaced some day. Needed with `SCRIP_SERVICES`.',
  },
  {
    name: 'SCRIP_INTERNAL_SECRETS_ACCEPTED',
    kind: 'list',
    default: '',
    secret: true,
    accepts: (member) => internalSecret.test(member),
    expects: 'comma-separated list of 32 to 255 visible ASCII characters each',
    meaning:
      'Further internal secrets that services take from those who call them, while the secret is replaced: the next one and the last one.',
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
    name: 'SCRIP_TLS_CERT_FILE',
    kind: 'text',
    default: null,
    expects: 'the path of a file in PEM',
    meaning:
      'Certificate of this process, in the name of `scrip.internal`: with it calls between processes, and from the gateway to services, are encrypted, and whoever has no certificate of the same authority is refused. Every process needs one then. When absent: calls are proved, but not encrypted.',
  },
  {
    name: 'SCRIP_TLS_KEY_FILE',
    kind: 'text',
    default: null,
    expects: 'the path of a file in PEM',
    meaning: 'Private key of the certificate.',
  },
  {
    name: 'SCRIP_TLS_CA_FILE',
    kind: 'text',
    default: null,
    expects: 'the path of a file in PEM',
    meaning: 'Certificate of the authority that signs for this installation alone.',
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
    name: 'SCRIP_KAFKA_TLS',
    kind: 'switch',
    default: 'false',
    meaning:
      "Whether connections to the brokers are encrypted. The brokers' certificates must name their hosts and come from an authority that the system or `SCRIP_KAFKA_CA_FILE` knows.",
  },
  {
    name: 'SCRIP_KAFKA_CA_FILE',
    kind: 'text',
    default: null,
    expects: 'the path of a file in PEM',
    meaning:
      "Certificate of the authority that signs the brokers' certificates. When absent: the system's authorities.",
  },
  {
    name: 'SCRIP_KAFKA_SASL',
    kind: 'text',
    default: null,
    choices: ['plain', 'scram-sha-256', 'scram-sha-512'],
    meaning:
      'How this process proves to the brokers who it is, as `SCRIP_KAFKA_USERNAME` with `SCRIP_KAFKA_PASSWORD`; `plain` shows the password to whoever reads the connection, and needs `SCRIP_KAFKA_TLS`. When absent: it does not.',
  },
  {
    name: 'SCRIP_KAFKA_USERNAME',
    kind: 'text',
    default: null,
    pattern: /^[\x21-\x7e]{1,255}$/,
    expects: '1 to 255 visible ASCII characters',
    meaning: 'Needed with `SCRIP_KAFKA_SASL`.',
  },
  {
    name: 'SCRIP_KAFKA_PASSWORD',
    kind: 'text',
    default: null,
    secret: true,
    pattern: /^[\x21-\x7e]{1,255}$/,
    expects: '1 to 255 visible ASCII characters',
    meaning: 'Needed with `SCRIP_KAFKA_SASL`.',
  },
  {
    name: 'SCRIP_KAFKA_NAMESPACE',
    kind: 'text',
    default: null,
    pattern: /^[a-z0-9][a-z0-9-]{0,31}$/,
    expects: '1 to 32 lower-case letters, digits and hyphens',
    meaning:
      'Stands in front of the names of all topics and consumer groups (`staging.scrip.campaigns.voucher.v1`), so that several installations may share brokers. When absent: nothing does.',
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
    meaning:
      'Copies of each partition of topics that are created; a majority has each event before it counts as published. 3 where events must outlive the loss of a broker.',
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
] as const satisfies readonly Variable[];
