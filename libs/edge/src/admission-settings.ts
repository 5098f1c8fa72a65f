import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type AuthPort, authPort } from '@scrip/contracts';
import { portToken } from '@scrip/rpc';
import type { EdgeOptions } from './edge-options';

/** The configuration that decides who is let in. */
export interface AdmissionSettings {
  oauthHeaders: readonly string[];
  rateLimits: { apiCallsPerHour: number; bulkApiCallsPerHour: number; clientCallsPer5Seconds: number };
}

const hourS = 3_600;

/** How a process admits callers. Auth is asked through its port. */
export const admissionOptions = (
  app: NestFastifyApplication,
  { oauthHeaders, rateLimits }: AdmissionSettings,
): EdgeOptions => ({
  auth: app.get<AuthPort>(portToken(authPort), { strict: false }),
  oauthHeaders,
  rateLimits: {
    apiCalls: [{ value: rateLimits.apiCallsPerHour, durationS: hourS }],
    bulkApiCalls: [{ value: rateLimits.bulkApiCallsPerHour, durationS: hourS }],
    clientCalls: [{ value: rateLimits.clientCallsPer5Seconds, durationS: 5 }],
  },
});
