import type { Variable } from './variable';

const tokenText = {
  pattern: /^[\x21-\x7e]{24,255}$/,
  expects: '24 to 255 visible ASCII characters',
} as const;
const keyText = { pattern: /^[\x21-\x7e]{1,255}$/, expects: 'up to 255 visible ASCII characters' } as const;

/** The demo project and its keys. */
export const bootstrapVariables = [
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
    ...tokenText,
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
    ...tokenText,
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
    ...tokenText,
    meaning: 'Management key token.',
  },
] as const satisfies readonly Variable[];
