import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type AuthPort, authPort } from '@scrip/contracts/auth';
import { type OperationsPort, operationsPort } from '@scrip/contracts/operations';
import type { Feature } from '@scrip/contracts/registry';
import { portToken } from '@scrip/rpc';
import type { RateLimit } from '../access/rate-limits';
import type { EdgeOptions } from '../assembly/edge-options';
import { type Counters, storedNotes } from '../call-log/stored-notes';

/** The configuration that decides who is let in. */
export interface AdmissionSettings {
  oauthHeaders: readonly string[];
  /** Features whose calls are answered 402. */
  featuresOff: readonly Feature[];
  /** How long an answer is waited for, in ms; null: the default of the edge. */
  answerTimeoutMs: number | null;
  baseUrl: string;
  dashboard: { allowHttp: boolean };
  /** Whether calls are noted. */
  apiLog: { isOn: boolean };
  rateLimits: {
    apiCallsPerHour: number;
    bulkApiCallsPerHour: number;
    /** Further ones, beside those per hour. */
    apiCalls: readonly RateLimit[];
    bulkApiCalls: readonly RateLimit[];
    /** Null: no limit. */
    apiCallsPerCycle: number | null;
    webhookCallsPerDay: number;
    clientCallsPer5Seconds: number;
  };
}

const hourS = 3_600;
const dayS = 86_400;

/** How a process admits callers. Auth and operations are asked through their ports. */
export const admissionOptions = (
  app: NestFastifyApplication,
  { oauthHeaders, featuresOff, answerTimeoutMs, rateLimits, baseUrl, dashboard, apiLog }: AdmissionSettings,
  counters: Counters,
): EdgeOptions => ({
  auth: app.get<AuthPort>(portToken(authPort), { strict: false }),
  oauthHeaders,
  featuresOff,
  dashboard: { baseUrl, ...dashboard },
  ...(apiLog.isOn
    ? {
        callNotes: storedNotes(
          app.get<OperationsPort>(portToken(operationsPort), { strict: false }),
          counters,
        ),
      }
    : {}),
  ...(answerTimeoutMs === null ? {} : { deadlineMs: answerTimeoutMs }),
  rateLimits: {
    apiCalls: [{ value: rateLimits.apiCallsPerHour, durationS: hourS }, ...rateLimits.apiCalls],
    bulkApiCalls: [{ value: rateLimits.bulkApiCallsPerHour, durationS: hourS }, ...rateLimits.bulkApiCalls],
    apiCallsPerCycle: rateLimits.apiCallsPerCycle,
    webhookCalls: [{ value: rateLimits.webhookCallsPerDay, durationS: dayS }],
    clientCalls: [{ value: rateLimits.clientCallsPer5Seconds, durationS: 5 }],
  },
});
