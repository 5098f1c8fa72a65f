import type { Variable } from './variable';

/** People who sign in. */
export const usersVariables = [
  {
    name: 'SCRIP_ADMIN_PASSWORD',
    kind: 'text',
    default: null,
    secret: true,
    pattern: /^.{12,128}$/u,
    expects: '12 to 128 characters',
    meaning:
      'Password of the user `admin`, which the first start makes; read only then, and to be changed at the first sign-in. ' +
      'When absent: `npm start` on a terminal makes one and shows it once; else `npm run users -- reset admin` makes it.',
  },
  {
    name: 'SCRIP_PASSWORD_COST',
    kind: 'integer',
    default: '17',
    min: 14,
    max: 20,
    meaning:
      'Cost of checking a password: the base-2 logarithm of N of scrypt. Each step doubles time and memory (17: 128 MiB for ' +
      'each of two at a time). When it rises, a password is hashed again at the next sign-in.',
  },
  {
    name: 'SCRIP_AUDIT_DAYS',
    kind: 'integer',
    default: '730',
    min: 30,
    max: 3_650,
    meaning:
      'Days for which the audit trail is kept: who signed in, and who changed settings, users and keys.',
  },
  {
    name: 'SCRIP_DASHBOARD_ALLOW_HTTP',
    kind: 'switch',
    default: 'false',
    meaning:
      'Lets users sign in by http from other machines, where passwords and sessions can be read on their way. For tests in ' +
      'closed networks.',
  },
] as const satisfies readonly Variable[];
