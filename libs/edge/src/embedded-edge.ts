import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type AuthPort, authPort } from '@scrip/contracts';
import { portToken } from '@scrip/rpc';
import { edgeFastifyOptions } from './fastify-options';
import { CreateIdempotencyKeys1700000000200 } from './idempotency/idempotency.migration';
import { registerEdge } from './register-edge';

/** The settings the edge reads. */
interface EdgeConfig {
  oauthHeaders: readonly string[];
  rateLimits: { apiCallsPerHour: number; bulkApiCallsPerHour: number; clientCallsPer5Seconds: number };
}

const hourS = 3_600;

/** The edge in front of contexts in one process, as `bootScrip({ edge })` takes it. Auth is asked through its port. */
export const embeddedEdge = {
  fastifyOptions: edgeFastifyOptions(),
  migrations: [CreateIdempotencyKeys1700000000200],
  register: (app: NestFastifyApplication, { oauthHeaders, rateLimits }: EdgeConfig): void => {
    registerEdge(app, {
      auth: app.get<AuthPort>(portToken(authPort), { strict: false }),
      oauthHeaders,
      rateLimits: {
        apiCalls: [{ value: rateLimits.apiCallsPerHour, durationS: hourS }],
        bulkApiCalls: [{ value: rateLimits.bulkApiCallsPerHour, durationS: hourS }],
        clientCalls: [{ value: rateLimits.clientCallsPer5Seconds, durationS: 5 }],
      },
    });
  },
};
