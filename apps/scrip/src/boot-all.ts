import { authPort } from '@scrip/contracts';
import { edgeFastifyOptions, idempotencyMigration, registerEdge } from '@scrip/edge';
import { portToken } from '@scrip/rpc';
import { type BootOptions, type RunningApp, type ScripConfig, bootScrip } from '@scrip/service';
import { allContexts } from './contexts';

const hourS = 3_600;

/** Boots the edge and every context in this process, on the database of `config`. */
export const bootAll = (
  config: ScripConfig,
  options: Pick<BootOptions, 'logger' | 'prepare'> = {},
): Promise<RunningApp> =>
  bootScrip({
    ...options,
    contexts: allContexts,
    config,
    edge: {
      fastifyOptions: edgeFastifyOptions(),
      migrations: [idempotencyMigration],
      register: (app, { oauthHeaders, rateLimits }) => {
        registerEdge(app, {
          auth: app.get(portToken(authPort), { strict: false }),
          oauthHeaders,
          rateLimits: {
            apiCalls: [{ value: rateLimits.apiCallsPerHour, durationS: hourS }],
            bulkApiCalls: [{ value: rateLimits.bulkApiCallsPerHour, durationS: hourS }],
            clientCalls: [{ value: rateLimits.clientCallsPer5Seconds, durationS: 5 }],
          },
        });
      },
    },
  });
