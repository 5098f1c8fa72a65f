import type { Variable } from './variable';

/** Measurements, logs, traces, jobs and the end. */
export const runningVariables = [
  {
    name: 'SCRIP_METRICS_HOST',
    kind: 'text',
    default: '127.0.0.1',
    meaning:
      'Address to serve `/metrics` on; it asks for no credentials, so only who collects measurements may reach it.',
  },
  {
    name: 'SCRIP_METRICS_PORT',
    kind: 'integer',
    default: null,
    min: 0,
    max: 65_535,
    meaning:
      'Port to serve `/metrics` on; 0 takes a free one. When absent: `SCRIP_PORT` + 6000, or a free one where that is in use.',
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
    name: 'SCRIP_LOG_LEVEL',
    kind: 'text',
    default: 'info',
    choices: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    meaning: 'Least severity that is logged.',
  },
  {
    name: 'SCRIP_API_LOG',
    kind: 'switch',
    default: 'false',
    meaning:
      'Whether calls with keys and tokens are noted, for exports of the kind `api_log`: a row in the database for each. The ' +
      'same for the gateway and `operations`.',
  },
  {
    name: 'SCRIP_API_LOG_DAYS',
    kind: 'integer',
    default: '30',
    min: 1,
    max: 366,
    meaning: 'Days for which `operations` keeps noted calls, whole days in UTC beside the present one.',
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
    name: 'SCRIP_ANSWER_TIMEOUT_MS',
    kind: 'integer',
    default: null,
    min: 100,
    max: 25_000,
    meaning:
      'How long a call is worked on before it is answered 503, milliseconds. When absent: 10000, and 4400 at the gateway.',
  },
  {
    name: 'SCRIP_SHUTDOWN_TIMEOUT_MS',
    kind: 'integer',
    default: '10000',
    min: 0,
    max: 600_000,
    meaning:
      'How long requests, consumers and jobs may take to end after SIGTERM, SIGINT or SIGHUP, milliseconds.',
  },
] as const satisfies readonly Variable[];
