import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type AuthPort, authPort } from '@scrip/contracts/auth';
import type { Feature } from '@scrip/contracts/registry';
import { portToken } from '@scrip/rpc';
import type { RateLimit } from '../access/rate-limits';
import type { EdgeOptions } from '../assembly/edge-options';

/** The configuration that decides who is let in. */
export interface AdmissionSettings {
  oauthHeaders: readonly string[];
  /** Features whose calls are answered 402. */
  featuresOff: readonly Feature[];
  /** How long an answer is waited for, in ms; null: the default of the edge. */
  answerTimeoutMs: number | null;
  baseUrl: string;
  dashboard: { allowHttp: boolean };
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

/** How a process admits callers. Auth is asked through its port. */
export const admissionOptions = (
  app: NestFastifyApplication,
  { oauthHeaders, featuresOff, answerTimeoutMs, rateLimits, baseUrl, dashboard }: AdmissionSettings,
): EdgeOptions => ({
  auth: app.get<AuthPort>(portToken(authPort), { strict: false }),
  oauthHeaders,
  featuresOff,
  dashboard: { baseUrl, ...dashboard },
  ...(answerTimeoutMs === null ? {} : { deadlineMs: answerTimeoutMs }),
  rateLimits: {
    apiCalls: [{ value: rateLimits.apiCallsPerHour, durationS: hourS }, ...rateLimits.apiCalls],
    bulkApiCalls: [{ value: rateLimits.bulkApiCallsPerHour, durationS: hourS }, ...rateLimits.bulkApiCalls],
    apiCallsPerCycle: rateLimits.apiCallsPerCycle,
    webhookCalls: [{ value: rateLimits.webhookCallsPerDay, durationS: dayS }],
    clientCalls: [{ value: rateLimits.clientCallsPer5Seconds, durationS: 5 }],
  },
});
