import { contextNames } from '@scrip/contracts/registry';
import type { Variable } from './variable';

const databaseOfContext = new RegExp(`^(?:${contextNames.join('|')})=postgres(?:ql)?://.+`);

/** PostgreSQL. */
export const databaseVariables = [
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
    name: 'DATABASE_URLS',
    kind: 'list',
    default: '',
    secret: true,
    accepts: (member) => databaseOfContext.test(member),
    expects: 'comma-separated list of context=postgres://user:password@host:port/database',
    meaning:
      'Databases or roles of single contexts, instead of `DATABASE_URL`; a comma in a password is written `%2C`. All in one database where everything runs in one process.',
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
    name: 'SCRIP_STATEMENT_TIMEOUT_MS',
    kind: 'integer',
    default: '15000',
    min: 100,
    max: 600_000,
    meaning:
      'Longest single statement, milliseconds. A connection on which nothing comes for 10 s longer is closed.',
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
] as const satisfies readonly Variable[];
