import type { Variable } from './variable';

/** Where files of exports are kept. */
export const filesVariables = [
  {
    name: 'SCRIP_FILES_DIR',
    kind: 'text',
    default: null,
    expects: 'the path of a folder',
    meaning:
      'Folder of the files of exports; services of one installation share it. When absent: `<data dir>/files`. Not used with `SCRIP_S3_BUCKET`.',
  },
  {
    name: 'SCRIP_S3_BUCKET',
    kind: 'text',
    default: null,
    pattern: /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
    expects: 'the name of a bucket',
    meaning:
      'Bucket of an S3-compatible store for the files of exports, in place of a folder; every service needs it then.',
  },
  {
    name: 'SCRIP_S3_PREFIX',
    kind: 'text',
    default: null,
    pattern: /^(?:[A-Za-z0-9_.-]+\/){1,10}$/,
    expects: 'a text that ends with a slash, such as `scrip/`',
    meaning: 'What the names of files begin with in the bucket. When absent: nothing.',
  },
  {
    name: 'SCRIP_S3_REGION',
    kind: 'text',
    default: 'us-east-1',
    pattern: /^[a-z0-9-]{1,40}$/,
    expects: 'the name of a region',
    meaning: 'Region of the bucket; stores other than Amazon S3 seldom look at it.',
  },
  {
    name: 'SCRIP_S3_ENDPOINT',
    kind: 'text',
    default: null,
    pattern: /^https?:\/\/[^\s/]+$/,
    expects: 'an http or https URL without a path',
    meaning: 'URL of the store. When absent: Amazon S3 of the region.',
  },
  {
    name: 'SCRIP_S3_PATH_STYLE',
    kind: 'switch',
    default: 'true',
    meaning:
      'With `SCRIP_S3_ENDPOINT`: whether the bucket is named in the path of URLs, as most stores want it, or in the host.',
  },
  {
    name: 'SCRIP_S3_ACCESS_KEY_ID',
    kind: 'text',
    default: null,
    pattern: /^[\x21-\x7e]{1,255}$/,
    expects: 'up to 255 visible ASCII characters',
    meaning:
      'Id of the access key, beside `SCRIP_S3_SECRET_ACCESS_KEY`. When absent: what programs for AWS look for, such as `AWS_ACCESS_KEY_ID`, shared files, or the role of the machine.',
  },
  {
    name: 'SCRIP_S3_SECRET_ACCESS_KEY',
    kind: 'text',
    default: null,
    secret: true,
    pattern: /^[\x21-\x7e]{1,255}$/,
    expects: 'up to 255 visible ASCII characters',
    meaning: 'Secret of the access key.',
  },
] as const satisfies readonly Variable[];
