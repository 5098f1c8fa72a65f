import { isProxy } from './address-range';
import type { Variable } from './variable';

const masterKey = /^(?:[0-9a-fA-F]{64}|[A-Za-z0-9+/]{43}=)$/;

/** What the process is and where it listens. */
export const processVariables = [
  {
    name: 'SCRIP_HOST',
    kind: 'text',
    default: '127.0.0.1',
    meaning: 'Address to listen on.',
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
    pattern: masterKey,
    expects: '32 bytes, as 64 hex digits or as base64',
    meaning: 'Wraps customer keys and webhook tokens. When absent: generated into `<data dir>/master-key`.',
  },
  {
    name: 'SCRIP_MASTER_KEYS_ACCEPTED',
    kind: 'list',
    default: '',
    secret: true,
    accepts: (member) => masterKey.test(member),
    expects: 'comma-separated list of 32 bytes each, as 64 hex digits or as base64',
    meaning:
      'Further master keys that open what they sealed, while the key is replaced: the next one and the last one.',
  },
] as const satisfies readonly Variable[];
