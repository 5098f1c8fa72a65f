import type { Variable } from './variable';

/** Logs, traces, jobs and the end. */
export const runningVariables = [
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
    name: 'SCRIP_JOB_CONCURRENCY',
    kind: 'integer',
    default: '8',
    min: 1,
    max: 100,
    meaning: 'Background jobs running at once, of each context that has any.',
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
