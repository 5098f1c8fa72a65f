import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Secret } from '@scrip/kernel';
import { serviceFastifyOptions } from './fastify-options';
import { idempotencyMigrations } from '../migrations';
import { registerServiceEdge } from './register-edge';
import { requestContextKey } from '../signed-context/context-signature';

/** The part of the configuration that processes share. */
interface ServiceEdgeConfig {
  distribution: { internalSecret: Secret; acceptedInternalSecrets: readonly Secret[] } | null;
}

/** What stands in front of the contexts of a service process, as `bootScrip({ edge })` takes it: requests come from
 *  gateways, with a signed context. Throws `Error` where the configuration knows no other processes. */
export const serviceEdge = {
  fastifyOptions: serviceFastifyOptions(),
  migrations: idempotencyMigrations,
  register: (app: NestFastifyApplication, { distribution }: ServiceEdgeConfig): void => {
    if (!distribution) throw new Error('a service needs SCRIP_SERVICES and SCRIP_INTERNAL_SECRET');
    registerServiceEdge(app, {
      contextKey: requestContextKey(distribution.internalSecret),
      acceptedContextKeys: distribution.acceptedInternalSecrets.map(requestContextKey),
    });
  },
};
